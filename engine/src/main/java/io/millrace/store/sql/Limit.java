package io.millrace.store.sql;

import java.time.Duration;

/** How long a statement may take until it is given up. */
record Limit(int seconds) {

  /** For what an engine does all the time: a dead connection is noticed before a lease ends. */
  static final Limit SHORT = new Limit(8);

  /** For what a heartbeat does beside the renewal, which must come in time again. */
  static final Limit URGENT = new Limit(3);

  /** For what looks through much, and for what runs in the caller's transaction. */
  static final Limit LONG = new Limit(30);

  private static final int MANY_ROWS = 2_000;

  /** For what writes as many rows as it is asked to. */
  static Limit forRows(int rows) {
    return rows > MANY_ROWS ? LONG : SHORT;
  }

  /** For a renewal: there is time for another try while the lease runs. */
  static Limit within(Duration lease) {
    return new Limit(Math.clamp(lease.toSeconds() / 3, 1, SHORT.seconds));
  }

  /** A little more, so that it strikes only when the server does not answer at all. */
  int networkMillis() {
    return (seconds + 1) * 1_000;
  }
}
