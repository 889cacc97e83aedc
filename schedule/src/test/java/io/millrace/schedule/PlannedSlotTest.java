package io.millrace.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.schedule.SlotDecision.Fire;
import io.millrace.schedule.SlotDecision.Missed;
import io.millrace.schedule.SlotDecision.Skipped;
import io.millrace.schedule.SlotDecision.SlotRange;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Stored slots by time zone rules that have changed since. An offset stands for the rules. */
class PlannedSlotTest {

  private static final long SEED = Long.getLong("tests.seed", 20_261_128);
  private static final int CHANGES = Integer.getInteger("tests.schedules", 200);
  private static final Duration GRACE = Duration.ofMinutes(1);
  private static final Instant START = Instant.parse("2026-03-01T00:00:00Z");

  /** Hours of slots that are decided up to 10:30, and of the next one, by the earlier offset. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // The stored instant is the slot of another hour.
        "0 0 8,10,17 * * ? | 0 | 2 | 2026-03-02T08:00:00Z | F06 F08 > 15",
        "0 0 8,10,17 * * ? | 2 | 0 | 2026-03-02T08:00:00Z | S08 F10 > 17",
        // The slot of its hour is at an instant that has a run already.
        "0 0 8,10,17 * * ? | 0 | 2 | 2026-03-02T10:00:00Z | > 15",
        // Each slot stays where it was, under another local time.
        "0 0 * * * ? | 0 | 1 | 2026-03-02T08:00:00Z | F08 F09 F10 > 11",
        "0 0 * * * ? | 1 | 0 | 2026-03-02T08:00:00Z | F08 F09 F10 > 11",
        "0 0 8 * * ? | 0 | 1 | 2026-03-02T08:00:00Z | F07 > 07",
        // The run of the day before is not repeated an hour later.
        "0 0 8 * * ? | 1 | 0 | 2026-03-02T07:00:00Z | S08 F08 > 08",
      })
  void theLocalTimeOfAStoredSlotDecides(
      String cron, int before, int after, Instant stored, String expected) {
    Schedule earlier = schedule(Schedule.cron(cron), before);
    Schedule today = earlier.zone(ZoneOffset.ofHours(after));
    List<String> shown = new ArrayList<>();
    PlannedSlot next = PlannedSlot.of(earlier, stored);
    List<SlotDecision> decisions = new ArrayList<>();
    Instant following = follow(today, next, Instant.parse("2026-03-02T10:30:00Z"), decisions);
    for (SlotDecision decision : decisions) {
      shown.add(decision.getClass().getSimpleName().charAt(0) + hour(range(decision).first()));
    }
    shown.add(">");
    shown.add(hour(following));
    assertThat(String.join(" ", shown)).isEqualTo(expected);
  }

  @Test
  void eachSlotAfterTheLastDecidedOneIsDecidedOnceWhenTheRulesChange() {
    Random random = new Random(SEED);
    for (int i = 0; i < CHANGES; i++) {
      Schedule earlier = schedule(recurrence(random), random.nextInt(-12, 15));
      ZoneOffset offset =
          ZoneOffset.ofTotalSeconds(
              Math.clamp(
                  earlier.zone().getRules().getOffset(START).getTotalSeconds()
                      + (random.nextBoolean() ? 1 : -1) * 1_800 * shift(random),
                  -18 * 3_600,
                  18 * 3_600));
      Schedule today = earlier.zone(offset);
      Instant decided = earlier.next(START.plusSeconds(random.nextInt(1_000_000)));
      Instant stored = earlier.next(decided);
      Instant now = stored.plusSeconds(random.nextInt(100_000));
      String which = earlier.describe() + ", " + earlier.zone() + " to " + offset + ": " + stored;

      List<SlotDecision> decisions = new ArrayList<>();
      Instant next = follow(today, PlannedSlot.of(earlier, stored), now, decisions);

      Instant at = decided;
      LocalDateTime last = LocalDateTime.ofInstant(decided, earlier.zone());
      boolean moved = !stored.equals(PlannedSlot.of(earlier, stored).byCurrentRules(today));
      for (SlotDecision decision : decisions) {
        SlotRange range = range(decision);
        assertThat(range.first()).as(which).isEqualTo(today.next(at));
        assertThat(range.count()).as(which).isEqualTo(today.count(range.first(), range.last()));
        if (moved && decision instanceof Fire) {
          assertThat(LocalDateTime.ofInstant(range.first(), offset)).as(which).isAfter(last);
        }
        at = range.last();
      }
      assertThat(next).as(which).isEqualTo(today.next(at)).isAfter(now);
    }
  }

  @Test
  void theSlotAfterADecidedOneIsThatAfterItsLocalTime() {
    Random random = new Random(SEED);
    for (int i = 0; i < CHANGES; i++) {
      Schedule earlier = schedule(recurrence(random), random.nextInt(-10, 11));
      Schedule today = earlier.zone(ZoneOffset.ofHours(random.nextInt(-12, 15)));
      Instant decided = earlier.next(START.plusSeconds(random.nextInt(1_000_000)));
      Instant stored = earlier.next(decided);
      assertThat(PlannedSlot.of(earlier, decided).next(today))
          .isEqualTo(PlannedSlot.of(earlier, stored).byCurrentRules(today))
          .isAfter(decided);
    }
  }

  @Test
  void theRulesOfARealZoneChange() {
    Schedule daily = Schedule.cron("0 0 8 * * ?").zone(ZoneId.of("Africa/Cairo"));
    Instant today = Instant.parse("2023-04-29T05:00:00Z");
    PlannedSlot byEarlierRules =
        new PlannedSlot(Instant.parse("2023-04-29T06:00:00Z"), ZoneOffset.ofHours(2));
    assertThat(byEarlierRules.byCurrentRules(daily)).isEqualTo(today);
    assertThat(PlannedSlot.of(daily, today).byCurrentRules(daily)).isEqualTo(today);
    assertThat(new PlannedSlot(byEarlierRules.at(), null).byCurrentRules(daily)).isEqualTo(today);
    assertThat(byEarlierRules.next(daily)).isEqualTo(today.plus(Duration.ofDays(1)));
  }

  /** The clock did not change at the time of the slot by the earlier rules. */
  @ParameterizedTest
  @CsvSource({
    "0 30 2 * * ?, Europe/Berlin, 2026-03-29T01:30:00Z, 2026-03-29T01:00:00Z",
    "0 30 2 * * ?, Europe/Berlin, 2026-10-25T02:30:00Z, 2026-10-25T00:30:00Z",
  })
  void aSlotWithinAChangeOfTheClockIsFound(
      String cron, String zone, Instant stored, Instant expected) {
    Schedule schedule = Schedule.cron(cron).zone(ZoneId.of(zone));
    ZoneOffset earlier =
        ZoneOffset.ofTotalSeconds(2 * 3_600 + 1_800 - (int) (stored.getEpochSecond() % 86_400));
    assertThat(new PlannedSlot(stored, earlier).byCurrentRules(schedule)).isEqualTo(expected);
  }

