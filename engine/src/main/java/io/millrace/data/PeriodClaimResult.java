package io.millrace.data;

/** The result of a claim. */
public sealed interface PeriodClaimResult {

  /** The claimant holds the period, by this call or an earlier one. */
  record Claimed(PeriodEntry entry) implements PeriodClaimResult {}

  /** Not claimed: another holder works on the period or has finished it. */
  record Taken(PeriodEntry entry) implements PeriodClaimResult {}

  /** The requesting instance has passed to another executor; nothing was written. */
  record Fenced() implements PeriodClaimResult {}
}
