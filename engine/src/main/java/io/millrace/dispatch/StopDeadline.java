package io.millrace.dispatch;

import io.millrace.lifecycle.EngineClock;
import java.time.Duration;

/** The common deadline by which all parts of an executor must have stopped. */
record StopDeadline(EngineClock clock, long nanos) {

  static StopDeadline after(EngineClock clock, Duration time) {
    return new StopDeadline(clock, clock.nanoTime() + time.toNanos());
  }

  /** Returns the time that is left; zero if there is none. */
  Duration left() {
    return Duration.ofNanos(Math.max(0, nanos - clock.nanoTime()));
  }
}
