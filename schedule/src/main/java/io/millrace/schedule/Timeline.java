package io.millrace.schedule;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The instants of a recurrence in a zone, in both directions. Strictly monotonic. */
sealed interface Timeline permits CalendarTimeline, CronTimeline, IntervalTimeline, WindowTimeline {

  /** Returns the first slot of a schedule created at an instant; null if it never fires. */
  @Nullable Instant first(Instant created);

  /** Returns the first instant after {@code instant}; null for none. */
  @Nullable Instant next(Instant instant);

  /** Returns the last instant before {@code instant}; null for none. */
  @Nullable Instant previous(Instant instant);

  /** Returns the data window of a run at {@code slot}, which must be one of the instants. */
  DataWindow window(Instant slot);

  /**
   * Returns the time until which a run at {@code slot}, one of the instants, is not late.
   *
   * @param grace how late a run may be that nothing else limits
   */
  default Instant lateAfter(Instant slot, Duration grace) {
    return slot.plus(grace);
  }

  /** Returns a name of {@code slot}, one of the instants, that no other one has. */
  default String key(Instant slot) {
    return slot.toString();
  }

  /** Counts the slots from {@code first} to {@code last}, inclusive. */
  long count(Instant first, Instant last);

  /** Counts the instants one by one. */
  static long countOneByOne(Timeline timeline, Instant first, Instant last) {
    long count = 0;
    for (Instant at = first; at != null && !at.isAfter(last); at = timeline.next(at)) {
      count++;
    }
    return count;
  }
}
