package io.millrace.data;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An entry of the period ledger. Times are the database's.
 *
 * @param attempt how often it was claimed; 0 for one that was missed
 * @param claimed when it was claimed last, or written down as missed
 * @param ended when it was completed, failed, released or missed; null while it is held
 * @param reason why it ended as it did; null for nothing to say
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
   * @param token grows with every claim; what is written outside under a token is to be refused
   *     once a higher one was seen there
   * @param holder by whom it was claimed
   * @param executorId where; null for outside of every engine
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

  /** Names this claim of this period. */
  public String claimId() {
    return id + "#" + hold.token;
  }
}
