package io.millrace.lifecycle;

/** The state of an engine; it only moves forward. */
public enum EngineState {
  /** The engine runs instances, or only starts and controls them. */
  RUNNING,
  /**
   * The engine's executor stops, for any reason: it claims nothing more; running handlers finish.
   */
  DRAINING,
  /** The engine runs nothing; instances can still be started, controlled and read. */
  DRAINED,
  /** The engine is closed. */
  CLOSED
}
