package io.millrace.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** A daily schedule, and slots from 10 October 2020 on, each named by its day. */
class SlotPlannerTest {

  private static final Duration GRACE = Duration.ofMinutes(1);
  private static final Schedule DAILY = Schedule.of(Frequency.DAILY);

  private static Instant day(int day) {
    return LocalDate.of(2020, 10, day).atTime(0, 0, 1).toInstant(ZoneOffset.UTC);
  }

  /** Returns a plan made some seconds after the slot of {@code today}. */
  private static SlotPlan plan(Schedule schedule, int next, int today, boolean running) {
    return SlotPlanner.plan(schedule, day(next), day(today).plusSeconds(5), running, GRACE);
  }

  /**
   * Returns a plan as text: {@code F12} is a fire of 12 October, {@code M} a missed, {@code S} a
   * skipped slot.
   */
  private static String shown(SlotPlan slotPlan) {
    StringBuilder shown = new StringBuilder();
    for (SlotDecision slotDecision : slotPlan.decisions()) {
      shown.append(
          switch (slotDecision) {
            case SlotDecision.Fire(Slot slot, boolean cancels, String why) ->
                (cancels ? "C" : "F") + dayOf(slot.at());
            case SlotDecision.Missed(SlotDecision.SlotRange slotRange, String why) ->
                "M" + dayOf(slotRange.first());
            case SlotDecision.Skipped(SlotDecision.SlotRange slotRange, String why) ->
                "S" + dayOf(slotRange.first());
          });
      shown.append(' ');
    }
    return shown + "> " + (slotPlan.nextRun() == null ? "end" : dayOf(slotPlan.nextRun()));
  }

  private static int dayOf(Instant at) {
    return at.atOffset(ZoneOffset.UTC).getDayOfMonth();
  }

  @Test
  void nothingIsDecidedBeforeItsTime() {
    SlotPlan early = SlotPlanner.plan(DAILY, day(10), day(10).minusNanos(1), false, GRACE);
    assertThat(early).isEqualTo(new SlotPlan(List.of(), day(10), null));
    assertThat(early.fire()).isEmpty();
    assertThat(shown(SlotPlanner.plan(DAILY, day(10), day(10), false, GRACE)))
        .isEqualTo("F10 > 11");
  }

  @Test
  void whatFiresCarriesItsWindow() {
    SlotPlan slotPlan = plan(DAILY, 10, 10, false);
    assertThat(slotPlan.fire().orElseThrow().slot())
        .isEqualTo(
            new Slot(
                day(10),
                new DataWindow(
                    Instant.parse("2020-10-09T00:00:00Z"), Instant.parse("2020-10-10T00:00:00Z")),
                null));
  }

