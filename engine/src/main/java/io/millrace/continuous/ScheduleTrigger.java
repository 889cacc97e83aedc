package io.millrace.continuous;

import io.millrace.schedule.DayWindow;
import io.millrace.schedule.MisfirePolicy;
import io.millrace.schedule.OverlapPolicy;
import io.millrace.schedule.PlannedSlot;
import io.millrace.schedule.RunPolicy;
import io.millrace.schedule.Schedule;
import io.millrace.schedule.SlotDecision;
import io.millrace.schedule.SlotPlan;
import io.millrace.schedule.SlotPlanner;
import io.millrace.store.ContinuousStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A trigger whose events are the slots of a schedule, with its policy for missed ones. */
record ScheduleTrigger(Schedule schedule) implements Trigger {

  /** Longest pause, so that a clock that is set forward is noticed soon. */
  private static final Duration MAX_PAUSE = Duration.ofMinutes(1);

  @Override
  public String describe() {
    return schedule.describe();
  }

  @Override
  public Source open(TriggerContext scope) {
    return new Waiting(scope);
  }

  /**
   * Missed slots that get no event any more.
   *
   * @param last the latest of them; null for none
   */
  record MissedSlots(List<PollResult.PassedPeriod> periods, @Nullable Instant last) {}

  /**
   * Returns windows that have ended without an event since the last one.
   *
   * @param recorded the last slot that needs no record; null for the position of the scope
   */
  MissedSlots passedWindows(
      TriggerContext scope, @Nullable Instant recorded, String why, Instant now) {
    PlannedSlot last =
        recorded == null
            ? new TickFactory(scope).slot().orElse(null)
            : PlannedSlot.of(schedule, recorded);
    Schedule periods = periods();
    Instant next =
        last == null || periods == null || !schedule.recurs() ? null : last.next(periods);
    return periods == null
        ? new MissedSlots(List.of(), null)
        : passed(periods, next, now, scope, why);
  }

  private static MissedSlots passed(
      Schedule periods, @Nullable Instant next, Instant now, TriggerContext scope, String why) {
    return next == null
        ? new MissedSlots(List.of(), null)
        : passed(periods, plan(periods, next, now), scope, why);
  }

  private static SlotPlan plan(Schedule schedule, Instant next, Instant now) {
    return SlotPlanner.plan(schedule, next, now, false, TickFactory.GRACE);
  }

  /**
   * Returns the periods of a schedule of windows that are missed if no event comes in them, each as
   * its first tick; null if each slot is made up for or counts separately.
   */
  private @Nullable Schedule periods() {
    if (!(schedule.recurrence() instanceof DayWindow window)) {
      return null;
    }
    if (window.once() != null) {
      return schedule;
    }
    return runsNoneLate()
        ? new Schedule(
            window.oncePerWindow(),
            schedule.recurs(),
            schedule.zone(),
            schedule.weekStart(),
            schedule.calendars(),
            schedule.policy(),
            schedule.until())
        : null;
  }

  private boolean runsNoneLate() {
    return schedule.policy().misfire() == MisfirePolicy.NONE;
  }

  /**
   * Returns missed periods. Periods that passed before the workflow was enabled do not count as
   * missed.
   *
   * @param of the schedule that was planned
   */
  private static MissedSlots passed(
      Schedule of, SlotPlan slotPlan, TriggerContext scope, @Nullable String why) {
    Instant since = scope.enabledSince().orElse(Instant.MIN);
    List<PollResult.PassedPeriod> periods = new ArrayList<>();
    Instant last = null;
    for (SlotDecision slotDecision : slotPlan.decisions()) {
      if (slotDecision
              instanceof SlotDecision.Missed(SlotDecision.SlotRange slotRange, String reason)
          && !of.lateAfter(slotRange.last()).isBefore(since)) {
        String text = why == null ? reason : why;
        periods.add(
            new PollResult.PassedPeriod(
                of.key(slotRange.last()),
                slotRange.count() == 1
                    ? text
                    : text
                        + "; "
                        + slotRange.count()
                        + " slots, the first at "
                        + slotRange.first()));
        last = slotRange.last();
      }
    }
    return new MissedSlots(periods, last);
  }

