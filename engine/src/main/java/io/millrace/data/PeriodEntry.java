package io.millrace.data;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An entry of the period ledger. Times are the database's.
 *
 * @param attempt how often it was claimed; 0 if it was missed
 * @param claimed when it was last claimed, or recorded as missed
 * @param ended when it was completed, failed, released or missed; null while it is held
 * @param reason why it ended as it did; null for none
 */
public record PeriodEntry(
    PeriodId id,
    PeriodState state,
    Hold hold,
    int attempt,
    Instant claimed,
    @Nullable Instant ended,
    @Nullable String reason) {

  /**
   * The current or last holder.
   *
   * @param token grows with every claim; an outside system must reject writes under a token once it
   *     has seen a higher one
   * @param holder the claimant
   * @param executorId the claimant's executor; null outside of every engine
   * @param executionId the instance that does the work and whose end closes the entry; null for
   *     none
   * @param leaseUntil when others may claim it; null for as long as the instance runs
   */
  public record Hold(
      long token,
      String holder,
      @Nullable Long executorId,
      @Nullable Long executionId,
      @Nullable Instant leaseUntil) {}

  /** Returns a name for this claim of this period. */
  public String claimId() {
    return id + "#" + hold.token;
  }
}
