package io.millrace.schedule;

import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;

/** Random schedules of all kinds; the same ones for the same seed. */
final class RandomSchedules {

  static final Instant CREATED = Instant.parse("2024-02-10T15:30:17.25Z");

  private static final List<String> ZONES =
      List.of(
          "UTC",
          "Europe/Berlin",
          "America/Havana",
          "Australia/Lord_Howe",
          "Africa/Casablanca",
          "Asia/Kathmandu",
          "Pacific/Kiritimati",
          "America/New_York");

  private final Random random;

  RandomSchedules(Random random) {
    this.random = random;
  }

  Schedule next() {
    Schedule schedule =
        recurrence()
            .zone(ZoneId.of(one(ZONES)))
            .weekStart(one(List.of(DayOfWeek.values())))
            .misfire(one(List.of(MisfirePolicy.values())))
            .overlap(one(List.of(OverlapPolicy.values())))
            .catchUpLimit(random.nextInt(1, 20));
    for (int i = random.nextInt(3); i > 0; i--) {
      schedule = schedule.excluding(calendar(i));
    }
    if (random.nextInt(5) == 0) {
      schedule = schedule.until(CREATED.plusSeconds(random.nextLong(100_000_000L)));
    }
    return random.nextInt(6) == 0 ? schedule.once() : schedule;
  }

  private Schedule recurrence() {
    return switch (random.nextInt(5)) {
      case 0, 1 -> byFrequency();
      case 3 -> Schedule.within(window());
      case 2 -> Schedule.cron(cron(), one(List.of(DstPolicy.values())));
      default ->
          Schedule.every(
              Duration.ofSeconds(random.nextLong(1, 1L << random.nextInt(1, 22))),
              CREATED.plusNanos(random.nextLong(-1L << 50, 1L << 50)));
    };
  }

  private DayWindow window() {
    LocalTime start = LocalTime.of(random.nextInt(24), random.nextInt(60));
    DayWindow window =
        DayWindow.of(
                start,
                start.plusMinutes(random.nextInt(1, 24 * 60)),
                Duration.ofMinutes(random.nextInt(1, 1 << random.nextInt(1, 11))))
            .dst(one(List.of(DstPolicy.values())));
    if (random.nextBoolean()) {
      window = window.on(one(List.of(DayOfWeek.values())), one(List.of(DayOfWeek.values())));
    }
    return random.nextInt(3) == 0 ? window : window.oncePer(one(List.of(CalendarPeriod.values())));
  }

  private Schedule byFrequency() {
    Frequency frequency = one(List.of(Frequency.values()));
    LocalDate start = LocalDate.of(2024, 1, 1).plusDays(random.nextInt(-400, 400));
    LocalDate end = start.plusDays(random.nextInt(1_500));
    boolean onetime = frequency == Frequency.ONETIME;
    return Schedule.of(
        frequency,
        onetime || frequency.isSprint() || random.nextInt(4) == 0 ? start : null,
        onetime || random.nextInt(8) == 0 ? end : null);
  }

  /** Returns a cron that fires repeatedly. */
  String cron() {
    String days =
        one(
            List.of(
                "* * ?",
                "? * MON-FRI",
                "? * 1#2,6L",
                "L * ?",
                "LW 1/2 ?",
                "1,15W * ?",
                "*/9 * ?",
                "? 2-11 SAT,SUN"));
    return field(60) + " " + field(60) + " " + field(24) + " " + days;
  }

  private String field(int size) {
    TreeSet<Integer> values = new TreeSet<>();
    for (int i = 0; i < 4; i++) {
      values.add(random.nextInt(size));
    }
    return switch (random.nextInt(5)) {
      case 0 -> "*";
      case 1 -> "*/" + random.nextInt(1, size);
      case 2 -> values.first() + "-" + values.last();
      case 3 -> String.join(",", values.stream().map(String::valueOf).toList());
      default -> String.valueOf(values.first());
    };
  }

  private ExclusionCalendar calendar(int number) {
    Instant from = CREATED.plusSeconds(random.nextLong(50_000_000L));
    return new ExclusionCalendar(
        "calendar " + number,
        List.of(
            ExclusionCalendar.Holiday.yearly(
                LocalDate.of(2024, 1, 1).plusDays(random.nextInt(366)), "yearly"),
            ExclusionCalendar.Holiday.on(
                LocalDate.of(2024, 1, 1).plusDays(random.nextInt(900)), "once")),
        List.of(
            new ExclusionCalendar.Blackout(
                "closed", from, from.plusSeconds(random.nextLong(1, 1_000_000)))));
  }

  private <T> T one(List<T> all) {
    return all.get(random.nextInt(all.size()));
  }
}
