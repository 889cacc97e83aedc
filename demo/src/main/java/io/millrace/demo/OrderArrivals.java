package io.millrace.demo;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * The times at which orders arrive: most between breakfast and bedtime, some days busier than
 * others. When the period ends it is mid-afternoon in the shop, in whatever time zone.
 */
final class OrderArrivals {

  /** Hour of the shop's day at which every period ends. */
  static final int HOUR_AT_END = 15;

  private static final double PER_DAY = 100;

  /** Share of a day's orders in each of its hours, in hundredths. */
  private static final double[] HOURS = {
    1.0, 0.5, 0.3, 0.2, 0.3, 0.8, 2.0, 4.0, 5.5, 6.5, 7.0, 7.2, //
    6.8, 6.2, 6.0, 6.0, 6.2, 6.6, 7.0, 7.4, 6.0, 3.8, 2.5, 1.2
  };

  private OrderArrivals() {}

  /**
   * Returns the times of all orders of a period, in ascending order; the same for the same seed.
   */
  static List<Instant> orders(Instant end, int days, long seed) {
    Random random = new Random(seed);
    Instant begin = end.minus(Duration.ofDays(days));
    List<Instant> times = new ArrayList<>();
    double mood = 1;
    for (int hour = 0; hour < days * 24; hour++) {
      int hourOfDay = (HOUR_AT_END + hour) % 24;
      if (hourOfDay == 0) {
        mood = 0.75 + 0.5 * random.nextDouble();
      }
      Instant from = begin.plus(Duration.ofHours(hour));
      int count = (int) (HOURS[hourOfDay] / 100 * PER_DAY * mood + random.nextDouble());
      random
          .longs(count, 0, Duration.ofHours(1).toMillis())
          .sorted()
          .forEach(millis -> times.add(from.plusMillis(millis)));
    }
    return times;
  }
}
