package io.millrace.continuous;

import io.millrace.instance.InvalidRequestException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Locale;

/**
 * A trigger that ticks at a fixed interval.
 *
 * @param exact true if the work's time is part of the interval; false if the pause starts after the
 *     work
 */
record IntervalTrigger(Duration every, boolean exact) implements Trigger {

  static final Duration MIN_INTERVAL = Duration.ofMillis(100);
  private static final Duration MAX_INTERVAL = Duration.ofDays(3_660);

  IntervalTrigger {
    InvalidRequestException.requirePresent(every, "The interval of a trigger");
    if (every.compareTo(MIN_INTERVAL) < 0 || every.compareTo(MAX_INTERVAL) > 0) {
      throw new InvalidRequestException(
          "The interval of a trigger is %s; expected %s to %s."
              .formatted(every, MIN_INTERVAL, MAX_INTERVAL));
    }
  }

  @Override
  public String describe() {
    String time = every.toString().substring(2).toLowerCase(Locale.ROOT);
    return exact ? "every " + time + ", the work's time included" : time + " after each work";
  }

  @Override
  public Source open(TriggerContext scope) {
    return new Waiting(scope);
  }

  /**
   * Time is counted from when the source was opened, so that a correction of the clock neither
   * advances nor delays it.
   */
  private final class Waiting implements Source {
    private final TriggerContext scope;
    private final TickFactory tickFactory;
    private final Instant opened;
    private final long openedNanos;
    private Instant due;
    private boolean pauses;

    Waiting(TriggerContext scope) {
      this.scope = scope;
      this.tickFactory = new TickFactory(scope);
      this.opened = scope.clock().instant();
      this.openedNanos = scope.clock().nanoTime();
      Instant longest = opened.plus(every);
      Instant next = tickFactory.position().map(last -> last.plus(every)).orElse(opened);
      this.due = next.isAfter(longest) ? longest : next;
    }

    @Override
    public PollResult poll() {
      Instant now = opened.plusNanos(scope.clock().nanoTime() - openedNanos);
      if (pauses) {
        pauses = false;
        due = now.plus(every);
      }
      if (now.isBefore(due)) {
        return PollResult.waitFor(Duration.between(now, due));
      }
      Instant tick = exact ? due.plus(every.multipliedBy(missed(now))) : due;
      Instant behind = exact ? tick : now;
      return tickFactory.event(
          new TickFactory.Due(tick, tick.toString(), ZoneOffset.UTC),
          now,
          behind,
          () -> {
            pauses = !exact;
            due = behind.plus(every);
          });
    }

    private long missed(Instant now) {
      return Duration.between(due, now).dividedBy(every);
    }
  }
}
