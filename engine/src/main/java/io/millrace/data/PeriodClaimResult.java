package io.millrace.data;

/** What came of a claim. */
public sealed interface PeriodClaimResult {

  /** The period is the claimant's, by this call or an earlier one. */
  record Claimed(PeriodEntry fire) implements PeriodClaimResult {}

  /** Somebody else has it, or had it and is done. */
  record Taken(PeriodEntry fire) implements PeriodClaimResult {}

  /** The instance that wanted it has passed on to another executor; nothing was written. */
  record Fenced() implements PeriodClaimResult {}
}
