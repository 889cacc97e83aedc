package io.millrace.dispatch;

/** What becomes of an instance that a message has told of. */
public enum ChannelClaimOutcome {
  /** It is held here and runs. */
  CLAIMED,
  /** It has gone on without the message. */
  SUPERSEDED,
  /** No handler is free, or this engine stops. */
  NO_CAPACITY,
  /** It is for engines of another group, or with other definitions. */
  NOT_ELIGIBLE,
  /** There is no such instance. */
  NOT_FOUND
}
