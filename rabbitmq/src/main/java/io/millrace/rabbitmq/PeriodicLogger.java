package io.millrace.rabbitmq;

import io.millrace.lifecycle.EngineClock;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/** Logs a lasting problem at once, and then once a minute unless it changes. Thread-safe. */
final class PeriodicLogger {

  private static final long REST_NANOS = Duration.ofMinutes(1).toNanos();

  private final Logger log;
  private final EngineClock clock;
  private @Nullable String last;
  private long lastNanos;
  private int untold;

  PeriodicLogger(Logger log, EngineClock clock) {
    this.log = log;
    this.clock = clock;
  }

  synchronized void warn(String trouble) {
    long now = clock.nanoTime();
    if (Objects.equals(last, trouble) && now - lastNanos < REST_NANOS) {
      log.debug("{}", trouble);
      return;
    }
    last = trouble;
    lastNanos = now;
    log.warn("{}", trouble);
  }

  /**
   * Logs one of many problems, each of which may have its own text; at most one a minute is a
   * warning.
   */
  synchronized void warnThrottled(String trouble) {
    long now = clock.nanoTime();
    if (last != null && now - lastNanos < REST_NANOS) {
      untold++;
      log.debug("{}", trouble);
      return;
    }
    log.warn(
        "{}{}", trouble, untold == 0 ? "" : " (" + untold + " more since the last of these lines)");
    last = trouble;
    lastNanos = now;
    untold = 0;
  }

  /** Ends the problem, so that the next one is logged at once. Returns true if there was one. */
  synchronized boolean end() {
    boolean was = last != null;
    last = null;
    return was;
  }
}
