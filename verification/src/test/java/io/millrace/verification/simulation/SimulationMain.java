package io.millrace.verification.simulation;

import java.util.Map;
import java.util.TreeMap;

/**
 * The command that runs seeds one after the other: {@code SimulationMain FIRST COUNT [FIRST
 * COUNT...]}. Prints its findings; exits with 1 at the first seed that breaks a promise, after
 * printing how to repeat it, and with 2 if the simulator itself fails. The property {@code
 * millrace.simulation.broken} is the number of broken seeds at which it exits, {@code
 * millrace.simulation.trace} prints all events, {@code millrace.simulation.step} is the distance
 * between seeds (default 1).
 */
public final class SimulationMain {

  private static final boolean TRACE = Boolean.getBoolean("millrace.simulation.trace");
  private static final int MAX_BROKEN = Integer.getInteger("millrace.simulation.broken", 1);

  private static final int STEP = Integer.getInteger("millrace.simulation.step", 1);

  private static final int FOUND = 1;
  private static final int FAILED = 2;

  private final long first;
  private final long count;
  private final int mostBroken;
  private final Map<String, Integer> counts = new TreeMap<>();
  private int broken;
  private long events;
  private long fingerprint;

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
      Thread.ofVirtual().start(part::run).join();
      left -= part.broken;
    }
    if (left < MAX_BROKEN) {
      System.exit(FOUND);
    }
  }

  private void run() {
    for (long seed = first; seed < first + count * STEP; seed += STEP) {
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
