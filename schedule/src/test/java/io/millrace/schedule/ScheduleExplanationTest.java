package io.millrace.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ScheduleExplanationTest {

  private static final Instant NOW = Instant.parse("2026-11-22T12:00:00Z");
  private static final LocalDate DAY = LocalDate.of(2026, 11, 1);

  private static ScheduleExplanation explain(Schedule schedule) {
    return ScheduleExplanation.of(schedule, NOW);
  }

  @Test
  void schedulesInWords() {
    assertThat(explain(Schedule.of(Frequency.DAILY)).words())
        .isEqualTo("every day at 00:00:01 UTC, for the day before");
    assertThat(explain(Schedule.of(Frequency.WEEKLY).zone(ZoneId.of("Europe/Berlin"))).words())
        .isEqualTo("every Sunday at 00:00:01 Europe/Berlin, for the week before");
    assertThat(explain(Schedule.of(Frequency.BI_WEEKLY_SPRINT, DAY, DAY.plusDays(60))).words())
        .isEqualTo(
            "every 14 days from 2026-11-01 at 00:00:01 UTC, for these 14 days, to 2026-12-31");
    assertThat(explain(Schedule.of(Frequency.ONETIME, DAY, DAY.plusDays(1))).words())
        .isEqualTo("once, on 2026-11-03 at 00:00:01 UTC, for 2026-11-01 to 2026-11-02");
    assertThat(explain(Schedule.of(Frequency.QUARTERLY).once()).words())
        .isEqualTo(
            "on the first day of every quarter at 00:00:01 UTC, for the quarter before, one run"
                + " only");
    assertThat(
            explain(
                    Schedule.every(Duration.ofMinutes(90))
                        .until(NOW)
                        .excluding(ExclusionCalendar.of("office")))
                .words())
        .isEqualTo(
            "every 1 hour 30 minutes, counted from 1970-01-01T00:00:00Z, until"
                + " 2026-11-22T12:00:00Z, except in calendar 'office'");
    for (Frequency frequency : Frequency.values()) {
      assertThat(explain(Schedule.of(frequency, DAY, DAY.plusDays(9))).words())
          .contains("00:00:01");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          0/30 0 0 ? * * *    | at 00:00:00 and 00:00:30 every day
          0/1 0 0 ? * * *     | every second of minute 0 of hour 0 every day
          0 */1 * ? * *       | every minute every day
          0 0/5 * * * ?       | every 5 minutes every day
          0 0 8 ? * MON-FRI   | at 08:00 on Monday to Friday
          0 0 0 ? * SAT,SUN   | at 00:00 on Sunday and Saturday
          0 15,45 9-17/2 ? * * | minutes 15 and 45 of hours 9, 11, 13, 15 and 17 every day
          0 30 * * * ?        | minute 30 every day
          * * * * * ?         | every second every day
          */10 * 8-17 * * ?   | every 10 seconds of every minute of hours 8 to 17 every day
          0 0 0 L * ?         | at 00:00 on the last day of the month
          0 0 0 L-3 * ?       | at 00:00 on 3 days before the last day of the month
          0 0 0 LW * ?        | at 00:00 on the last working day of the month
          0 0 0 1,15W * ?     | at 00:00 on day 1 of the month and the working day nearest to day 15
          0 0 12 ? 1,6-8 6#3  | at 12:00 on the third Friday of the month in January and June to August
          0 0 12 ? * 2L       | at 12:00 on the last Monday of the month
          0 0 12 1 1 ? 2027-2030 | at 12:00 on day 1 of the month in January in 2027 to 2030
          """)
  void cronsInWords(String cron, String words) {
    assertThat(explain(Schedule.cron(cron)).words())
        .isEqualTo("cron " + cron + ": " + words + ", UTC");
  }

  @Test
  void theNextFiveWithWhatCalendarsSay() {
    ScheduleExplanation daily =
        explain(
            Schedule.of(Frequency.DAILY)
                .excluding(
                    ExclusionCalendar.of(
                        "office",
                        ExclusionCalendar.Holiday.on(LocalDate.of(2026, 11, 24), "move"))));
    assertThat(daily.next()).hasSize(5).filteredOn(Slot::isExcluded).hasSize(1);
    assertThat(daily.warnings()).isEmpty();
    assertThat(explain(Schedule.of(Frequency.DAILY).once()).next()).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          0/30 0 0 ? * * *  | It fires 2 times within 30 seconds, and then not for 23 hours 59 minutes.
          0/1 0 0 ? * * *   | It fires 60 times within 59 seconds, and then not for 23 hours 59 minutes.
          0 * 3 * * ?       | It fires 60 times within 59 minutes, and then not for 23 hours 1 minute.
          0/10 0 * * * ?    | It fires 6 times within 50 seconds, and then not for 59 minutes 10 seconds.
          0 * 12 1 * ?      | It fires 60 times within 59 minutes, and then not for
          * * * * * ?       | It fires 86,400 times a day
          0/5 * * * * ?     | It fires 17,280 times a day
          0 0 0 30 2 ?      | It never fires.
          0 0 0 1 1 ? 2020  | It fires no more; the last was 2020-01-01T00:00:00Z.
          0 0 0 1 1 ? 2050  | It does not fire before 2050-01-01T00:00:00Z.
          0 0 0 31 * ?      | It leaves out months that are too short. The last day of any month is L.
          0 0 0 30 1/1 ?    | It leaves out months that are too short.
          """)
  void whatFiresOddlyIsWarnedOf(String cron, String warning) {
    assertThat(explain(Schedule.cron(cron)).warnings()).hasSize(1);
    assertThat(explain(Schedule.cron(cron)).warnings().getFirst()).startsWith(warning);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0 */1 * ? * *",
        "0/30 * * * * ?",
        "1 0 0 * * ?",
        "0 0 */4 ? * *",
        "0 */5 * ? * *",
        "0 0 8 ? * MON-FRI",
        "0 * 9-17 ? * MON-FRI",
        "0 0/5 3 * * ?",
        "0 0 0 L * ?",
        "0 0 0 1,31 * ?",
        "0 0 0 29 2 ?",
        "0 0 0 31 12 ?",
        "0 0,30 8-17 ? * MON-FRI"
      })
  void whatFiresAsMostDoIsNot(String cron) {
    assertThat(explain(Schedule.cron(cron)).warnings()).isEmpty();
  }

  @Test
  void otherSchedulesAreLookedAtToo() {
    assertThat(explain(Schedule.every(Duration.ofSeconds(2))).warnings())
        .containsExactly("It fires 43,200 times a day, and each fire is an execution.");
    assertThat(explain(Schedule.every(Duration.ofSeconds(10))).warnings()).isEmpty();
    assertThat(explain(Schedule.of(Frequency.DAILY).until(NOW)).warnings())
        .containsExactly("It fires no more; the last was 2026-11-22T00:00:01Z.");
    assertThat(
            explain(
                    Schedule.of(Frequency.DAILY)
                        .excluding(
                            new ExclusionCalendar(
                                "office",
                                List.of(),
                                List.of(
                                    new ExclusionCalendar.Blackout(
                                        "move", NOW, NOW.plus(Duration.ofDays(30)))))))
                .warnings())
        .containsExactly("Calendars exclude all of its next 5 fires.");
  }

  @ParameterizedTest
  @CsvSource({
    "SKIP, not then, the first time",
    "EARLIER, at 03:00, the first time",
    "LATER, at 03:00, the second time",
    "BOTH, at 03:00, both times"
  })
  void daysOnWhichClocksAreChangedAreNoted(DstPolicy policy, String lost, String twice) {
    Schedule cron = Schedule.cron("0 30 2 * * ?", policy).zone(ZoneId.of("Europe/Berlin"));
    assertThat(explain(cron).notes())
        .containsExactly(
            "2027-03-28T02:30 does not exist: it fires " + lost + " (DST policy " + policy + ").",
            "2027-10-31T02:30 exists twice: it fires " + twice + " (DST policy " + policy + ").");
    assertThat(explain(cron.zone(ZoneId.of("Asia/Tokyo"))).notes()).isEmpty();
    assertThat(explain(Schedule.cron("0 30 * * * ?").zone(ZoneId.of("Europe/Berlin"))).notes())
        .as("follows the clock on the wall")
        .isEmpty();
  }
}
