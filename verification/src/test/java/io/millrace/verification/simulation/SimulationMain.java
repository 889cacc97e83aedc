package io.millrace.verification.simulation;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/**
 * The command that runs seeds one after the other: {@code SimulationMain FIRST COUNT [FIRST
 * COUNT...]}. Prints its findings; exits with 1 at the first seed that breaks a promise, after
 * printing how to repeat it, and with 2 if the simulator itself fails or a seed hangs. The property
 * {@code millrace.simulation.broken} is the number of broken seeds at which it exits, {@code
 * millrace.simulation.trace} prints all events, {@code millrace.simulation.step} is the distance
 * between seeds (default 1).
 */
public final class SimulationMain {

  private static final boolean TRACE = Boolean.getBoolean("millrace.simulation.trace");
  private static final int MAX_BROKEN = Integer.getInteger("millrace.simulation.broken", 1);

  private static final int STEP = Integer.getInteger("millrace.simulation.step", 1);

  /** Time between looks at the current seed and at the processor time that was used. */
  private static final Duration LOOK = Duration.ofSeconds(30);

  /** Number of looks in a row without either after which a simulated thread hangs. */
  private static final int IDLE_LOOKS = 10;

  private static final int FOUND = 1;
  private static final int FAILED = 2;

  private final long first;
  private final long count;
  private final int mostBroken;
  private final Map<String, Integer> counts = new TreeMap<>();
  private int broken;
  private long events;
  private long fingerprint;
  private volatile long current;

  private SimulationMain(long first, long count, int mostBroken) {
    this.first = first;
    this.count = count;
    this.mostBroken = mostBroken;
  }

  public static void main(String[] args) throws InterruptedException {
    int left = MAX_BROKEN;
    for (int i = 0; i < args.length && left > 0; i += 2) {
      SimulationMain part =
          new SimulationMain(Long.parseLong(args[i]), Long.parseLong(args[i + 1]), left);
      // On a virtual thread, because control passes faster between threads of one kind.
      part.await(Thread.ofVirtual().start(part::run));
      left -= part.broken;
    }
    if (left < MAX_BROKEN) {
      System.exit(FOUND);
    }
  }

  /** Waits for the last seed; ends the process if a simulated thread waits for a real one. */
  private void await(Thread runner) throws InterruptedException {
    long before = -1;
    long cpuBefore = 0;
    int idle = 0;
    while (!runner.join(LOOK)) {
      long cpu =
          ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
              .getProcessCpuTime();
      idle = current == before && cpu - cpuBefore < LOOK.toNanos() / 20 ? idle + 1 : 0;
      if (idle == IDLE_LOOKS) {
        System.out.println(
            "Seed "
                + current
                + " hangs: a simulated thread waits for something that is not simulated, such as a lock"
                + " that another one holds during a call to the store. The threads:");
        System.out.println(stacks());
        System.exit(FAILED);
      }
      before = current;
      cpuBefore = cpu;
    }
  }

  private static String stacks() {
    try {
      Path file = Files.createTempDirectory("millrace-simulation").resolve("threads");
      ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
          .dumpThreads(file.toString(), HotSpotDiagnosticMXBean.ThreadDumpFormat.TEXT_PLAIN);
      String stacks = Files.readString(file);
      Files.delete(file);
      Files.delete(file.getParent());
      return stacks;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void run() {
    for (long seed = first; seed < first + count * STEP; seed += STEP) {
      current = seed;
      SimWorld.Result result = world(seed);
      result.counts().forEach((what, times) -> counts.merge(what, times, Integer::sum));
      events += result.events();
      fingerprint = fingerprint * 31 + result.fingerprint();
      if (!result.violations().isEmpty()) {
        report(seed, result);
        broken++;
        if (broken == mostBroken) {
          return;
        }
      }
    }
    System.out.printf(
        "%d seeds from %d %s, %d events, fingerprint %016x: %s%n",
        count,
        first,
        broken == 0 ? "keep every promise" : "of which " + broken + " broke a promise",
        events,
        fingerprint,
        counts);
  }

  /** Runs one seed; a failure of the simulator must not look like a run without findings. */
  private static SimWorld.Result world(long seed) {
    try {
      return SimWorld.run(seed, TRACE ? System.out::println : null);
    } catch (Throwable fault) {
      System.out.println("The simulator itself fails with seed " + seed + ":");
      fault.printStackTrace(System.out);
      System.exit(FAILED);
      throw fault;
    }
  }

  private static void report(long seed, SimWorld.Result result) {
    System.out.println("Seed " + seed + " breaks a promise:");
    result.violations().stream().limit(10).forEach(v -> System.out.println("  " + v));
    System.out.println("To see it happen: script/simulate --seeds 1 --from " + seed + " --trace");
  }
}
