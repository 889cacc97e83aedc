package io.millrace.lifecycle;

import java.time.Instant;
import java.time.InstantSource;

/**
 * The one clock of an engine. {@link #instant()} is wall-clock time, which may jump; {@link
 * #nanoTime()} only ever grows and is what lease deadlines and durations are measured with.
 * Thread-safe.
 */
public interface EngineClock extends InstantSource {

  /** Nanoseconds from an arbitrary origin, never going back. */
  long nanoTime();

  /** The clock of the machine. */
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
