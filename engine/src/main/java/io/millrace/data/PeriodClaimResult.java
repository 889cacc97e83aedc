package io.millrace.data;

/** The result of a claim. */
public sealed interface PeriodClaimResult {

  /** The period is the claimant's, by this call or an earlier one. */
  record Claimed(PeriodEntry fire) implements PeriodClaimResult {}

  /** Not claimed: another holder works on the period or has finished it. */
  record Taken(PeriodEntry fire) implements PeriodClaimResult {}

  /** The instance that wanted it has passed on to another executor; nothing was written. */
  record Fenced() implements PeriodClaimResult {}
}
