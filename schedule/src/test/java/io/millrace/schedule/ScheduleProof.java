package io.millrace.schedule;

import java.time.ZoneId;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** The complete comparison with the reference: every zone, twenty years. */
public final class ScheduleProof {

  private static final int REPORT_EVERY = 50;

  private ScheduleProof() {}

  /**
   * Compares, and exits with status 1 at the first difference.
   *
   * @param arguments first year, number of years, seed
   */
  public static void main(String[] arguments) throws InterruptedException {
    int year = Integer.parseInt(arguments[0]);
    int years = Integer.parseInt(arguments[1]);
    long seed = Long.parseLong(arguments[2]);
    List<String> zones = ZoneId.getAvailableZoneIds().stream().sorted().toList();
    long begin = System.nanoTime();
    WallClockComparison wallClockComparison = new WallClockComparison(year, years);
    AtomicInteger done = new AtomicInteger();
    AtomicReference<Throwable> failure = new AtomicReference<>();
    try (ExecutorService pool =
        Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors())) {
      for (String zone : zones) {
        pool.execute(() -> {
          try {
            if (failure.get() == null) {
              wallClockComparison.check(ZoneId.of(zone), new Random(seed + zone.hashCode()));
              int now = done.incrementAndGet();
              if (now % REPORT_EVERY == 0) {
                System.out.printf("%,d of %,d zones%n", now, zones.size());
              }
            }
          } catch (RuntimeException | AssertionError e) {
            failure.compareAndSet(null, e);
          }
        });
      }
    }
    Throwable first = failure.get();
    if (first != null) {
      System.out.println("DIFFERENT " + first + ", seed " + seed);
      System.exit(1);
    }
    System.out.printf(
        "SAME %,d slots in %,d zones, %d to %d, seed %d, in %,d s%n",
        wallClockComparison.compared(),
        done.get(),
        year,
        year + years - 1,
        seed,
        TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begin));
  }
}
