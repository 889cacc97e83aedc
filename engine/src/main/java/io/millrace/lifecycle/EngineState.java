package io.millrace.lifecycle;

/** How far an engine is on its way from start to end; it only goes forward. */
public enum EngineState {
  /** It works, or steers where it runs no instances. */
  RUNNING,
  /** It claims nothing more and lets its handlers end. */
  DRAINING,
  /** It runs nothing any more, and still answers: instances can be started, steered and read. */
  DRAINED,
  /** It is of no more use. */
  CLOSED
}
