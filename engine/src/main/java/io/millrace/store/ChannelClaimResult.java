package io.millrace.store;

import java.time.Instant;

/** The result of the claim of an announced instance. */
public sealed interface ChannelClaimResult {

  /**
   * The instance is claimed.
   *
   * @param now the database's time of the claim
   */
  record Claimed(Instant now, ClaimResult.Claimed claimed) implements ChannelClaimResult {}

  /** The instance has continued, has ended or is not running; the caller has nothing to do. */
  record Superseded() implements ChannelClaimResult {}

  /** The instance is of another group, or of a definition that the executor lacks. */
  record NotEligible() implements ChannelClaimResult {}

  /** The instance was not claimed: its data are more than one request may load. */
  record TooMuch() implements ChannelClaimResult {}

  record NotFound() implements ChannelClaimResult {}
}
