package io.millrace.lifecycle;

/** The state of an engine; it only moves forward. */
public enum EngineState {
  /** Runs instances, or only starts and controls them. */
  RUNNING,
  /** Claims nothing more; running handlers finish. */
  DRAINING,
  /** Runs nothing; instances can still be started, controlled and read. */
  DRAINED,
  /** Closed. */
  CLOSED
}
