package io.millrace.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Days on which clocks are changed, in zones with each kind of change. */
class ClockChangesTest {

  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
  private static final ZoneId NEW_YORK = ZoneId.of("America/New_York");
  private static final ZoneId LORD_HOWE = ZoneId.of("Australia/Lord_Howe");
  private static final ZoneId APIA = ZoneId.of("Pacific/Apia");

  private static Instant at(String text) {
    return Instant.parse(text);
  }

  /** Returns the times of a UTC day, to the second if it is not zero. */
  private static String on(Schedule schedule, String day) {
    Instant from = at(day + "T00:00:00Z");
    return String.join(
        " ",
        schedule.between(from, from.plus(Duration.ofDays(1)), 2_000).slots().stream()
            .map(slot -> slot.at().toString().substring(11).replaceAll("(:00)?Z", ""))
            .toList());
  }

  @ParameterizedTest
  @CsvSource({
    "SKIP, '', 00:30",
    "EARLIER, 01:00, 00:30",
    "LATER, 01:00, 01:30",
    "BOTH, 01:00, 00:30 01:30"
  })
  void aDailyCronInTheHourThatBerlinLosesAndRepeats(DstPolicy policy, String lost, String twice) {
    Schedule cron = Schedule.cron("0 30 2 * * ?", policy).zone(BERLIN);
    assertThat(on(cron, "2026-03-28")).isEqualTo("01:30");
    assertThat(on(cron, "2026-03-29")).isEqualTo(lost);
    assertThat(on(cron, "2026-03-30")).isEqualTo("00:30");
    assertThat(on(cron, "2026-10-24")).isEqualTo("00:30");
    assertThat(on(cron, "2026-10-25")).isEqualTo(twice);
    assertThat(on(cron, "2026-10-26")).isEqualTo("01:30");
  }

  @ParameterizedTest
  @CsvSource({
    "SKIP, '', 05:15",
    "EARLIER, 07:00, 05:15",
    "LATER, 07:00, 06:15",
    "BOTH, 07:00, 05:15 06:15"
  })
  void theSameInNewYork(DstPolicy policy, String lost, String twice) {
    assertThat(on(Schedule.cron("0 15 2 * * ?", policy).zone(NEW_YORK), "2026-03-08"))
        .isEqualTo(lost);
    assertThat(on(Schedule.cron("0 15 1 * * ?", policy).zone(NEW_YORK), "2026-11-01"))
        .isEqualTo(twice);
  }

  @ParameterizedTest
  @CsvSource({
    "SKIP, '', 14:45",
    "EARLIER, 15:30, 14:45",
    "LATER, 15:30, 15:15",
    "BOTH, 15:30, 14:45 15:15"
  })
  void halfAnHourOnLordHowe(DstPolicy policy, String lost, String twice) {
    assertThat(on(Schedule.cron("0 15 2 * * ?", policy).zone(LORD_HOWE), "2026-10-03"))
        .isEqualTo(lost);
    assertThat(on(Schedule.cron("0 45 1 * * ?", policy).zone(LORD_HOWE), "2026-04-04"))
        .isEqualTo(twice);
  }

  @Test
  void allTimesWithinAGapComeToOneFire() {
    Schedule minutes = Schedule.cron("0 * 2 * * ?").zone(BERLIN);
    assertThat(on(minutes, "2026-03-29")).isEqualTo("01:00");
    assertThat(on(minutes, "2026-03-28")).startsWith("01:00 01:01").endsWith("01:59");
    Schedule withTheHourAfter = Schedule.cron("0 0/30 2,3 * * ?").zone(BERLIN);
    assertThat(on(withTheHourAfter, "2026-03-29")).isEqualTo("01:00 01:30");
  }

