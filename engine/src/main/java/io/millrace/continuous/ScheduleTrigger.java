package io.millrace.continuous;

import io.millrace.schedule.DayWindow;
import io.millrace.schedule.Decision;
import io.millrace.schedule.Misfire;
import io.millrace.schedule.Overlap;
import io.millrace.schedule.Plan;
import io.millrace.schedule.Planner;
import io.millrace.schedule.RunPolicy;
import io.millrace.schedule.Schedule;
import io.millrace.store.AlwaysOnStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The slots of a schedule, with what it says of those that were missed. */
record ScheduleTrigger(Schedule schedule) implements Trigger {

  /** So that a clock that is put forward is soon noticed. */
  private static final Duration LONGEST_REST = Duration.ofMinutes(1);

  @Override
  public String describe() {
    return schedule.words();
  }

  @Override
  public Source open(TriggerScope scope) {
    return new Waiting(scope);
  }

  /**
   * Slots that no event comes for any more.
   *
   * @param last the latest of them; null for none
   */
  record PassedSlots(List<Poll.Passed> periods, @Nullable Instant last) {}

  /**
   * Windows that have ended since the last event, for a schedule that is due once in a period.
   *
   * @param recorded the last slot that needs no record any more; null for the position of the scope
   */
  PassedSlots passedWindows(
      TriggerScope scope, @Nullable Instant recorded, String why, Instant now) {
    Instant last = recorded == null ? new Ticks(scope).position().orElse(null) : recorded;
    Instant next = last == null || !isOncePerPeriod() ? null : after(last);
    return next == null
        ? new PassedSlots(List.of(), null)
        : passed(Planner.plan(schedule, next, now, false, Ticks.GRACE), scope, why);
  }

  /** Periods that passed before the workflow was switched on do not count as missed. */
  private PassedSlots passed(Plan plan, TriggerScope scope, @Nullable String why) {
    Instant since = scope.since().orElse(Instant.MIN);
    List<Poll.Passed> periods = new ArrayList<>();
    Instant last = null;
    for (Decision decision : plan.decisions()) {
      if (decision instanceof Decision.Missed(Decision.Span span, String reason)
          && !schedule.closes(span.last()).isBefore(since)) {
        String text = why == null ? reason : why;
        periods.add(
            new Poll.Passed(
                schedule.key(span.last()),
                span.count() == 1
                    ? text
                    : text + "; " + span.count() + " slots, the first at " + span.first()));
        last = span.last();
      }
    }
    return new PassedSlots(periods, last);
  }

  private @Nullable Instant after(Instant slot) {
    return schedule.recurs() ? schedule.next(slot) : null;
  }

  private boolean isOncePerPeriod() {
    return schedule.recurrence() instanceof DayWindow window && window.once() != null;
  }

  /** True when each slot is to run, so that one that is dropped is a loss. */
  private boolean keepsAll() {
    RunPolicy policy = schedule.policy();
    return policy.misfire() == Misfire.ALL
        ? policy.overlap() != Overlap.CANCEL
        : policy.misfire() == Misfire.LATEST && policy.overlap() == Overlap.BUFFER_ALL;
  }

  private final class Waiting implements Source {
    private final TriggerScope scope;
    private final Ticks ticks;

    /** Nothing was decided about what is due from then on; null when nothing is any more. */
    private @Nullable Instant next;

    /** Keys of missed slots before the one that is to fire, which have been recorded. */
    private final Set<String> recorded = new HashSet<>();

    Waiting(TriggerScope scope) {
      this.scope = scope;
      this.ticks = new Ticks(scope);
      Optional<Instant> last = ticks.position();
      this.next =
          last.isPresent()
              ? after(last.get())
              : schedule.first(scope.since().orElseGet(scope.clock()::instant));
    }

    @Override
    public Poll poll() {
      if (next == null) {
        return Poll.untilWoken();
      }
      Instant now = scope.clock().instant();
      Plan plan = Planner.plan(schedule, next, now, false, Ticks.GRACE);
      Poll missed = missed(plan);
      if (missed != null) {
        return missed;
      }
      Optional<Decision.Fire> fire = plan.fire();
      if (fire.isEmpty()) {
        next = plan.nextRun();
        return next == null ? Poll.untilWoken() : restUntil(next, now);
      }
      Instant opens = opens(now);
      if (opens != null) {
        return restUntil(opens, now);
      }
      Instant slot = fire.get().slot().at();
      Ticks.Due due = new Ticks.Due(slot, schedule.key(slot), schedule.zone());
      return ticks.event(
          due,
          now,
          slot,
          isOncePerPeriod() ? new Poll.Once(due.key(), List.of()) : null,
          () -> {
            recorded.clear();
            next = after(slot);
          });
    }

    /** Null when there is nothing to be recorded. */
    private @Nullable Poll missed(Plan plan) {
      if (!isOncePerPeriod() && !keepsAll()) {
        return null;
      }
      PassedSlots slots =
          passed(plan, scope, isOncePerPeriod() ? AlwaysOnStore.FirePeriod.MISSED : null);
      List<Poll.Passed> fresh =
          slots.periods().stream().filter(one -> !recorded.contains(one.period())).toList();
      if (fresh.isEmpty()) {
        return null;
      }
      boolean fires = plan.fire().isPresent();
      return new Poll.Missed(
          fresh,
          fires || slots.last() == null ? null : slots.last().toString(),
          () -> {
            if (fires) {
              fresh.forEach(one -> recorded.add(one.period()));
            } else {
              next = plan.nextRun();
            }
          });
    }

    /** When the next window begins, for one who runs in windows only and is in none. */
    private @Nullable Instant opens(Instant now) {
      if (!(schedule.recurrence() instanceof DayWindow window)
          || schedule.policy().misfire() != Misfire.SKIP) {
        return null;
      }
      Schedule all = Schedule.within(window.atEachTick()).zone(schedule.zone());
      Instant tick = all.previousOrSame(now);
      boolean inside = tick != null && !all.closes(tick).plus(Ticks.GRACE).isBefore(now);
      return inside ? null : all.next(now);
    }

    private static Poll restUntil(Instant then, Instant now) {
      Duration rest = Duration.between(now, then);
      return Poll.rest(rest.compareTo(LONGEST_REST) < 0 ? rest : LONGEST_REST);
    }
  }
}
