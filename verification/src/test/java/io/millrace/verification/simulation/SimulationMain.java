package io.millrace.verification.simulation;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * Runs seeds one after the other: {@code Simulate FIRST[,FIRST...] COUNT [SECONDS]}. Says on
 * standard output what it found; ends with 1 at the first seed that breaks a promise, after showing
 * how to repeat it, and with 2 when the simulator itself fails. The property {@code
 * millrace.simulation.trace} has all told that happens.
 */
public final class SimulationMain {

  private static final boolean TRACE = Boolean.getBoolean("millrace.simulation.trace");

  private static final int BROKEN = 2;

  private final long first;
  private final long count;
  private final long end;
  private final Map<String, Integer> counts = new TreeMap<>();
  private long events;
  private long fingerprint;

  private SimulationMain(String first, String[] args) {
    this.first = Long.parseLong(first);
    this.count = Long.parseLong(args[1]);
    long seconds = args.length > 2 ? Long.parseLong(args[2]) : TimeUnit.DAYS.toSeconds(365);
    this.end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
  }

  public static void main(String[] args) throws InterruptedException {
    // On a virtual thread, since control passes faster between threads of one kind.
    for (String first : args[0].split(",", -1)) {
      Thread.ofVirtual().start(new SimulationMain(first, args)::run).join();
    }
  }

  private void run() {
    long seed = first;
    for (; seed < first + count && System.nanoTime() - end < 0; seed++) {
      SimWorld.Result result = world(seed);
      result.counts().forEach((what, times) -> counts.merge(what, times, Integer::sum));
      events += result.events();
      fingerprint = fingerprint * 31 + result.fingerprint();
      if (!result.violations().isEmpty()) {
        report(seed, result);
        System.exit(1);
      }
    }
    System.out.printf(
        "%d seeds from %d keep every promise, %d events, fingerprint %016x: %s%n",
        seed - first, first, events, fingerprint, counts);
  }

  /** A simulator that breaks must not end like one that has found nothing. */
  private static SimWorld.Result world(long seed) {
    try {
      return SimWorld.run(seed, TRACE ? System.out::println : null);
    } catch (Throwable fault) {
      System.out.println("The simulator itself fails with seed " + seed + ":");
      fault.printStackTrace(System.out);
      System.exit(BROKEN);
      throw fault;
    }
  }

  private static void report(long seed, SimWorld.Result result) {
    System.out.println("Seed " + seed + " breaks a promise:");
    result.violations().stream().limit(10).forEach(v -> System.out.println("  " + v));
    System.out.println("To see it happen: script/simulate --seeds 1 --from " + seed + " --trace");
  }
}
