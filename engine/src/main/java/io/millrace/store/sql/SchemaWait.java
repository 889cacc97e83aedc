package io.millrace.store.sql;

import java.time.Duration;

/**
 * The patience with another process that applies migrations.
 *
 * @param report the time after which the wait is logged, again and again
 * @param limit the time after which the wait fails
 */
record SchemaWait(Duration report, Duration limit) {

  static final SchemaWait DEFAULT = new SchemaWait(Duration.ofSeconds(10), Duration.ofMinutes(10));

  /** Returns the number of reports until the limit. */
  long reports() {
    return Math.max(1, limit.dividedBy(report));
  }
}
