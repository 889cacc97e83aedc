package io.millrace.dispatch;

/** What becomes of an instance that a message has told of. */
public enum Arrival {
  /** It is held here and runs. */
  TAKEN,
  /** It has gone on without the message. */
  PASSED,
  /** No handler is free, or this engine stops. */
  FULL,
  /** It is for engines of another group, or with other definitions. */
  ELSEWHERE,
  /** There is no such instance. */
  UNKNOWN
}
