package io.millrace.store.sql;

import java.time.Duration;

/** The time limit of a statement. */
record StatementTimeout(int seconds) {

  /** Limit of the engine's regular statements: a dead connection is noticed before a lease ends. */
  static final StatementTimeout SHORT = new StatementTimeout(8);

  /** Limit of a heartbeat's statements beside the renewal, which must be in time again. */
  static final StatementTimeout URGENT = new StatementTimeout(3);

  /** Limit of statements that read much, and of those in the caller's transaction. */
  static final StatementTimeout LONG = new StatementTimeout(30);

  /** No limit, for migrations. */
  static final StatementTimeout NONE = new StatementTimeout(0);

  private static final int MANY_ROWS = 2_000;

  /** Returns the limit of a statement that writes this many rows. */
  static StatementTimeout forRows(int rows) {
    return rows > MANY_ROWS ? LONG : SHORT;
  }

  /** Returns the limit of a renewal, which leaves time for another try while the lease runs. */
  static StatementTimeout within(Duration lease) {
    return new StatementTimeout(Math.clamp(lease.toSeconds() / 3, 1, SHORT.seconds));
  }

  boolean limited() {
    return seconds > 0;
  }

  /** Returns the time in which a transaction is retried after a conflict. */
  Duration duration() {
    return Duration.ofSeconds(limited() ? seconds : LONG.seconds);
  }

  /**
   * Returns the network timeout, which is a little longer, so that it expires only if the server
   * does not answer at all; 0 for none.
   */
  int networkMillis() {
    return limited() ? (seconds + 1) * 1_000 : 0;
  }
}
