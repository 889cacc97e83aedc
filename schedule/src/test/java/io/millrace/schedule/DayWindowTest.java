package io.millrace.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class DayWindowTest {

  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration FIVE = Duration.ofMinutes(5);
  private static final DayWindow MORNING = DayWindow.of("08:00", "09:00", FIVE);
  private static final ZoneId JOHANNESBURG = ZoneId.of("Africa/Johannesburg");

  /** Returns the local times of the ticks of a window that starts on a day. */
  private static List<String> ticks(DayWindow window, String zone, String date) {
    return slots(Schedule.within(window).zone(ZoneId.of(zone)), date).stream()
        .map(at -> at.atZone(ZoneId.of(zone)).toLocalTime().toString())
        .toList();
  }

  /** Returns the slots of a local day. */
  private static List<Instant> slots(Schedule schedule, String date) {
    LocalDate day = LocalDate.parse(date);
    Instant from = day.atStartOfDay(schedule.zone()).toInstant();
    Instant to = day.plusDays(1).atStartOfDay(schedule.zone()).toInstant();
    return schedule.between(from, to, 3_000).slots().stream().map(Slot::at).toList();
  }

  @Test
  void ticksAtTheStartAndThenToTheEndInclusive() {
    assertThat(ticks(MORNING, "Africa/Johannesburg", "2026-03-02"))
        .hasSize(13)
        .startsWith("08:00", "08:05")
        .endsWith("08:55", "09:00");
    assertThat(ticks(DayWindow.of("08:00", "09:00", Duration.ofMinutes(25)), "UTC", "2026-03-02"))
        .containsExactly("08:00", "08:25", "08:50");
    assertThat(ticks(DayWindow.of("08:00", "09:00", Duration.ofHours(2)), "UTC", "2026-03-02"))
        .containsExactly("08:00");
  }

  @Test
  void onlyOnTheGivenDays() {
    DayWindow weekend = MORNING.on(DayOfWeek.SATURDAY, DayOfWeek.SUNDAY);
    assertThat(ticks(weekend, "UTC", "2026-03-06")).isEmpty();
    assertThat(ticks(weekend, "UTC", "2026-03-07")).hasSize(13);
  }

  @Test
  void overMidnightItBelongsToTheDateOfItsStart() {
    DayWindow night = DayWindow.of("23:30", "00:30", Duration.ofMinutes(30)).on(DayOfWeek.MONDAY);
    Schedule schedule = Schedule.within(night).zone(JOHANNESBURG);
    assertThat(slots(schedule, "2026-03-02"))
        .containsExactly(Instant.parse("2026-03-02T21:30:00Z"));
    assertThat(slots(schedule, "2026-03-03"))
        .containsExactly(
            Instant.parse("2026-03-02T22:00:00Z"), Instant.parse("2026-03-02T22:30:00Z"));
    Schedule once = Schedule.within(night.oncePerWindow()).zone(JOHANNESBURG);
    assertThat(once.key(Instant.parse("2026-03-02T21:30:00Z"))).isEqualTo("2026-03-02");
    assertThat(slots(once, "2026-03-03")).isEmpty();
  }

  /** There are 25 ticks on other days; their number is not a measure of a day. */
  @ParameterizedTest
  @CsvSource({
    "2026-03-07, EARLIER, 25", "2026-03-08, EARLIER, 13", "2026-03-08, SKIP, 13",
    "2026-11-01, EARLIER, 25", "2026-11-01, SKIP, 25", "2026-11-01, LATER, 25",
    "2026-11-01, BOTH, 37"
  })
  void newYorkFromOneToThree(String date, DstPolicy dst, int ticks) {
    DayWindow window = DayWindow.of("01:00", "03:00", FIVE).dst(dst);
    assertThat(ticks(window, "America/New_York", date)).hasSize(ticks);
  }

  @Test
  void aWindowWhollyInTheGapHasOneTickAfterIt() {
    DayWindow lost = DayWindow.of("02:00", "02:59", FIVE);
    assertThat(ticks(lost, "America/New_York", "2026-03-08")).containsExactly("03:00");
    assertThat(ticks(lost.dst(DstPolicy.SKIP), "America/New_York", "2026-03-08")).isEmpty();
    assertThat(ticks(lost.oncePerWindow(), "America/New_York", "2026-03-08"))
        .containsExactly("03:00");
  }

  @Test
  void halfAnHourIsLostOnLordHowe() {
    DayWindow window = DayWindow.of("01:50", "02:40", Duration.ofMinutes(10));
    assertThat(ticks(window, "Australia/Lord_Howe", "2026-10-04"))
        .containsExactly("01:50", "02:30", "02:40");
    assertThat(ticks(window.dst(DstPolicy.SKIP), "Australia/Lord_Howe", "2026-10-04"))
        .containsExactly("01:50", "02:30", "02:40");
    assertThat(
            ticks(
                DayWindow.of("02:05", "02:25", FIVE).dst(DstPolicy.SKIP),
                "Australia/Lord_Howe",
                "2026-10-04"))
        .isEmpty();
    assertThat(ticks(window, "Australia/Lord_Howe", "2026-04-05")).hasSize(6);
  }

  @ParameterizedTest
  @CsvSource({"Africa/Cairo, 2026-04-24, 2026-04-23", "America/Sao_Paulo, 2018-11-04, 2018-11-03"})
  void midnightThatDoesNotExist(String zone, String date, String eve) {
    DayWindow early = DayWindow.of("00:00", "01:30", Duration.ofMinutes(30));
    assertThat(ticks(early, zone, date)).containsExactly("01:00", "01:30");
    DayWindow night = DayWindow.of("23:30", "00:30", Duration.ofMinutes(15)).oncePerWindow();
    Schedule schedule = Schedule.within(night).zone(ZoneId.of(zone));
    assertThat(slots(schedule, eve)).hasSize(1);
    assertThat(schedule.key(slots(schedule, eve).getFirst())).isEqualTo(eve);
    assertThat(ticks(DayWindow.of("23:30", "00:30", Duration.ofMinutes(15)), zone, date))
        .startsWith("01:00");
  }

  @ParameterizedTest
  @EnumSource(DstPolicy.class)
  void onceADayIsOnceOnEachDayOfTenYears(DstPolicy dst) {
    for (String zone : List.of("America/New_York", "Australia/Lord_Howe", "Africa/Cairo")) {
      Schedule schedule =
          Schedule.within(DayWindow.of("00:00", "04:00", FIVE).oncePerWindow().dst(dst))
              .zone(ZoneId.of(zone));
      List<String> keys =
          schedule
              .between(
                  Instant.parse("2020-01-01T12:00:00Z"),
                  Instant.parse("2030-01-01T12:00:00Z"),
                  Schedule.MAX_LISTED)
              .slots()
              .stream()
              .map(slot -> schedule.key(slot.at()))
              .toList();
      assertThat(keys).hasSize(3_653).doesNotHaveDuplicates();
    }
  }

  @Test
  void oncePerWeekMonthAndHour() {
    Schedule weekly = Schedule.within(MORNING.oncePer(CalendarPeriod.ISO_WEEK)).zone(JOHANNESBURG);
    Slot monday = weekly.slotsAfter(Instant.parse("2026-03-04T12:00:00Z"), 1).slots().getFirst();
    assertThat(monday.at()).isEqualTo(Instant.parse("2026-03-09T06:00:00Z"));
    assertThat(weekly.key(monday.at())).isEqualTo("2026-W11");
    assertThat(monday.window())
        .isEqualTo(
            new DataWindow(
                Instant.parse("2026-03-01T22:00:00Z"), Instant.parse("2026-03-08T22:00:00Z")));
    Schedule monthly =
        Schedule.within(MORNING.on(DayOfWeek.FRIDAY).oncePer(CalendarPeriod.LOCAL_MONTH));
    assertThat(monthly.next(Instant.parse("2026-04-30T12:00:00Z")))
        .isEqualTo(Instant.parse("2026-05-01T08:00:00Z"));
    assertThat(monthly.next(Instant.parse("2026-05-01T08:00:00Z")))
        .isEqualTo(Instant.parse("2026-06-05T08:00:00Z"));
    DayWindow hours = DayWindow.of("08:50", "10:10", Duration.ofMinutes(10));
    assertThat(ticks(hours.oncePer(CalendarPeriod.LOCAL_HOUR), "UTC", "2026-03-02"))
        .containsExactly("08:50", "09:00", "10:00");
  }

  @Test
  void aTickCountsUntilTheNextAndAPeriodUntilItsLast() {
    Schedule each = Schedule.within(MORNING);
    Instant eight = Instant.parse("2026-03-02T08:00:00Z");
    assertThat(each.lateAfter(eight)).isEqualTo(eight.plus(FIVE));
    assertThat(Schedule.within(MORNING.oncePerWindow()).lateAfter(eight))
        .isEqualTo(Instant.parse("2026-03-02T09:00:00Z"));
    assertThat(Schedule.within(MORNING.oncePer(CalendarPeriod.ISO_WEEK)).lateAfter(eight))
        .isEqualTo(Instant.parse("2026-03-08T09:00:00Z"));
    assertThat(Schedule.within(MORNING.oncePer(CalendarPeriod.LOCAL_HOUR)).lateAfter(eight))
        .isEqualTo(Instant.parse("2026-03-02T09:00:00Z"));
  }

  @Test
  void aLaterTickTakesOverWhereTheFirstWasMissed() {
    Schedule once = Schedule.within(MORNING.oncePerWindow()).misfire(MisfirePolicy.NONE);
    Instant eight = Instant.parse("2026-03-02T08:00:00Z");
    Instant within = eight.plus(Duration.ofMinutes(41));
    assertThat(SlotPlanner.plan(once, eight, within, false, Duration.ZERO).fire())
        .hasValueSatisfying(fire -> assertThat(fire.slot().at()).isEqualTo(eight));
    Instant after = eight.plus(Duration.ofMinutes(66));
    assertThat(SlotPlanner.plan(once, eight, after, false, Duration.ZERO).decisions())
        .singleElement()
        .isInstanceOf(SlotDecision.Missed.class);
    assertThat(once.first(within)).isEqualTo(eight);
    assertThat(once.first(after)).isEqualTo(eight.plus(Duration.ofDays(1)));
  }

  /** Decisions about the tick of a window from 02:00 on when misfires are skipped. */
  @ParameterizedTest
  @CsvSource({
    // the last tick is at the end, and has the grace
    "03:00, PT5M,  02:55, 02:59:59, FIRES",
    "03:00, PT5M,  02:55, 03:00:01, LATE",
    "03:00, PT5M,  03:00, 03:01:00, FIRES",
    "03:00, PT5M,  03:00, 03:01:01, LATE",
    "03:00, PT5M,  03:00, 03:05:30, LATE",
    // the last tick is before the end
    "03:00, PT25M, 02:50, 03:00:00, FIRES",
    "03:00, PT25M, 02:50, 03:00:01, LATE",
    "02:30, PT24H, 02:00, 02:30:00, FIRES",
    "02:30, PT24H, 02:00, 02:30:01, LATE"
  })
  void nothingFiresAfterTheEnd(
      String end, Duration every, String tick, String time, String expected) {
    DayWindow night = DayWindow.of("02:00", end, every);
    Instant at = Instant.parse("2026-03-02T" + tick + ":00Z");
    Instant now = Instant.parse("2026-03-02T" + time + "Z");
    Schedule each = Schedule.within(night).misfire(MisfirePolicy.NONE).until(at);
    assertThat(SlotPlanner.plan(each, at, now, false, MINUTE).fire().isPresent())
        .isEqualTo(expected.equals("FIRES"));
  }

  @ParameterizedTest
  @CsvSource({"PT5M, 03:01:00, 03:01:01", "PT25M, 03:00:00, 03:00:01", "PT1H, 03:01:00, 03:01:01"})
  void whatIsDueOnceADayIsMissedAtTheEnd(Duration every, String last, String late) {
    Schedule once =
        Schedule.within(DayWindow.of("02:00", "03:00", every).oncePerWindow())
            .misfire(MisfirePolicy.NONE);
    Instant first = Instant.parse("2026-03-02T02:00:00Z");
    Instant then = Instant.parse("2026-03-02T" + last + "Z");
    assertThat(SlotPlanner.plan(once, first, then, false, MINUTE).fire()).isPresent();
    then = Instant.parse("2026-03-02T" + late + "Z");
    assertThat(SlotPlanner.plan(once, first, then, false, MINUTE).fire()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "Europe/Berlin, 2026-03-28T22:00:00Z, EARLIER, 2026-03-29T01:00:00Z", // lost whole
    "Europe/Berlin, 2026-10-24T22:00:00Z, EARLIER, 2026-10-25T00:45:00Z",
    "Europe/Berlin, 2026-10-24T22:00:00Z, LATER, 2026-10-25T01:45:00Z",
    "Europe/Berlin, 2026-10-24T22:00:00Z, BOTH, 2026-10-25T01:45:00Z"
  })
  void theEndIsOnTheClockOfTheZone(String zone, Instant from, DstPolicy dst, Instant end) {
    Schedule once =
        Schedule.within(
                DayWindow.of("02:00", "02:45", Duration.ofMinutes(10)).oncePerWindow().dst(dst))
            .zone(ZoneId.of(zone));
    Schedule each =
        Schedule.within(DayWindow.of("02:00", "02:45", Duration.ofMinutes(10)).dst(dst))
            .zone(ZoneId.of(zone));
    Instant first = once.next(from);
    Instant last = each.previous(end.plus(Duration.ofHours(5)));
    Instant earlier = dst == DstPolicy.BOTH ? end.minus(Duration.ofHours(1)) : end;
    assertThat(each.lateAfter(last)).isEqualTo(end);
    assertThat(each.lateAfter(each.previousOrSame(earlier)))
        .as("between the two")
        .isEqualTo(earlier);
    assertThat(once.lateAfter(first)).isEqualTo(earlier);
  }

  @Test
  void keysNameTheLocalTickOrThePeriod() {
    Schedule newYork =
        Schedule.within(DayWindow.of("01:00", "03:00", FIVE).dst(DstPolicy.BOTH))
            .zone(ZoneId.of("America/New_York"));
    assertThat(newYork.key(Instant.parse("2026-11-01T05:30:00Z")))
        .isEqualTo("2026-11-01T01:30-04:00");
    assertThat(newYork.key(Instant.parse("2026-11-01T06:30:00Z")))
        .isEqualTo("2026-11-01T01:30-05:00");
    assertThat(newYork.key(Instant.parse("2026-10-31T05:30:00Z"))).isEqualTo("2026-10-31T01:30");
    assertThat(Schedule.every(FIVE).key(Instant.EPOCH)).isEqualTo("1970-01-01T00:00:00Z");
  }

  @Test
  void inWords() {
    assertThat(Schedule.within(MORNING).zone(JOHANNESBURG).describe())
        .isEqualTo("every 5 minutes from 08:00 to 09:00, every day, Africa/Johannesburg");
    assertThat(
            Schedule.within(MORNING.on(DayOfWeek.FRIDAY).oncePer(CalendarPeriod.LOCAL_MONTH))
                .describe())
        .isEqualTo(
            "once a month, every 5 minutes from 08:00 to 09:00 until it has run, on Friday, UTC");
  }

  @Test
  void asThePageTells() {
    // docs:window
    DayWindow morning = DayWindow.of("08:00", "09:00", Duration.ofMinutes(5)).oncePerWindow();
    Schedule once = Schedule.within(morning).zone(ZoneId.of("America/New_York"));
    // docs:end
    assertThat(once.next(Instant.parse("2026-03-08T00:00:00Z")))
        .isEqualTo(Instant.parse("2026-03-08T12:00:00Z"));
  }

  @Test
  void asText() {
    Map<String, Object> text =
        Map.of(
            "window",
            "23:30-00:30",
            "every",
            "PT5M",
            "once",
            "ISO_WEEK",
            "dst",
            "SKIP",
            "days",
            List.of("MONDAY", "FRIDAY"));
    Schedule schedule = ScheduleMapper.read(text);
    assertThat(schedule.recurrence())
        .isEqualTo(
            DayWindow.of(LocalTime.of(23, 30), LocalTime.of(0, 30), FIVE)
                .on(DayOfWeek.FRIDAY, DayOfWeek.MONDAY)
                .oncePer(CalendarPeriod.ISO_WEEK)
                .dst(DstPolicy.SKIP));
    assertThat(ScheduleMapper.write(schedule)).isEqualTo(text);
  }

  @Test
  void whatCannotBeIsRefused() {
    refused(() -> DayWindow.of("08:00", "08:00", FIVE), "an end that differs from its start");
    refused(
        () -> DayWindow.of("8 Uhr", "09:00", FIVE),
        "The start of a window is '8 Uhr'; expected 08:00.");
    refused(() -> DayWindow.of("08:00", "24:30", FIVE), "The end of a window is '24:30'");
    refused(
        () -> DayWindow.of("08:00", "09:00", Duration.ZERO),
        "a tick every PT0S; expected whole minutes, PT1M to PT24H");
    refused(() -> DayWindow.of("08:00", "09:00", Duration.ofMinutes(-5)), "PT-5M");
    refused(() -> DayWindow.of("08:00:30", "09:00", FIVE), "expected whole minutes");
    refused(MORNING::on, "no days of the week");
    refused(
        () -> ScheduleMapper.read(Map.of("window", "08:00", "every", "PT5M")),
        "'window' is '08:00'; expected 08:00-09:00.");
    refused(
        () -> ScheduleMapper.read(Map.of("window", "08:00-09:00", "cron", "0 0 8 * * ?")),
        "'window', which goes with 'every'");
    refused(
        () -> ScheduleMapper.read(Map.of("every", "PT5M", "once", "LOCAL_DATE")),
        "'once', which goes with 'window'");
    refused(
        () ->
            ScheduleMapper.read(Map.of("window", "08:00-09:00", "every", "PT5M", "days", "MONDAY")),
        "a list of days such as MONDAY");
    refused(
        () ->
            ScheduleMapper.read(
                Map.of("window", "08:00-09:00", "every", "PT5M", "days", List.of("Mo"))),
        "Day 'Mo' is unknown");
  }

  private static void refused(Runnable making, String why) {
    assertThatThrownBy(making::run)
        .isInstanceOf(InvalidScheduleException.class)
        .hasMessageContaining(why);
  }
}
