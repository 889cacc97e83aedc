package io.millrace.verification.architecture.planted.lifecycle;

/** The one place that may read the clock. */
final class AllowedClock {

  long nanos() {
    return System.nanoTime();
  }
}
