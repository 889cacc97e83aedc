package io.millrace.store;

import java.time.Instant;

/** What came of wanting an instance. */
public sealed interface ChannelClaimResult {

  /**
   * It is reserved.
   *
   * @param now the database's time of that
   */
  record Claimed(Instant now, ClaimResult.Claimed claimed) implements ChannelClaimResult {}

  /**
   * It has gone on, has ended, or does not run now; there is nothing to do for the one who asks.
   */
  record Superseded() implements ChannelClaimResult {}

  /** It is of another group, or of a definition that the executor lacks. */
  record NotEligible() implements ChannelClaimResult {}

  record NotFound() implements ChannelClaimResult {}
}
