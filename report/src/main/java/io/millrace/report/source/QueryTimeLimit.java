package io.millrace.report.source;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Time limit of work inside this process for a query. An interrupt also ends the work. */
final class QueryTimeLimit {

  private final String where;
  private final Duration limit;
  private final long start = System.nanoTime();

  /**
   * Starts the limit.
   *
   * @param where names the source in messages, after "the"
   */
  QueryTimeLimit(String where, Duration limit) {
    this.where = where;
    this.limit = limit;
  }

  /**
   * Checks the limit; long work must call it often.
   *
   * @throws SourceException when the time is over, or the thread was interrupted
   */
  void check() {
    if (Thread.currentThread().isInterrupted()) {
      throw interrupted(null);
    }
    if (left() <= 0) {
      throw over();
    }
  }

  /** Acquires a lock within the limit, because other threads may hold it for long. */
  void lock(ReentrantLock lock) {
    try {
      if (!lock.tryLock(Math.max(0, left()), TimeUnit.NANOSECONDS)) {
        throw over();
      }
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  /**
   * Returns the exception for work that was interrupted, and keeps the thread's interrupt status.
   */
  SourceException interrupted(@Nullable Exception cause) {
    Thread.currentThread().interrupt();
    return new SourceException("Reading the " + where + " was interrupted", cause);
  }

  private long left() {
    return limit.toNanos() - (System.nanoTime() - start);
  }

  private SourceException over() {
    return new SourceException(
        "The %s did not answer within %s s. Ask about a shorter window, or for less."
            .formatted(
                where,
                BigDecimal.valueOf(limit.toMillis(), 3).stripTrailingZeros().toPlainString()));
  }
}
