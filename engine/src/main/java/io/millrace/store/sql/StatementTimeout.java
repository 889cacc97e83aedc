package io.millrace.store.sql;

import java.time.Duration;

/** How long a statement may take until it is given up. */
record StatementTimeout(int seconds) {

  /** For what an engine does all the time: a dead connection is noticed before a lease ends. */
  static final StatementTimeout SHORT = new StatementTimeout(8);

  /** For what a heartbeat does beside the renewal, which must come in time again. */
  static final StatementTimeout URGENT = new StatementTimeout(3);

  /** For what looks through much, and for what runs in the caller's transaction. */
  static final StatementTimeout LONG = new StatementTimeout(30);

  private static final int MANY_ROWS = 2_000;

  /** For what writes as many rows as it is asked to. */
  static StatementTimeout forRows(int rows) {
    return rows > MANY_ROWS ? LONG : SHORT;
  }

  /** For a renewal: there is time for another try while the lease runs. */
  static StatementTimeout within(Duration lease) {
    return new StatementTimeout(Math.clamp(lease.toSeconds() / 3, 1, SHORT.seconds));
  }

  Duration duration() {
    return Duration.ofSeconds(seconds);
  }

  /** A little more, so that it strikes only when the server does not answer at all. */
  int networkMillis() {
    return (seconds + 1) * 1_000;
  }
}