  @ParameterizedTest
  @EnumSource(DstPolicy.class)
  void whatFiresEveryHourFollowsTheClockOnTheWall(DstPolicy policy) {
    Schedule hourly = Schedule.cron("0 30 * * * ?", policy).zone(BERLIN);
    assertThat(hourly.between(at("2026-03-28T00:00:00Z"), at("2026-03-30T00:00:00Z"), 100).slots())
        .extracting(slot -> length(slot.window()))
        .hasSize(48)
        .containsOnly(Duration.ofHours(1));
    assertThat(hourly.between(at("2026-10-24T00:00:00Z"), at("2026-10-26T00:00:00Z"), 100).slots())
        .extracting(slot -> length(slot.window()))
        .hasSize(48)
        .containsOnly(Duration.ofHours(1));
    Schedule minutes = Schedule.cron("0 */1 * ? * *", policy).zone(LORD_HOWE);
    for (String day : List.of("2026-04-04", "2026-10-03")) {
      Instant from = at(day + "T00:00:00Z");
      assertThat(minutes.between(from, from.plus(Duration.ofDays(1)), 2_000).slots())
          .hasSize(24 * 60);
    }
  }

  private static Duration length(DataWindow window) {
    return Duration.between(window.from(), window.to());
  }

  @ParameterizedTest
  @EnumSource(DstPolicy.class)
  void eachFireIsFoundBackwardsToo(DstPolicy policy) {
    for (ZoneId zone : List.of(BERLIN, NEW_YORK, LORD_HOWE, APIA, ZoneId.of("Africa/Casablanca"))) {
      for (String text : List.of("0 30 2 * * ?", "0 0/20 0-3 * * ?", "0 0 * * * ?")) {
        Schedule cron = Schedule.cron(text, policy).zone(zone);
        Instant at = cron.next(at("2011-10-01T00:00:00Z"));
        while (at.isBefore(at("2012-05-01T00:00:00Z"))) {
          Instant next = cron.next(at);
          assertThat(next).isAfter(at);
          assertThat(cron.previous(next)).as("%s %s %s", text, policy, zone).isEqualTo(at);
          at = next;
        }
      }
    }
  }

  /** The zone, the day whose first hour is lost, and the instant at which it starts. */
  @ParameterizedTest
  @CsvSource({
    "America/Havana, 2026-03-08, 2026-03-08T05:00:00Z",
    "Asia/Beirut,    2026-03-29, 2026-03-28T22:00:00Z",
    "Africa/Cairo,   2026-04-24, 2026-04-23T22:00:00Z",
    "America/Sao_Paulo, 2018-11-04, 2018-11-04T03:00:00Z"
  })
  void aDayWithoutMidnightIsDueWhenItBegins(ZoneId zone, LocalDate day, Instant begin) {
    Schedule daily = Schedule.of(Frequency.DAILY).zone(zone);
    Instant before = daily.previous(begin);
    Instant after = daily.next(begin);
    assertThat(daily.nextOrSame(begin)).isEqualTo(begin);
    assertThat(before).isEqualTo(local(day.minusDays(1), zone));
    assertThat(after).isEqualTo(local(day.plusDays(1), zone));
    assertThat(daily.slot(begin).window()).isEqualTo(new DataWindow(before.minusSeconds(1), begin));
    assertThat(daily.slot(after).window()).isEqualTo(new DataWindow(begin, after.minusSeconds(1)));
    assertThat(length(daily.slot(after).window())).isEqualTo(Duration.ofHours(23));
    Schedule weekly = Schedule.of(Frequency.WEEKLY).weekStart(day.getDayOfWeek()).zone(zone);
    assertThat(weekly.nextOrSame(begin)).isEqualTo(begin);
    Schedule sprint = Schedule.of(Frequency.BI_WEEKLY_SPRINT, day.minusDays(14), null).zone(zone);
    assertThat(sprint.first(begin)).isEqualTo(begin);
    Schedule onetime = Schedule.of(Frequency.ONETIME, day.minusDays(3), day.minusDays(1));
    assertThat(onetime.zone(zone).first(begin)).isEqualTo(begin);
  }

  private static Instant local(LocalDate day, ZoneId zone) {
    return day.atTime(0, 0, 1).atZone(zone).toInstant();
  }

