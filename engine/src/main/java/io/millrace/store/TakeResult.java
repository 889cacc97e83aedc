package io.millrace.store;

import java.time.Instant;

/** What came of wanting an instance. */
public sealed interface TakeResult {

  /**
   * It is reserved.
   *
   * @param now the database's time of that
   */
  record Taken(Instant now, ClaimResult.Claimed claimed) implements TakeResult {}

  /**
   * It has gone on, has ended, or does not run now; there is nothing to do for the one who asks.
   */
  record Passed() implements TakeResult {}

  /** It is of another group, or of a definition that the executor lacks. */
  record Elsewhere() implements TakeResult {}

  record Unknown() implements TakeResult {}
}
