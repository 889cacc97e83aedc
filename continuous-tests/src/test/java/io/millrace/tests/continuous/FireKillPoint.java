package io.millrace.tests.continuous;

/** A place between two steps of a fire at which its process is killed. */
enum FireKillPoint {
  /** After the event is read; nothing is written. */
  READ,
  /** After the execution is written, but neither the position nor the commit. */
  CREATED("INSERT INTO millrace_instance (", false),
  /** After all of the fire is written, but not committed. */
  FIRED("SET position = COALESCE", false),
  /** After the fire is durable, but before any process knows. */
  FIRE_COMMITTED("SET position = COALESCE", true),
  /** After the fire is durable, but before its source is told. */
  ACCEPTED,
  /** While the execution runs. */
  EXECUTION_STARTED,
  /** After the claim of the period is written, but not committed. */
  CLAIMING("INSERT INTO millrace_period_ledger AS", false),
  /** After the claim of the period is durable. */
  CLAIMED,
  /** After the handler's immediate write is written, but not committed. */
  WRITING("INTO millrace_key_value", false),
  /** After the handler's immediate write is durable. */
  WRITTEN,
  /** After the end of the execution is written, but not committed. */
  ENDING("INSERT INTO millrace_history", false),
  /** After the end of the execution is durable, while its trigger waits for it. */
  ENDED("INSERT INTO millrace_history", true),
  /** After the end is recorded for the trigger, but not committed. */
  RECORDING_END("execution_id = NULL, iteration_count", false),
  /** After the end is recorded for the trigger. */
  END_RECORDED("execution_id = NULL, iteration_count", true);

  /** Part of the statement; empty for a point in the code of the trigger or the handler. */
  final String sql;

  /** True if the point is after the commit of the statement's transaction. */
  final boolean committed;

  FireKillPoint() {
    this("", false);
  }

  FireKillPoint(String sql, boolean committed) {
    this.sql = sql;
    this.committed = committed;
  }

  boolean isStatement() {
    return !sql.isEmpty();
  }
}