  @ParameterizedTest
  @CsvSource({
    "LATEST, SKIP,       M10 M11 F12 > 13",
    "LATEST, BUFFER_ONE, M10 M11 F12 > 13",
    "LATEST, BUFFER_ALL, F10 > 11",
    "LATEST, CANCEL,     M10 M11 F12 > 13",
    "LATEST, ALLOW,      M10 M11 F12 > 13",
    "NONE,   SKIP,       M10 M11 F12 > 13",
    "NONE,   BUFFER_ONE, M10 M11 F12 > 13",
    "NONE,   BUFFER_ALL, M10 M11 F12 > 13",
    "NONE,   CANCEL,     M10 M11 F12 > 13",
    "NONE,   ALLOW,      M10 M11 F12 > 13",
    "ALL,    SKIP,       F10 > 11",
    "ALL,    BUFFER_ONE, F10 > 11",
    "ALL,    BUFFER_ALL, F10 > 11",
    "ALL,    CANCEL,     M10 M11 F12 > 13",
    "ALL,    ALLOW,      F10 > 11"
  })
  void afterAnOutageOfThreeSlots(
      MisfirePolicy misfirePolicy, OverlapPolicy overlapPolicy, String expected) {
    assertThat(shown(plan(DAILY.misfire(misfirePolicy).overlap(overlapPolicy), 10, 12, false)))
        .isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "LATEST, SKIP,       S10 S11 S12 > 13",
    "LATEST, BUFFER_ONE, > 10",
    "LATEST, BUFFER_ALL, > 10",
    "LATEST, CANCEL,     M10 M11 C12 > 13",
    "LATEST, ALLOW,      M10 M11 F12 > 13",
    "NONE,   SKIP,       S10 S11 S12 > 13",
    "NONE,   CANCEL,     M10 M11 C12 > 13",
    "ALL,    SKIP,       > 10",
    "ALL,    BUFFER_ONE, > 10",
    "ALL,    CANCEL,     M10 M11 C12 > 13",
    "ALL,    ALLOW,      F10 > 11"
  })
  void whileAnExecutionRuns(
      MisfirePolicy misfirePolicy, OverlapPolicy overlapPolicy, String expected) {
    SlotPlan slotPlan = plan(DAILY.misfire(misfirePolicy).overlap(overlapPolicy), 10, 12, true);
    assertThat(shown(slotPlan)).isEqualTo(expected);
    assertThat(slotPlan.waiting() != null).isEqualTo(expected.startsWith(">"));
  }

  @Test
  void aSlotThatComesOnTimeWhileAnExecutionRunsIsSkippedWhateverElseHolds() {
    for (MisfirePolicy misfirePolicy : MisfirePolicy.values()) {
      SlotPlan slotPlan =
          plan(DAILY.misfire(misfirePolicy).overlap(OverlapPolicy.SKIP), 12, 12, true);
      assertThat(shown(slotPlan)).isEqualTo("S12 > 13");
      assertThat(slotPlan.decisions().getFirst().reason())
          .isEqualTo("an execution was still running (overlap SKIP)");
    }
  }

  @Test
  void withSkipASlotMayBeLateByTheGrace() {
    Schedule none = DAILY.misfire(MisfirePolicy.NONE);
    assertThat(shown(SlotPlanner.plan(none, day(10), day(10).plus(GRACE), false, GRACE)))
        .isEqualTo("F10 > 11");
    SlotPlan late = SlotPlanner.plan(none, day(10), day(10).plus(GRACE).plusNanos(1), false, GRACE);
    assertThat(shown(late)).isEqualTo("M10 > 11");
    assertThat(late.decisions().getFirst().reason())
        .isEqualTo("late by more than PT1M (misfire NONE)");
  }

  @Test
  void withAllEverySlotComesOldestFirstUpToTheLimit() {
    Schedule all = DAILY.misfire(MisfirePolicy.ALL).catchUpLimit(3);
    SlotPlan first = plan(all, 10, 15, false);
    assertThat(shown(first)).isEqualTo("M10 M11 M12 F13 > 14");
    assertThat(first.decisions().getFirst().reason())
        .isEqualTo("more than 3 were waiting (catch-up limit)");
    assertThat(shown(plan(all, 14, 15, false))).isEqualTo("F14 > 15");
    assertThat(shown(plan(all, 15, 15, false))).isEqualTo("F15 > 16");
  }

  @Test
  void whatACalendarExcludesIsSkippedAndTheReasonNamesIt() {
    Schedule daily =
        DAILY.excluding(
            ExclusionCalendar.of(
                "office",
                ExclusionCalendar.Holiday.on(LocalDate.of(2020, 10, 10), "move"),
                ExclusionCalendar.Holiday.on(LocalDate.of(2020, 10, 12), "fair")));
    SlotPlan slotPlan = plan(daily, 10, 12, false);
    assertThat(shown(slotPlan)).isEqualTo("S10 F11 S12 > 13");
    assertThat(slotPlan.decisions().getFirst().reason())
        .isEqualTo("calendar 'office': move, 2020-10-10");
    assertThat(shown(plan(daily.misfire(MisfirePolicy.ALL), 10, 14, false)))
        .isEqualTo("S10 F11 S12 > 13");
    assertThat(shown(plan(daily.overlap(OverlapPolicy.SKIP), 10, 12, true)))
        .isEqualTo("S10 S11 S12 > 13");
    assertThat(shown(plan(daily, 12, 12, false))).isEqualTo("S12 > 13");
  }

  @Test
  void whatDoesNotRecurEndsWithItsFirstSlotThatNoCalendarExcludes() {
    Schedule once =
        DAILY
            .once()
            .excluding(
                ExclusionCalendar.of(
                    "office", ExclusionCalendar.Holiday.on(LocalDate.of(2020, 10, 10), "move")));
    assertThat(shown(plan(once, 10, 10, false))).isEqualTo("S10 > 11");
    assertThat(shown(plan(once, 10, 14, false))).isEqualTo("S10 F11 > end");
    assertThat(shown(plan(once, 10, 14, true))).isEqualTo("S10 > 11");
    assertThat(shown(plan(once.overlap(OverlapPolicy.SKIP), 10, 14, true)))
        .isEqualTo("S10 S11 > end");
    assertThat(shown(plan(once.misfire(MisfirePolicy.NONE), 10, 14, false)))
        .isEqualTo("S10 M11 > end");
    assertThat(shown(plan(once.overlap(OverlapPolicy.CANCEL), 11, 14, true)))
        .isEqualTo("C11 > end");
  }

  @Test
  void onetimeRunsOnce() {
    Schedule onetime =
        Schedule.of(Frequency.ONETIME, LocalDate.of(2020, 10, 1), LocalDate.of(2020, 10, 9));
    assertThat(shown(plan(onetime, 10, 20, false))).isEqualTo("F10 > end");
    assertThat(SlotPlanner.plan(onetime, day(11), day(20), false, GRACE))
        .isEqualTo(new SlotPlan(List.of(), null, null));
  }

  @Test
  void nothingFollowsTheEndOfRecurrence() {
    Schedule daily = DAILY.until(day(11));
    assertThat(shown(plan(daily, 10, 15, false))).isEqualTo("M10 F11 > end");
  }

  @Test
  void aNextRunThatIsNoSlotStandsForTheFirstAfterIt() {
    SlotPlan slotPlan = SlotPlanner.plan(DAILY, day(10).minusSeconds(9_000), day(10), false, GRACE);
    assertThat(shown(slotPlan)).isEqualTo("F10 > 11");
  }

  /** The stored time was computed before the zone's rules changed. */
  @ParameterizedTest
  @CsvSource({
    "MONTHLY, Africa/Cairo, 2023-04-30T22:00:01Z, 2023-05-01T06:00:00Z, 2023-04-30T21:00:01Z",
    "0 0 8 * * ?, Africa/Cairo, 2023-04-29T06:00:00Z, 2023-04-29T06:00:00Z, 2023-04-29T05:00:00Z",
    "0 0 8 * * ?, Africa/Cairo, 2023-04-29T04:00:00Z, 2023-04-29T06:00:00Z, 2023-04-29T05:00:00Z",
    "0 0 8/2 * * ?, Africa/Cairo, 2023-04-29T06:00:00Z, 2023-04-29T06:30:00Z, 2023-04-29T05:00:00Z",
    "0 15 10 * * ?, Asia/Pyongyang, 2018-05-06T01:45:00Z, 2018-05-06T03:00:00Z,"
        + " 2018-05-06T01:15:00Z",
    "YEARLY, Pacific/Apia, 2012-01-01T10:00:01Z, 2012-01-01T11:00:00Z, 2011-12-31T10:00:01Z",
  })
  void aNextRunByOtherRulesOfTheZoneStandsForItsSlotOfToday(
      String when, String zone, Instant stored, Instant now, Instant slot) {
    Schedule schedule =
        (when.contains(" ") ? Schedule.cron(when) : Schedule.of(Frequency.valueOf(when)))
            .zone(ZoneId.of(zone));

    SlotPlan slotPlan = SlotPlanner.plan(schedule, stored, now, false, GRACE);

    assertThat(slotPlan.fire())
        .hasValueSatisfying(it -> assertThat(it.slot().at()).isEqualTo(slot));
    assertThat(slotPlan.decisions()).hasSize(1);
    assertThat(slotPlan.nextRun()).isEqualTo(schedule.next(now));
    assertThat(
            SlotPlanner.plan(schedule.misfire(MisfirePolicy.NONE), stored, slot, false, GRACE)
                .fire())
        .as("on time")
        .isPresent();
    assertThat(SlotPlanner.planAbandoned(schedule, new PlannedSlot(stored, null), now, "changed"))
        .extracting(one -> ((SlotDecision.Missed) one).span().first())
        .containsExactly(slot);
  }

  @Test
  void theOnlySlotIsNotLostWhenTheRulesOfItsZoneChange() {
    Schedule onetime =
        Schedule.of(Frequency.ONETIME, LocalDate.of(2023, 4, 1), LocalDate.of(2023, 4, 30))
            .zone(ZoneId.of("Africa/Cairo"));
    Instant stored = Instant.parse("2023-04-30T22:00:01Z");
    assertThat(SlotPlanner.plan(onetime, stored, stored, false, GRACE).fire()).isPresent();
  }

  @Test
  void aTimeThatNoChangeOfRulesExplainsStandsForTheFirstSlotAfterIt() {
    ZoneId cairo = ZoneId.of("Africa/Cairo");
    Schedule monthly = Schedule.of(Frequency.MONTHLY).zone(cairo);
    assertThat(monthly.nearestSlot(Instant.parse("2023-05-02T22:00:00Z")))
        .isEqualTo("2023-05-31T21:00:01Z");
    Schedule hourly = Schedule.every(Duration.ofHours(1)).zone(cairo);
    assertThat(hourly.nearestSlot(Instant.parse("2023-05-02T22:10:00Z")))
        .isEqualTo("2023-05-02T23:00:00Z");
    assertThat(monthly.nearestSlot(Instant.parse("2023-05-31T21:00:01Z")))
        .isEqualTo("2023-05-31T21:00:01Z");
  }

  /** Every second of three years: about ninety million slots, and one plan. */
  @ParameterizedTest
  @EnumSource(MisfirePolicy.class)
  void anyOutageIsOnePlan(MisfirePolicy misfirePolicy) {
    Schedule seconds = Schedule.cron("* * * * * ?").misfire(misfirePolicy);
    Instant from = Instant.parse("2020-01-01T00:00:00Z");
    Instant now = Instant.parse("2023-01-01T00:00:00Z");
    SlotPlan slotPlan = SlotPlanner.plan(seconds, from, now, false, Duration.ZERO);
    SlotDecision.Missed old = (SlotDecision.Missed) slotPlan.decisions().getFirst();
    assertThat(slotPlan.decisions()).hasSizeLessThanOrEqualTo(SlotPlanner.MAX_DECIDED + 1);
    assertThat(old.span().first()).isEqualTo(from);
    int waiting = misfirePolicy == MisfirePolicy.ALL ? RunPolicy.DEFAULT.catchUpLimit() - 1 : 0;
    assertThat(old.span().count())
        .isEqualTo(Duration.between(from, now).toSeconds() + 1 - SlotPlanner.MAX_DECIDED - waiting);
    assertThat(old.span().window())
        .isEqualTo(new DataWindow(from.minusSeconds(1), old.span().last()));
    assertThat(old.reason()).endsWith("; too many to list them one by one");
    assertThat(slotPlan.fire().orElseThrow().slot().at())
        .isEqualTo(misfirePolicy == MisfirePolicy.ALL ? now.minusSeconds(99) : now);
  }

  /** Finds the latest slot among many that a calendar excludes, and those that ran before them. */
  @Test
  void theLatestIsFoundBeforeALongBlackout() {
    Instant closed = Instant.parse("2020-10-10T00:00:00Z");
    Instant now = closed.plus(Duration.ofHours(10));
    Schedule minutes =
        Schedule.every(Duration.ofMinutes(1))
            .excluding(
                new ExclusionCalendar(
                    "shop",
                    List.of(),
                    List.of(new ExclusionCalendar.Blackout("closed", closed, now.plusSeconds(1)))));

    SlotPlan slotPlan =
        SlotPlanner.plan(minutes, closed.minus(Duration.ofHours(5)), now, false, GRACE);

    assertThat(slotPlan.fire().orElseThrow().slot().at()).isEqualTo(closed.minusSeconds(60));
    assertThat(slotPlan.fire().orElseThrow().reason()).isEqualTo("the latest of 901 due");
    assertThat(slotPlan.decisions()).hasSize(1 + 1 + 1 + SlotPlanner.MAX_DECIDED);
    assertThat(((SlotDecision.Missed) slotPlan.decisions().getFirst()).span().count())
        .isEqualTo(299);
    SlotDecision.Skipped many = (SlotDecision.Skipped) slotPlan.decisions().get(2);
    assertThat(many.span().first()).isEqualTo(closed);
    assertThat(many.span().count()).isEqualTo(601 - SlotPlanner.MAX_DECIDED);
    assertThat(many.reason()).contains("'shop': closed").endsWith("to list them one by one");
    assertThat(slotPlan.nextRun()).isEqualTo(now.plusSeconds(60));
  }

  @Test
  void asManyWaitAsTheCatchUpLimitSays() {
    Schedule minutes =
        Schedule.every(Duration.ofMinutes(1)).misfire(MisfirePolicy.ALL).catchUpLimit(1_000);
    Instant now = day(10);

    SlotPlan slotPlan = SlotPlanner.plan(minutes, day(8), now, false, GRACE);

    assertThat(slotPlan.fire().orElseThrow().slot().at())
        .isEqualTo(now.truncatedTo(ChronoUnit.MINUTES).minus(Duration.ofMinutes(999)));
    assertThat(slotPlan.nextRun())
        .isEqualTo(slotPlan.fire().orElseThrow().slot().at().plusSeconds(60));
  }

  @Test
  void whatIsLeftIsListedUpToNow() {
    Schedule daily =
        DAILY.excluding(
            ExclusionCalendar.of(
                "office", ExclusionCalendar.Holiday.on(LocalDate.of(2020, 10, 11), "move")));
    assertThat(abandoned(daily, day(10), day(12))).isEqualTo("M10 S11 M12 > end");
    assertThat(abandoned(daily.once(), day(11), day(14))).isEqualTo("S11 M12 > end");
    assertThat(abandoned(daily, day(13), day(12))).isEqualTo("> end");
    assertThat(abandoned(daily.until(day(10)), day(11), day(12))).isEqualTo("> end");

    List<SlotDecision> many =
        SlotPlanner.planAbandoned(
            Schedule.every(Duration.ofMinutes(1)),
            new PlannedSlot(day(8), null),
            day(10),
            "changed");

    assertThat(many).hasSize(SlotPlanner.MAX_DECIDED + 1);
    assertThat(many.getLast().reason()).isEqualTo("changed");
    SlotDecision.Missed older = (SlotDecision.Missed) many.getFirst();
    assertThat(older.span().count()).isEqualTo(2 * 24 * 60 - SlotPlanner.MAX_DECIDED);
    assertThat(older.reason()).isEqualTo("changed; too many to list them one by one");
  }

  private static String abandoned(Schedule schedule, Instant nextRun, Instant now) {
    return shown(
        new SlotPlan(
            SlotPlanner.planAbandoned(schedule, new PlannedSlot(nextRun, null), now, "changed"),
            null,
            null));
  }

  @Test
  void aNegativeGraceIsRefused() {
    assertThatThrownBy(
            () -> SlotPlanner.plan(DAILY, day(10), day(10), false, Duration.ofSeconds(-1)))
        .isInstanceOf(InvalidScheduleException.class)
        .hasMessage("The grace is PT-1S; expected zero or more.");
  }

  /** The comment beside each row describes the correction of missed slots in another system. */
  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          # schedule, next run, now, missed, fired, next run after it
          DAILY, 2020-09-26, 2020-09-27T00:00:00Z, 0, 2020-09-26, 2020-09-27
          # there: on to 28 September, two days never reported
          DAILY, 2020-09-26, 2020-09-27T04:00:00Z, 1, 2020-09-27, 2020-09-28
          # there: on to 7 October, eleven days never reported
          DAILY, 2020-09-26, 2020-10-06T04:00:00Z, 10, 2020-10-06, 2020-10-07
          WEEKLY, 2020-09-20, 2020-09-27T00:00:00Z, 0, 2020-09-20, 2020-09-27
          WEEKLY, 2020-09-20, 2020-10-14T04:00:00Z, 3, 2020-10-11, 2020-10-18
          BI_WEEKLY_SPRINT, 2020-09-01, 2020-10-10T00:00:00Z, 2, 2020-09-29, 2020-10-13
          TRI_WEEKLY_SPRINT, 2020-09-01, 2020-10-31T00:00:00Z, 2, 2020-10-13, 2020-11-03
          MONTHLY, 2020-09-01, 2020-09-30T00:00:00Z, 0, 2020-09-01, 2020-10-01
          MONTHLY, 2020-09-01, 2020-12-15T00:00:00Z, 3, 2020-12-01, 2021-01-01
          QUARTERLY, 2020-07-01, 2021-05-15T00:00:00Z, 3, 2021-04-01, 2021-07-01
          YEARLY, 2020-01-01, 2022-06-01T00:00:00Z, 2, 2022-01-01, 2023-01-01
          """)
  void theLatestRunsAndEachOtherIsRecorded(
      Frequency frequency,
      LocalDate next,
      Instant now,
      int missed,
      LocalDate fired,
      LocalDate then) {
    Schedule schedule =
        Schedule.of(frequency, frequency.isSprint() ? next.minusDays(42) : null, null);
    SlotPlan slotPlan = SlotPlanner.plan(schedule, at(next), now, false, GRACE);
    assertThat(slotPlan.decisions()).hasSize(missed + 1);
    assertThat(slotPlan.decisions().subList(0, missed))
        .allSatisfy(
            one -> assertThat(one.reason()).isEqualTo("a later one was due (misfire LATEST)"));
    assertThat(slotPlan.fire().orElseThrow().slot().at()).isEqualTo(at(fired));
    assertThat(slotPlan.nextRun()).isEqualTo(at(then));
    SlotPlan all =
        SlotPlanner.plan(schedule.misfire(MisfirePolicy.ALL), at(next), now, false, GRACE);
    assertThat(all.fire().orElseThrow().slot().at())
        .as("misfire ALL loses none")
        .isEqualTo(at(next));
  }

  private static Instant at(LocalDate day) {
    return day.atTime(0, 0, 1).toInstant(ZoneOffset.UTC);
  }
}
