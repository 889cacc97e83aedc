package io.millrace.continuous;

import io.millrace.schedule.DayWindow;
import io.millrace.schedule.Decision;
import io.millrace.schedule.Misfire;
import io.millrace.schedule.Plan;
import io.millrace.schedule.Planner;
import io.millrace.schedule.Schedule;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.SequencedSet;
import org.jspecify.annotations.Nullable;

/** The slots of a schedule, with what it says of those that were missed. */
record ScheduleTrigger(Schedule schedule) implements Trigger {

  /** So that a clock that is put forward is soon noticed. */
  private static final Duration LONGEST_REST = Duration.ofMinutes(1);

  private static final int MOST_MISSED = 100;

  @Override
  public String describe() {
    return schedule.words();
  }

  @Override
  public Source open(TriggerScope scope) {
    return new Waiting(scope);
  }

  private final class Waiting implements Source {
    private final TriggerScope scope;
    private final Ticks ticks;

    /** Nothing was decided about what is due from then on; null when nothing is any more. */
    private @Nullable Instant next;

    private final SequencedSet<String> missed = new LinkedHashSet<>();

    Waiting(TriggerScope scope) {
      this.scope = scope;
      this.ticks = new Ticks(scope);
      Optional<Instant> last = ticks.position();
      this.next =
          last.isPresent()
              ? after(last.get())
              : schedule.first(scope.since().orElseGet(scope.clock()::instant));
    }

    private @Nullable Instant after(Instant slot) {
      return schedule.recurs() ? schedule.next(slot) : null;
    }

    @Override
    public Poll poll() {
      if (next == null) {
        return Poll.untilWoken();
      }
      Instant now = scope.clock().instant();
      Plan plan = Planner.plan(schedule, next, now, false, Ticks.GRACE);
      if (isOncePerPeriod()) {
        remember(plan);
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
          isOncePerPeriod() ? new Poll.Once(due.key(), List.copyOf(missed)) : null,
          () -> {
            missed.clear();
            next = after(slot);
          });
    }

    private boolean isOncePerPeriod() {
      return schedule.recurrence() instanceof DayWindow window && window.once() != null;
    }

    /** Until an event is accepted, which takes them along; of very many the last ones. */
    private void remember(Plan plan) {
      for (Decision decision : plan.decisions()) {
        if (decision instanceof Decision.Missed(Decision.Span span, String ignored)
            && span.count() == 1) {
          missed.add(schedule.key(span.first()));
        }
      }
      while (missed.size() > MOST_MISSED) {
        missed.removeFirst();
      }
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