  private @Nullable Instant after(PlannedSlot slot) {
    return schedule.recurs() ? slot.next(schedule) : null;
  }

  private boolean isOncePerPeriod() {
    return schedule.recurrence() instanceof DayWindow window && window.once() != null;
  }

  /** Returns true if each slot must run, so that a dropped one is a loss. */
  private boolean keepsAll() {
    RunPolicy policy = schedule.policy();
    return policy.misfire() == MisfirePolicy.ALL
        ? policy.overlap() != OverlapPolicy.CANCEL
        : policy.misfire() == MisfirePolicy.LATEST && policy.overlap() == OverlapPolicy.BUFFER_ALL;
  }

  private final class Waiting implements Source {
    private final TriggerContext scope;
    private final TickFactory tickFactory;

    /** Time from which slots are undecided; null if there are no more. */
    private @Nullable Instant next;

    /** Keys of recorded missed slots before the one that fires next. */
    private final Set<String> recorded = new HashSet<>();

    Waiting(TriggerContext scope) {
      this.scope = scope;
      this.tickFactory = new TickFactory(scope);
      Optional<PlannedSlot> last = tickFactory.slot();
      this.next =
          last.isPresent()
              ? after(last.get())
              : schedule.first(scope.enabledSince().orElseGet(scope.clock()::instant));
    }

    @Override
    public PollResult poll() {
      if (next == null) {
        return PollResult.untilWoken();
      }
      Instant now = scope.clock().instant();
      SlotPlan slotPlan = plan(schedule, next, now);
      PollResult missed = missed(slotPlan, next, now);
      if (missed != null) {
        return missed;
      }
      Optional<SlotDecision.Fire> fire = slotPlan.fire();
      if (fire.isEmpty()) {
        next = slotPlan.nextRun();
        return next == null ? PollResult.untilWoken() : restUntil(next, now);
      }
      Instant opens = opens(now);
      if (opens != null) {
        return restUntil(opens, now);
      }
      Instant slot = fire.get().slot().at();
      TickFactory.Due due = new TickFactory.Due(slot, schedule.key(slot), schedule.zone());
      return tickFactory.event(
          due,
          now,
          TickFactory.text(schedule, slot),
          isOncePerPeriod() ? new PollResult.EventPeriod(due.key(), List.of()) : null,
          () -> {
            recorded.clear();
            next = after(PlannedSlot.of(schedule, slot));
          });
    }

    /** Returns missed periods to record; null for none. */
    private @Nullable PollResult missed(SlotPlan slotPlan, Instant from, Instant now) {
      Schedule periods = periods();
      if (periods == null && !keepsAll()) {
        return null;
      }
      MissedSlots slots =
          periods == null
              ? passed(schedule, slotPlan, scope, null)
              : passed(
                  periods, periods.nextOrSame(from), now, scope, ContinuousStore.FirePeriod.MISSED);
      List<PollResult.PassedPeriod> fresh =
          slots.periods().stream().filter(one -> !recorded.contains(one.period())).toList();
      if (fresh.isEmpty()) {
        return null;
      }
      boolean fires = slotPlan.fire().isPresent();
      return new PollResult.MissedPeriods(
          fresh,
          fires || slots.last() == null ? null : TickFactory.text(schedule, slots.last()),
          () -> {
            if (fires) {
              fresh.forEach(one -> recorded.add(one.period()));
            } else {
              next = slotPlan.nextRun();
            }
          });
    }

    /** Returns the start of the next window, for a schedule with windows outside of them. */
    private @Nullable Instant opens(Instant now) {
      if (!(schedule.recurrence() instanceof DayWindow window) || !runsNoneLate()) {
        return null;
      }
      Schedule all = Schedule.within(window.atEachTick()).zone(schedule.zone());
      Instant tick = all.previousOrSame(now);
      boolean inside = tick != null && !all.lateAfter(tick, TickFactory.GRACE).isBefore(now);
      return inside ? null : all.next(now);
    }

    private static PollResult restUntil(Instant then, Instant now) {
      Duration pause = Duration.between(now, then);
      return PollResult.waitFor(pause.compareTo(MAX_PAUSE) < 0 ? pause : MAX_PAUSE);
    }
  }
}
