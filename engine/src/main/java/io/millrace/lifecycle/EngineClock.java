package io.millrace.lifecycle;

import java.time.Instant;
import java.time.InstantSource;

/**
 * The clock of an engine. {@link #instant()} is wall-clock time, which may jump. {@link
 * #nanoTime()} only ever grows and measures lease deadlines and durations. Thread-safe.
 */
public interface EngineClock extends InstantSource {

  /** Returns nanoseconds from an arbitrary origin, never going back. */
  long nanoTime();

  /** Returns the clock of the machine. */
  static EngineClock system() {
    return new EngineClock() {
      @Override
      public Instant instant() {
        return Instant.now();
      }

      @Override
      public long nanoTime() {
        return System.nanoTime();
      }
    };
  }
}
