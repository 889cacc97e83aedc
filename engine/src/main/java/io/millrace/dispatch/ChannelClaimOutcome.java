package io.millrace.dispatch;

/** The outcome of the claim of an instance that a message has announced. */
public enum ChannelClaimOutcome {
  /** Leased by this engine, and running. */
  CLAIMED,
  /** Continued without the message. */
  SUPERSEDED,
  /** Not claimed: no handler is free, or this engine stops. */
  NO_CAPACITY,
  /** Not claimed: runs on engines of another group or with other definitions. */
  NOT_ELIGIBLE,
  /** There is no such instance. */
  NOT_FOUND
}
