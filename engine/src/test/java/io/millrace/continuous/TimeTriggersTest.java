package io.millrace.continuous;

import static io.millrace.continuous.FakeTriggerContext.pause;
import static io.millrace.continuous.FakeTriggerContext.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.instance.InvalidRequestException;
import io.millrace.schedule.CalendarPeriod;
import io.millrace.schedule.DayWindow;
import io.millrace.schedule.ExclusionCalendar;
import io.millrace.schedule.InvalidScheduleException;
import io.millrace.schedule.MisfirePolicy;
import io.millrace.schedule.Schedule;
import io.millrace.store.ContinuousStore.OfferedEvent;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TimeTriggersTest {

  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration FIVE = Duration.ofMinutes(5);
  private static final ZoneId JOHANNESBURG = ZoneId.of("Africa/Johannesburg");

  private final FakeTriggerContext scope = new FakeTriggerContext("2026-03-02T05:00:00Z");

  @Test
  void theFullPauseAfterTheWork() throws Exception {
    try (Trigger.Source source = Triggers.fixedDelay(FIVE).open(scope)) {
      assertThat(scope.tick(source).misfired()).isFalse();
      scope.pass(Duration.ofHours(1)); // the work
      assertThat(pause(source)).isEqualTo(FIVE);
      scope.pass(MINUTE);
      assertThat(pause(source)).isEqualTo(Duration.ofMinutes(4));
      scope.pass(Duration.ofMinutes(4));
      assertThat(scope.tick(source).scheduledTimeUtc()).isEqualTo("2026-03-02T06:05:00Z");
      assertThat(scope.position).isEqualTo("2026-03-02T06:05:00Z");
    }
  }

  @Test
  void theWorksTimeIsPartOfAnExactInterval() throws Exception {
    try (Trigger.Source source = Triggers.fixedRate(FIVE).open(scope)) {
      scope.fire(source);
      scope.pass(MINUTE);
      assertThat(pause(source)).isEqualTo(Duration.ofMinutes(4));
      scope.pass(Duration.ofMinutes(4));
      scope.fire(source);
      scope.pass(Duration.ofMinutes(17)); // ticks at 10, 15 and 20 past are missed
      Tick late = scope.tick(source);
      assertThat(late.scheduledTimeUtc()).isEqualTo("2026-03-02T05:20:00Z");
      assertThat(late.misfired()).isTrue();
      assertThat(pause(source)).isEqualTo(Duration.ofMinutes(3));
    }
  }

  @Test
  void aHandOverKeepsTheRhythmAndMakesUpForOneTick() throws Exception {
    Trigger trigger = Triggers.fixedRate(FIVE);
    scope.fire(trigger.open(scope));
    scope.pass(Duration.ofMinutes(2));
    Trigger.Source second = trigger.open(scope);
    assertThat(pause(second)).isEqualTo(Duration.ofMinutes(3));
    scope.pass(Duration.ofMinutes(21));
    Trigger.Source third = trigger.open(scope);
    assertThat(scope.fire(third).id()).isEqualTo("2026-03-02T05:20:00Z");
    assertThat(pause(third)).isEqualTo(Duration.ofMinutes(2));
  }

  @Test
  void anEventThatIsNotAcceptedComesAgain() throws Exception {
    Trigger.Source source = Triggers.fixedRate(FIVE).open(scope);
    PollResult.Event lost = read(source);
    scope.pass(MINUTE);
    PollResult.Event again = read(source);
    assertThat(again.id()).isEqualTo(lost.id());
    assertThat(((Tick) again.payload()).attempt()).isEqualTo(2);
  }

  @Test
  void aCorrectedClockNeitherHurriesNorHoldsUp() throws Exception {
    Trigger.Source source = Triggers.fixedDelay(FIVE).open(scope);
    scope.fire(source);
    assertThat(pause(source)).isEqualTo(FIVE);
    scope.correct(Duration.ofHours(-3));
    assertThat(pause(source)).isEqualTo(FIVE);
    scope.correct(Duration.ofHours(9));
    assertThat(pause(source)).isEqualTo(FIVE);
    scope.correct(Duration.ofDays(-30)); // and a restart: the position is in the future
    assertThat(pause(Triggers.fixedDelay(FIVE).open(scope))).isEqualTo(FIVE);
  }

  @Test
  void whatAnotherTriggerHasLeftIsNoReasonToFail() throws Exception {
    scope.position = "f1|17";
    assertThat(scope.tick(Triggers.fixedDelay(FIVE).open(scope)).attempt()).isEqualTo(1);
  }

  @Test
  void anIntervalThatWouldBurnIsRefused() {
    refused(
        () -> Triggers.fixedDelay(Duration.ZERO),
        "The interval of a trigger is PT0S; expected PT0.1S");
    refused(() -> Triggers.fixedRate(Duration.ofMinutes(-1)), "PT-1M");
    refused(() -> Triggers.fixedDelay(Duration.ofDays(4_000)), "PT96000H");
  }

  @Test
  void aDailyWindowTicksInsideOnly() throws Exception {
    Trigger.Source source =
        Triggers.daily(DayWindow.of("08:00", "08:10", FIVE), JOHANNESBURG).open(scope);
    assertThat(pause(source)).isEqualTo(MINUTE);
    scope.passUntil("2026-03-02T06:00:00.020Z");
    assertThat(scope.tick(source))
        .isEqualTo(
            new Tick(
                Instant.parse("2026-03-02T06:00:00Z"),
                LocalDateTime.parse("2026-03-02T08:00"),
                "mine",
                "2026-03-02T08:00",
                "2026-03-02T08:00",
                1,
                false));
    scope.passUntil("2026-03-02T06:08:00Z");
    Tick late = scope.tick(source);
    assertThat(late.fireId()).isEqualTo("2026-03-02T08:05");
    assertThat(late.misfired()).isTrue();
    scope.passUntil("2026-03-02T06:12:00Z"); // 08:10 is lost
    assertThat(pause(source)).isEqualTo(MINUTE);
    scope.passUntil("2026-03-03T06:10:59Z");
    assertThat(scope.tick(source).fireId()).as("at the end").isEqualTo("2026-03-03T08:10");
  }

  @Test
  void nothingFiresAfterADayWindowAndOneWithoutATickIsMissed() throws Exception {
    Trigger trigger = Triggers.daily(DayWindow.of("02:00", "03:00", FIVE), JOHANNESBURG);
    Trigger.Source source = trigger.open(scope);
    scope.passUntil("2026-03-04T00:00:00Z");
    PollResult.MissedPeriods first = (PollResult.MissedPeriods) source.poll();
    assertThat(first.periods())
        .extracting(PollResult.PassedPeriod::period)
        .containsExactly("2026-03-03");
    assertThat(first.position()).as("a tick fires as well").isNull();
    first.accepted().run();
    assertThat(scope.tick(source).fireId()).isEqualTo("2026-03-04T02:00");

    scope.passUntil("2026-03-05T01:05:30Z"); // the process was down
    Trigger.Source again = trigger.open(scope);
    PollResult.MissedPeriods missed = (PollResult.MissedPeriods) again.poll();
    assertThat(missed.periods())
        .containsExactly(
            new PollResult.PassedPeriod(
                "2026-03-05", "its time passed while no node could fire its trigger"));
    missed.accepted().run();
    assertThat(pause(again)).isEqualTo(MINUTE);
    scope.position = missed.position();
    assertThat(pause(trigger.open(scope))).as("told once").isEqualTo(MINUTE);
    scope.passUntil("2026-03-06T00:30:00Z");
    Trigger.Source third = trigger.open(scope);
    assertThat(scope.tick(third).fireId()).isEqualTo("2026-03-06T02:30");
    scope.passUntil("2026-03-06T01:02:00Z");
    assertThat(pause(third)).as("had a tick").isEqualTo(MINUTE);
  }

  @Test
  void onceInAWindowAndALaterTickWhenTheFirstWasMissed() throws Exception {
    Trigger trigger =
        Triggers.daily(DayWindow.of("08:00", "09:00", FIVE).oncePerWindow(), JOHANNESBURG);
    scope.since = Instant.parse("2026-03-01T12:00:00Z");
    scope.passUntil("2026-03-02T06:23:00Z"); // a restart over eight o'clock
    Trigger.Source source = trigger.open(scope);
    PollResult.Event event = scope.fire(source);
    assertThat(event.id()).isEqualTo("2026-03-02");
    assertThat(((Tick) event.payload()).misfired()).isTrue();
    for (int i = 0; i < 12; i++) {
      assertThat(pause(source)).isEqualTo(MINUTE);
      assertThat(pause(trigger.open(scope))).isEqualTo(MINUTE);
      scope.pass(FIVE);
    }
    scope.passUntil("2026-03-03T07:07:00Z"); // the whole window is missed
    Trigger.Source late = trigger.open(scope);
    PollResult.MissedPeriods missedPeriods = (PollResult.MissedPeriods) late.poll();
    assertThat(missedPeriods.periods())
        .containsExactly(
            new PollResult.PassedPeriod(
                "2026-03-03", "its time passed while no node could fire its trigger"));
    assertThat(missedPeriods.position()).isEqualTo("2026-03-03T08:00:00+02:00");
    assertThat(late.poll()).as("until it is accepted").isInstanceOf(PollResult.MissedPeriods.class);
    missedPeriods.accepted().run();
    assertThat(pause(late)).isEqualTo(MINUTE);
    scope.position = missedPeriods.position();
    assertThat(pause(trigger.open(scope))).isEqualTo(MINUTE);
    scope.passUntil("2026-03-04T06:00:00Z");
    PollResult.Event after = scope.fire(trigger.open(scope));
    assertThat(after.id()).isEqualTo("2026-03-04");
    assertThat(after.once()).isEqualTo(new PollResult.EventPeriod("2026-03-04", List.of()));
  }

  @Test
  void twoNodesReadTheSameIdOfAPeriodAlsoWhenTheWindowWasMoved() throws Exception {
    Trigger first =
        Triggers.daily(DayWindow.of("08:00", "09:00", FIVE).oncePerWindow(), JOHANNESBURG);
    Trigger moved =
        Triggers.daily(DayWindow.of("08:10", "10:00", MINUTE).oncePerWindow(), JOHANNESBURG);
    scope.passUntil("2026-03-02T06:12:00Z");
    assertThat(read(first.open(scope)).id()).isEqualTo("2026-03-02");
    assertThat(read(moved.open(scope)).id()).isEqualTo("2026-03-02");
  }

  @Test
  void aWeeksRunThatWasMissedWaitsForTheNextWindow() throws Exception {
    Trigger.Source source =
        Triggers.daily(
                DayWindow.of("08:00", "09:00", FIVE).oncePer(CalendarPeriod.ISO_WEEK), JOHANNESBURG)
            .open(scope);
    scope.passUntil("2026-03-02T13:00:00Z");
    assertThat(pause(source)).isEqualTo(MINUTE);
    scope.passUntil("2026-03-03T05:59:30Z");
    assertThat(pause(source)).isEqualTo(Duration.ofSeconds(30));
    scope.pass(MINUTE);
    Tick tick = scope.tick(source);
    assertThat(tick.periodKey()).isEqualTo("2026-W10");
    scope.passUntil("2026-03-08T06:30:00Z");
    assertThat(pause(source)).isEqualTo(MINUTE);
  }

  @Test
  void aCronCatchesUpWithTheLatestSinceItWasEnabled() throws Exception {
    Trigger trigger = Triggers.cron("0 0 8 * * ?", "Africa/Johannesburg");
    scope.since = Instant.parse("2026-02-20T12:00:00Z");
    Trigger.Source source = trigger.open(scope);
    Tick missed = scope.tick(source);
    assertThat(missed.scheduledTimeUtc()).isEqualTo("2026-03-01T06:00:00Z");
    assertThat(missed.scheduledTimeLocal()).isEqualTo("2026-03-01T08:00");
    assertThat(missed.misfired()).isTrue();
    assertThat(scope.position).isEqualTo("2026-03-01T08:00:00+02:00");
    assertThat(pause(trigger.open(scope))).isEqualTo(MINUTE);
    scope.passUntil("2026-03-02T06:00:00Z");
    assertThat(scope.fire(source).id()).isEqualTo("2026-03-02T06:00:00Z");
  }

  /** The rules of today: Johannesburg is two hours east of UTC. */
  @Test
  void aCronContinuesByTheLocalTimeWhenTheRulesOfItsZoneHaveChanged() throws Exception {
    Trigger trigger = Triggers.cron("0 0 8 * * ?", "Africa/Johannesburg");
    scope.position = "2026-03-01T08:00:00+03:00";
    scope.passUntil("2026-03-02T06:00:00Z");
    assertThat(scope.fire(trigger.open(scope)).id())
        .as("the slot of 1 March at eight o'clock has run")
        .isEqualTo("2026-03-02T06:00:00Z");
  }

  @Test
  void aPositionWithoutAnOffsetIsAnInstant() throws Exception {
    Trigger trigger = Triggers.cron("0 0 8 * * ?", "Africa/Johannesburg");
    for (String position : List.of("2026-03-01T06:00:00Z", "2026-03-01T06:00:00+00:00")) {
      scope.position = position;
      scope.passUntil("2026-03-02T06:00:00Z");
      assertThat(scope.fire(trigger.open(scope)).id()).isEqualTo("2026-03-02T06:00:00Z");
    }
    assertThat(Instant.parse(scope.position))
        .as("an older node reads it")
        .isEqualTo("2026-03-02T06:00:00Z");
  }

  @Test
  void aScheduleKeepsItsPolicyAndItsCalendars() throws Exception {
    Schedule all =
        Schedule.every(Duration.ofHours(1))
            .misfire(MisfirePolicy.ALL)
            .excluding(
                ExclusionCalendar.of(
                    "closed", ExclusionCalendar.Holiday.on(LocalDate.of(2026, 3, 3), "inventory")));
    Trigger.Source source = Triggers.schedule(all).open(scope);
    scope.passUntil("2026-03-02T07:30:00Z");
    assertThat(scope.fire(source).id()).isEqualTo("2026-03-02T06:00:00Z");
    assertThat(scope.fire(source).id()).isEqualTo("2026-03-02T07:00:00Z");
    scope.passUntil("2026-03-03T12:00:00Z");
    while (!"2026-03-02T23:00:00Z".equals(scope.position)) {
      scope.fire(source);
    }
    assertThat(pause(source)).isEqualTo(MINUTE);
    Trigger.Source once =
        Triggers.schedule(Schedule.every(FIVE).once())
            .open(new FakeTriggerContext("2026-03-03T12:00:00Z"));
    assertThat(pause(once)).isEqualTo(MINUTE);
  }

  @Test
  void aScheduleThatRunsOnceEnds() throws Exception {
    Trigger trigger = Triggers.schedule(Schedule.every(FIVE).once());
    scope.position = null;
    Trigger.Source source = trigger.open(scope);
    scope.pass(FIVE);
    scope.fire(source);
    scope.pass(FIVE);
    assertThat(source.poll()).isEqualTo(PollResult.untilWoken());
    assertThat(trigger.open(scope).poll()).isEqualTo(PollResult.untilWoken());
  }

  @Test
  void theDaySchedulerInItsOldWords() throws Exception {
    Trigger trigger =
        Triggers.dayScheduler(
            Map.of("StartTime", "08:00", "EndTime", "09:00", "IntervalMinutes", 1));
    assertThat(trigger.describe()).isEqualTo("every 1 minute from 08:00 to 09:00, every day, UTC");
    Trigger weekly =
        Triggers.dayScheduler(
            Map.of(
                "StartTime", "08:00",
                "EndTime", "09:00",
                "IntervalMinutes", "5",
                "TimeZone", "Africa/Johannesburg",
                "DaysOfWeek", "friday, MONDAY",
                "FireMode", "ONCE_PER_PERIOD",
                "Period", "ISO_WEEK"));
    assertThat(weekly)
        .isEqualTo(
            Triggers.daily(
                DayWindow.of("08:00", "09:00", FIVE)
                    .on(DayOfWeek.MONDAY, DayOfWeek.FRIDAY)
                    .oncePer(CalendarPeriod.ISO_WEEK),
                JOHANNESBURG));
  }

  @Test
  void wrongPropertiesAreNamed() {
    refused(
        () -> Triggers.dayScheduler(Map.of("StartTime", "08:00")), "lacks the property 'EndTime'");
    refused(
        () -> daySchedulerWith("TimeZone", "Mars/Base"), "The time zone 'Mars/Base' is unknown");
    refused(() -> daySchedulerWith("IntervalMinutes", "0"), "a tick every PT0S");
    refused(
        () -> daySchedulerWith("IntervalMinutes", "ten"),
        "IntervalMinutes 'ten'; expected a whole number");
    refused(() -> daySchedulerWith("FireMode", "SOMETIMES"), "FireMode 'SOMETIMES'");
    refused(() -> daySchedulerWith("Period", "ISO_WEEK"), "ONCE_PER_PERIOD only");
    refused(() -> daySchedulerWith("DaysOfWeek", "Someday"), "DaysOfWeek 'Someday'");
    refused(
        () -> daySchedulerWith("Colour", "red"),
        "the property 'Colour'; expected some of [DaysOfWeek");
    refused(() -> Triggers.cron("0 0 8 * * ?", "Nowhere"), "The time zone 'Nowhere' is unknown");
    refused(() -> Triggers.cron("never", "UTC"), "Cron 'NEVER' has 1 fields");
  }

  private static void daySchedulerWith(String key, String value) {
    Map<String, Object> all =
        new java.util.HashMap<>(
            Map.of("StartTime", "08:00", "EndTime", "09:00", "IntervalMinutes", 1));
    all.put(key, value);
    Triggers.dayScheduler(all);
  }

  @Test
  void theirEventsHaveTheTimeThatTheyAreFor() throws Exception {
    assertThat(scope.tick(Triggers.fixedDelay(FIVE).open(scope)))
        .isEqualTo(
            new Tick(
                Instant.parse("2026-03-02T05:00:00Z"),
                LocalDateTime.parse("2026-03-02T05:00:00"),
                "mine",
                "2026-03-02T05:00:00Z",
                "2026-03-02T05:00:00Z",
                1,
                false));
  }

  @Test
  void whatIsSentWaitsUntilItIsAccepted() throws Exception {
    Trigger.Source source = Triggers.webhook().open(scope);
    assertThat(source.poll()).isEqualTo(PollResult.untilWoken());
    scope.offered.add(new OfferedEvent(1, "a", "{}", Instant.EPOCH));
    assertThat(source.poll()).isEqualTo(new PollResult.Offered(scope.offered.element()));
    assertThat(source.poll()).isEqualTo(new PollResult.Offered(scope.offered.element()));
  }

  @Test
  void triggersTellWhatTheyWaitFor() {
    assertThat(Triggers.fixedDelay(FIVE).describe()).isEqualTo("5m after each work");
    assertThat(Triggers.fixedRate(Duration.ofSeconds(90)).describe())
        .isEqualTo("every 1m30s, the work's time included");
    assertThat(Triggers.webhook().describe()).isEqualTo("what is sent to it");
  }

  private static void refused(Runnable making, String why) {
    assertThatThrownBy(making::run)
        .isInstanceOfAny(InvalidRequestException.class, InvalidScheduleException.class)
        .hasMessageContaining(why);
  }
}
