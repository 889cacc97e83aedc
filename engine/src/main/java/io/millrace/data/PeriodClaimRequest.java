package io.millrace.data;

import io.millrace.instance.InvalidRequestException;
import io.millrace.instance.TimeLimits;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A request to claim the work of a period.
 *
 * @param claimant identifies the caller; if it asks again, it gets the same claim; 1 to 200
 *     characters
 * @param executorId the claimant's executor; null outside of every engine
 * @param executionId an instance whose end closes the entry; null for none
 * @param lease how long others are kept away unless it is renewed; null for as long as the instance
 *     runs
 * @param maxAttempts how often the period may be claimed after a lease ran out or an instance
 *     failed; 1 makes the first claim the final one, so that the work happens at most once. A
 *     period that its holder releases may always be claimed again.
 */
public record PeriodClaimRequest(
    PeriodId id,
    String claimant,
    @Nullable Long executorId,
    @Nullable Long executionId,
    @Nullable Duration lease,
    int maxAttempts) {

  /** Number of claims after which a period counts as failed, if its work happens at least once. */
  public static final int ATTEMPTS = 3;

  private static final int MAX_CLAIMANT = 200;

  /**
   * @throws InvalidRequestException if it could never be closed, or a part of it is out of range
   */
  public PeriodClaimRequest {
    DataValidation.name("claimant", claimant, MAX_CLAIMANT);
    DataValidation.positive("The lease of a claim", lease);
    lease = TimeLimits.limitedOrNull(lease);
    DataValidation.between("The number of attempts", maxAttempts, 1, 1_000_000);
    if (lease == null && executionId == null) {
      throw new InvalidRequestException(
          "The claim of "
              + id
              + " has neither a lease nor an instance, so nothing would ever end it; give it one.");
    }
  }

  /** Returns a request that lets others claim the period after the lease has expired. */
  public static PeriodClaimRequest atLeastOnce(PeriodId id, String claimant, Duration lease) {
    return new PeriodClaimRequest(id, claimant, null, null, lease, ATTEMPTS);
  }

  /** Returns a request for a single claim: if its lease expires, the period counts as failed. */
  public static PeriodClaimRequest atMostOnce(PeriodId id, String claimant, Duration lease) {
    return new PeriodClaimRequest(id, claimant, null, null, lease, 1);
  }

  /** Returns a request that holds the period until this instance ends. */
  public static PeriodClaimRequest of(PeriodId id, long executionId) {
    return new PeriodClaimRequest(id, "instance " + executionId, null, executionId, null, ATTEMPTS);
  }

  public PeriodClaimRequest by(long executor) {
    return new PeriodClaimRequest(id, claimant, executor, executionId, lease, maxAttempts);
  }

  public PeriodClaimRequest maxAttempts(int number) {
    return new PeriodClaimRequest(id, claimant, executorId, executionId, lease, number);
  }

  public PeriodClaimRequest lease(Duration time) {
    return new PeriodClaimRequest(id, claimant, executorId, executionId, time, maxAttempts);
  }
}
