package io.millrace.verification.continuous;

/** A place between two steps of a fire at which its process is killed. */
enum FireKillPoint {
  /** The event is read, and nothing written. */
  READ,
  /** The execution is written, but neither the position nor the commit. */
  CREATED("INSERT INTO millrace_workflow (", false),
  /** All of the fire is written, but not committed. */
  FIRED("SET position = COALESCE", false),
  /** The fire is durable, and nobody knows it. */
  FIRE_COMMITTED("SET position = COALESCE", true),
  /** The fire is durable, and its source is not told yet. */
  ACCEPTED,
  /** The execution runs. */
  EXECUTION_STARTED,
  /** The claim of the period is written, but not committed. */
  CLAIMING("INSERT INTO millrace_fire_ledger AS", false),
  /** The claim of the period is durable. */
  CLAIMED,
  /** What the handler writes at once is written, but not committed. */
  WRITING("INTO millrace_key_value", false),
  /** What the handler writes at once is durable. */
  WRITTEN,
  /** The end of the execution is written, but not committed. */
  ENDING("INSERT INTO millrace_workflow_action", false),
  /** The end of the execution is durable, and its trigger waits for it. */
  ENDED("INSERT INTO millrace_workflow_action", true),
  /** The trigger has control again, but that is not committed. */
  RECORDING_END("execution_id = NULL, iterations", false),
  /** The trigger has control again. */
  END_RECORDED("execution_id = NULL, iterations", true);

  /** Part of the statement; empty for a place in the trigger's or the handler's own code. */
  final String sql;

  /** True for after the commit of what the statement is a part of. */
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
