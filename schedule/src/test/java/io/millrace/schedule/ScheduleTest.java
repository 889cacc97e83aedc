package io.millrace.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScheduleTest {

  private static final LocalDate START = LocalDate.of(2020, 9, 25);
  private static final Instant CREATED = Instant.parse("2020-09-25T10:15:00Z");

  private static Instant at(String text) {
    return Instant.parse(text);
  }

  @Test
  void onetimeIsDueWhenItsLastDayHasEndedAndNeverAgain() {
    Schedule once = Schedule.of(Frequency.ONETIME, START, START.plusDays(5));
    Instant due = at("2020-10-01T00:00:01Z");
    assertThat(once.first(CREATED)).isEqualTo(due);
    assertThat(once.first(at("2026-01-01T00:00:00Z"))).isEqualTo(due);
    assertThat(once.next(CREATED)).isEqualTo(due);
    assertThat(once.next(due)).isNull();
    assertThat(once.previous(due)).isNull();
    assertThat(once.previousOrSame(due)).isEqualTo(due);
    assertThat(once.slot(due).window())
        .isEqualTo(new DataWindow(at("2020-09-25T00:00:00Z"), at("2020-10-01T00:00:00Z")));
  }

  @Test
  void onetimeOfASingleDay() {
    Schedule once = Schedule.of(Frequency.ONETIME, START, START);
    assertThat(once.slot(once.first(CREATED)).window())
        .isEqualTo(new DataWindow(at("2020-09-25T00:00:00Z"), at("2020-09-26T00:00:00Z")));
  }

  @Test
  void datesThatAreNeededAreAskedFor() {
    assertRefused(() -> Schedule.of(Frequency.ONETIME), "ONETIME needs a start date");
    assertRefused(() -> Schedule.of(Frequency.ONETIME, START, null), "ONETIME needs an end date");
    assertRefused(() -> Schedule.of(Frequency.BI_WEEKLY_SPRINT), "BI_WEEKLY_SPRINT needs a start");
    assertRefused(
        () -> Schedule.of(Frequency.TRI_WEEKLY_SPRINT), "TRI_WEEKLY_SPRINT needs a start");
    for (Frequency frequency : Frequency.values()) {
      assertRefused(
          () -> Schedule.of(frequency, START, START.minusDays(1)),
          frequency + " ends on 2020-09-24, before its start date 2020-09-25");
      assertRefused(
          () -> Schedule.of(frequency, LocalDate.of(1066, 10, 14), null),
          "start date of a schedule " + frequency + " is 1066-10-14; expected 1900-01-01");
    }
  }

  @Test
  void aStartDateAheadPutsOffTheFirstRun() {
    LocalDate ahead = LocalDate.of(2020, 10, 15); // a Thursday
    assertThat(Schedule.of(Frequency.DAILY, ahead, null).first(CREATED))
        .isEqualTo(at("2020-10-16T00:00:01Z"));
    assertThat(Schedule.of(Frequency.WEEKLY, ahead, null).first(CREATED))
        .isEqualTo(at("2020-10-18T00:00:01Z"));
    assertThat(Schedule.of(Frequency.MONTHLY, ahead, null).first(CREATED))
        .isEqualTo(at("2020-11-01T00:00:01Z"));
    assertThat(Schedule.of(Frequency.YEARLY, ahead, null).first(CREATED))
        .isEqualTo(at("2021-01-01T00:00:01Z"));
    assertThat(Schedule.of(Frequency.MONTHLY, START, null).first(CREATED))
        .as("today is not ahead")
        .isEqualTo(at("2020-09-01T00:00:01Z"));
  }

  @Test
  void sprintsCountFromTheirStartHoweverLongAgo() {
    Schedule sprint = Schedule.of(Frequency.BI_WEEKLY_SPRINT, LocalDate.of(2020, 9, 1), null);
    assertThat(sprint.first(at("2026-01-01T00:00:00Z"))).isEqualTo(at("2020-09-15T00:00:01Z"));
    assertThat(sprint.previous(at("2020-09-15T00:00:01Z"))).isNull();
    assertThat(sprint.next(at("1999-01-01T00:00:00Z"))).isEqualTo(at("2020-09-15T00:00:01Z"));
    assertThat(sprint.next(at("2020-10-10T00:00:00Z"))).isEqualTo(at("2020-10-13T00:00:01Z"));
  }

  @Test
  void theEndDateIsTheLastDayThatIsReported() {
    Schedule daily = Schedule.of(Frequency.DAILY, null, START);
    assertThat(daily.next(CREATED)).isEqualTo(at("2020-09-26T00:00:01Z"));
    assertThat(daily.next(at("2020-09-26T00:00:01Z"))).isNull();
    assertThat(daily.previous(at("2021-01-01T00:00:00Z"))).isEqualTo(at("2020-09-26T00:00:01Z"));
    Schedule monthly = Schedule.of(Frequency.MONTHLY, null, LocalDate.of(2020, 10, 30));
    assertThat(monthly.next(CREATED)).isEqualTo(at("2020-10-01T00:00:01Z"));
    assertThat(monthly.next(at("2020-10-01T00:00:01Z"))).isNull();
  }

  @ParameterizedTest
  @CsvSource({
    "SUNDAY, 2020-09-27",
    "MONDAY, 2020-09-28",
    "FRIDAY, 2020-10-02",
    "SATURDAY, 2020-09-26"
  })
  void aWeekBeginsWhenOneSays(DayOfWeek day, LocalDate first) {
    Schedule weekly = Schedule.of(Frequency.WEEKLY).weekStart(day);
    assertThat(weekly.first(CREATED)).isEqualTo(at(first + "T00:00:01Z"));
    assertThat(weekly.slot(weekly.first(CREATED)).window())
        .isEqualTo(new DataWindow(at(first.minusDays(7) + "T00:00:00Z"), at(first + "T00:00:00Z")));
  }

  @Test
  void theZoneDecidesWhichDayItIs() {
    Schedule daily = Schedule.of(Frequency.DAILY).zone(ZoneId.of("Asia/Kolkata"));
    assertThat(daily.first(at("2020-09-25T20:00:00Z"))).isEqualTo(at("2020-09-26T18:30:01Z"));
    Schedule yearly = Schedule.of(Frequency.YEARLY).zone(ZoneId.of("Asia/Kolkata"));
    assertThat(yearly.first(at("2020-12-31T20:00:00Z"))).isEqualTo(at("2020-12-31T18:30:01Z"));
  }

  @Test
  void intervalsAreMultiplesFromTheirAnchor() {
    Schedule quarter = Schedule.every(Duration.ofMinutes(15));
    assertThat(quarter.first(CREATED)).isEqualTo(at("2020-09-25T10:30:00Z"));
    assertThat(quarter.previous(CREATED)).isEqualTo(at("2020-09-25T10:00:00Z"));
    assertThat(quarter.nextOrSame(CREATED)).isEqualTo(CREATED);
    assertThat(quarter.slot(CREATED).window())
        .isEqualTo(new DataWindow(at("2020-09-25T10:00:00Z"), CREATED));
    Schedule anchored = Schedule.every(Duration.ofHours(36), at("2020-10-01T06:00:00Z"));
    assertThat(anchored.slotsAfter(CREATED, 3).slots())
        .extracting(Slot::at)
        .containsExactly(
            at("2020-09-26T18:00:00Z"), at("2020-09-28T06:00:00Z"), at("2020-09-29T18:00:00Z"));
    assertThat(anchored.count(at("2020-09-26T18:00:00Z"), at("2020-09-29T18:00:00Z"))).isEqualTo(3);
  }

  @Test
  void intervalsThatMakeNoSenseAreRefused() {
    for (String bad : List.of("PT0S", "PT-1S", "PT0.5S", "PT1.5S", "P4000D")) {
      assertRefused(() -> Schedule.every(Duration.parse(bad)), "An interval is " + bad.charAt(0));
    }
  }

  @Test
  void nothingIsDueAfterTheEndOfRecurrence() {
    Schedule daily = Schedule.of(Frequency.DAILY).until(at("2020-09-28T00:00:01Z"));
    assertThat(daily.slotsAfter(CREATED, 10).slots()).hasSize(3);
    assertThat(daily.next(at("2020-09-28T00:00:01Z"))).isNull();
    assertThat(daily.previous(at("2030-01-01T00:00:00Z"))).isEqualTo(at("2020-09-28T00:00:01Z"));
  }

  @Test
  void aListSaysWhetherThereIsMore() {
    Schedule daily = Schedule.of(Frequency.DAILY);
    Instant to = at("2020-09-28T00:00:01Z");
    assertThat(daily.between(CREATED, to, 2).more()).isFalse();
    assertThat(daily.between(CREATED, to, 1).more()).isTrue();
    assertThat(daily.between(CREATED, to.plusNanos(1), 2).more()).isTrue();
    assertThat(daily.between(to, to, 1)).isEqualTo(new SlotPage(List.of(), false));
    assertRefused(() -> daily.between(to, CREATED, 1), "ends before it begins");
    assertRefused(() -> daily.slotsAfter(to, 0), "limit of slots is 0");
    assertRefused(() -> daily.slotsAfter(Instant.MAX, 1), "expected 1900-01-01");
  }

  @Test
  void calendarsExcludeAndSayWhy() {
    var holidays =
        new ExclusionCalendar(
            "Germany",
            List.of(
                ExclusionCalendar.Holiday.yearly(LocalDate.of(2000, 12, 25), "Christmas"),
                ExclusionCalendar.Holiday.on(LocalDate.of(2020, 9, 27), "fair")),
            List.of(
                new ExclusionCalendar.Blackout(
                    "freeze", at("2020-09-28T00:00:00Z"), at("2020-09-28T00:00:01Z")),
                new ExclusionCalendar.Blackout(
                    "move", at("2020-09-28T23:00:00Z"), at("2020-09-29T00:00:02Z"))));
    Schedule daily = Schedule.of(Frequency.DAILY).excluding(holidays);
    assertThat(daily.slotsAfter(CREATED, 5).slots())
        .extracting(Slot::exclusionReason)
        .containsExactly(
            null,
            "calendar 'Germany': fair, 2020-09-27",
            null,
            "calendar 'Germany': move, 2020-09-28T23:00:00Z to 2020-09-29T00:00:02Z",
            null);
    assertThat(daily.slot(at("2031-12-25T00:00:01Z")).exclusionReason())
        .contains("Christmas, 2031-12-25");
  }

  @Test
  void aHolidayIsADayOfTheSchedulesZone() {
    Schedule hourly =
        Schedule.every(Duration.ofHours(1))
            .zone(ZoneId.of("America/New_York"))
            .excluding(
                ExclusionCalendar.of(
                    "US",
                    ExclusionCalendar.Holiday.yearly(LocalDate.of(2020, 7, 4), "4th of July")));
    assertThat(hourly.between(at("2021-07-03T00:00:00Z"), at("2021-07-06T00:00:00Z"), 100).slots())
        .filteredOn(Slot::isExcluded)
        .hasSize(24)
        .first()
        .extracting(Slot::at)
        .isEqualTo(at("2021-07-04T04:00:00Z"));
  }

  @Test
  void namesAreReadInAnyCaseAndUnknownOnesListTheKnown() {
    assertThat(Frequency.of(" weekly ")).isEqualTo(Frequency.WEEKLY);
    assertThat(Frequency.of("bi-weekly-sprint")).isEqualTo(Frequency.BI_WEEKLY_SPRINT);
    assertRefused(
        () -> Frequency.of("HOURLY"),
        "Frequency 'HOURLY' is unknown; expected one of ONETIME, DAILY, WEEKLY, BI_WEEKLY_SPRINT,"
            + " TRI_WEEKLY_SPRINT, MONTHLY, QUARTERLY, YEARLY.");
    assertRefused(() -> MisfirePolicy.of(""), "expected one of LATEST, NONE, ALL");
    assertRefused(
        () -> OverlapPolicy.of("x".repeat(5_000)), "x...' is unknown; expected one of SKIP");
    assertRefused(() -> DstPolicy.of("never"), "expected one of SKIP, EARLIER, LATER, BOTH");
  }

  @Test
  void limitsAndNamesAreChecked() {
    Schedule daily = Schedule.of(Frequency.DAILY);
    assertRefused(() -> daily.catchUpLimit(0), "catch-up limit is 0; expected 1 to 1000");
    assertRefused(() -> daily.catchUpLimit(1_001), "catch-up limit is 1001");
    assertRefused(() -> ExclusionCalendar.of(" "), "A calendar has the name ' '");
    assertRefused(
        () -> new ExclusionCalendar.Blackout("freeze", CREATED, CREATED),
        "Blackout 'freeze' goes from 2020-09-25T10:15:00Z to 2020-09-25T10:15:00Z");
  }

  private static void assertRefused(Runnable work, String message) {
    assertThatThrownBy(work::run)
        .isInstanceOf(InvalidScheduleException.class)
        .hasMessageContaining(message);
  }
}