  /** Clocks go from 01:00 back to 00:00: the first midnight counts. */
  @Test
  void aDayWithTwoMidnightsIsDueOnce() {
    Schedule daily = Schedule.of(Frequency.DAILY).zone(ZoneId.of("America/Havana"));
    assertThat(on(daily, "2026-11-01")).isEqualTo("04:00:01");
    assertThat(on(daily, "2026-11-02")).isEqualTo("05:00:01");
    assertThat(daily.slot(at("2026-11-02T05:00:01Z")).window())
        .isEqualTo(new DataWindow(at("2026-11-01T04:00:00Z"), at("2026-11-02T05:00:00Z")));
  }

  /** In St. John's clocks went from 00:01 back to 23:01 of the day before. */
  @Test
  void aDayThatBeginsTwiceIsDueOnce() {
    Schedule daily = Schedule.of(Frequency.DAILY).zone(ZoneId.of("America/St_Johns"));
    assertThat(daily.slotsAfter(at("2010-11-06T00:00:00Z"), 3).slots())
        .extracting(Slot::at)
        .containsExactly(
            at("2010-11-06T02:30:01Z"), at("2010-11-07T02:30:01Z"), at("2010-11-08T03:30:01Z"));
  }

  /** Samoa went from 29 to 31 December 2011. */
  @Test
  void aDayThatDoesNotExistGivesWayToTheNext() {
    Schedule daily = Schedule.of(Frequency.DAILY).zone(APIA);
    Instant change = at("2011-12-30T10:00:00Z");
    assertThat(daily.slotsAfter(at("2011-12-28T12:00:00Z"), 3).slots())
        .extracting(Slot::at)
        .containsExactly(
            at("2011-12-29T10:00:01Z"), change.plusSeconds(1), at("2011-12-31T10:00:01Z"));
    assertThat(daily.slot(change.plusSeconds(1)).window())
        .isEqualTo(new DataWindow(at("2011-12-29T10:00:00Z"), change));
    Schedule weekly = Schedule.of(Frequency.WEEKLY).weekStart(DayOfWeek.FRIDAY).zone(APIA);
    assertThat(weekly.slotsAfter(at("2011-12-20T00:00:00Z"), 3).slots())
        .extracting(Slot::window)
        .containsExactly(
            new DataWindow(at("2011-12-16T10:00:00Z"), at("2011-12-23T10:00:00Z")),
            new DataWindow(at("2011-12-23T10:00:00Z"), change),
            new DataWindow(change, at("2012-01-05T10:00:00Z")));
    assertThat(
            Stream.of(DstPolicy.values())
                .map(p -> on(Schedule.cron("0 0 12 * * ?", p).zone(APIA), "2011-12-30")))
        .containsExactly("22:00", "10:00 22:00", "10:00 22:00", "10:00 22:00");
  }

  @Test
  void intervalsCountElapsedTime() {
    Schedule twelve = Schedule.every(Duration.ofHours(12)).zone(BERLIN);
    assertThat(on(twelve, "2026-03-29")).isEqualTo("00:00 12:00");
    assertThat(on(twelve, "2026-10-25")).isEqualTo("00:00 12:00");
  }

  @Test
  void countingInStridesIsCountingOneByOne() {
    Instant from = at("2026-01-01T00:00:00Z");
    Instant to = at("2027-01-01T00:00:00Z");
    for (DstPolicy policy : DstPolicy.values()) {
      for (String text : List.of("0 30 2 * * ?", "0 0/20 0-3 ? * SUN,THU", "0 7 * L * ?")) {
        Schedule cron = Schedule.cron(text, policy).zone(BERLIN);
        Instant first = cron.next(from);
        Instant last = cron.previous(to);
        assertThat(cron.count(first, last))
            .as("%s %s", text, policy)
            .isEqualTo(cron.between(first, to, 10_000).slots().size());
      }
    }
    Schedule seconds = Schedule.cron("* * * * * ?").zone(BERLIN);
    assertThat(seconds.count(from, to.minusSeconds(1))).isEqualTo(365 * 86_400);
  }
}
