package io.millrace.schedule;

import java.time.Duration;
import java.time.Instant;

/** An anchor and multiples of a duration. */
record IntervalTimeline(Recurrence.Interval interval) implements Timeline {

  @Override
  public Instant first(Instant created) {
    return next(created);
  }

  @Override
  public Instant next(Instant instant) {
    return at(periods(interval.anchor(), instant) + 1);
  }

  @Override
  public Instant previous(Instant instant) {
    return at(periods(interval.anchor(), instant.minusNanos(1)));
  }

  @Override
  public DataWindow window(Instant slot) {
    return new DataWindow(slot.minus(interval.every()), slot);
  }

  @Override
  public long count(Instant first, Instant last) {
    return periods(first, last) + 1;
  }

  private long periods(Instant from, Instant to) {
    return Math.floorDiv(Duration.between(from, to).toSeconds(), interval.every().toSeconds());
  }

  private Instant at(long periods) {
    return interval.anchor().plusSeconds(Math.multiplyExact(periods, interval.every().toSeconds()));
  }
}
