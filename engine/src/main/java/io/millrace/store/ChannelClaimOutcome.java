package io.millrace.store;

/** The outcome of the claim of an instance for which a channel message came, for its receiver. */
public enum ChannelClaimOutcome {
  /** This engine holds the lease, and the instance runs. */
  CLAIMED,
  /** The instance has continued without the message. */
  SUPERSEDED,
  /** The instance was not claimed: no place is free, or this engine stops. */
  NO_CAPACITY,
  /**
   * The instance was not claimed: it runs on engines of another group or with other definitions.
   */
  NOT_ELIGIBLE,
  /** There is no such instance. */
  NOT_FOUND
}