  @Test
  void anIntervalDoesNotFollowTheClock() {
    Schedule hourly = Schedule.every(Duration.ofHours(1)).zone(ZoneId.of("Africa/Cairo"));
    assertThat(new PlannedSlot(START, ZoneOffset.ofHours(9)).byCurrentRules(hourly))
        .isEqualTo(START);
    assertThat(new PlannedSlot(START, ZoneOffset.ofHours(9)).next(hourly))
        .isEqualTo(START.plusSeconds(3_600));
  }

  private static Schedule schedule(Schedule recurrence, int offset) {
    return recurrence
        .zone(ZoneOffset.ofHours(offset))
        .misfire(MisfirePolicy.ALL)
        .overlap(OverlapPolicy.BUFFER_ALL)
        .catchUpLimit(50);
  }

  private static int shift(Random random) {
    return random.nextInt(4) == 0 ? 48 : random.nextInt(1, 7);
  }

  private static Schedule recurrence(Random random) {
    return switch (random.nextInt(7)) {
      case 0 -> Schedule.of(Frequency.DAILY);
      case 1 -> Schedule.of(Frequency.WEEKLY);
      case 2 -> Schedule.cron("0 0/%d * * * ?".formatted(random.nextInt(5, 60)));
      case 3 -> Schedule.cron("0 0 0/%d * * ?".formatted(random.nextInt(1, 13)));
      case 4 ->
          Schedule.cron(
              "0 %d %d,%d,%d * * ?"
                  .formatted(
                      random.nextInt(60),
                      random.nextInt(24),
                      random.nextInt(24),
                      random.nextInt(24)));
      case 5 ->
          Schedule.within(
              DayWindow.of(
                      LocalTime.of(random.nextInt(20), 0),
                      LocalTime.of(random.nextInt(20, 24), 30),
                      Duration.ofMinutes(random.nextInt(5, 90)))
                  .on(DayOfWeek.MONDAY, DayOfWeek.TUESDAY, DayOfWeek.FRIDAY));
      default -> Schedule.cron("0 0/10 %d-%d * * ?".formatted(random.nextInt(12), 12));
    };
  }

  /** Adds the decisions of all plans up to {@code now}, and returns the next slot. */
  private static Instant follow(
      Schedule schedule, PlannedSlot first, Instant now, List<SlotDecision> decisions) {
    PlannedSlot next = first;
    do {
      SlotPlan plan = SlotPlanner.plan(schedule, next, now, false, GRACE);
      decisions.addAll(plan.decisions());
      next = PlannedSlot.of(schedule, plan.nextRun());
    } while (!next.at().isAfter(now));
    return next.at();
  }

  private static SlotRange range(SlotDecision decision) {
    return switch (decision) {
      case Fire fire -> SlotRange.of(fire.slot());
      case Missed missed -> missed.span();
      case Skipped skipped -> skipped.span();
    };
  }

  private static String hour(Instant at) {
    return at.toString().substring(11, 13);
  }
}
