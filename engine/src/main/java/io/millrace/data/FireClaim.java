package io.millrace.data;

/** What came of a claim. */
public sealed interface FireClaim {

  /** The period is the claimant's, by this call or an earlier one. */
  record Claimed(Fire fire) implements FireClaim {}

  /** Somebody else has it, or had it and is done. */
  record Taken(Fire fire) implements FireClaim {}

  /** The instance that wanted it has passed on to another executor; nothing was written. */
  record Fenced() implements FireClaim {}
}
