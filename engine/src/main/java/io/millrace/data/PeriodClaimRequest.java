package io.millrace.data;

import io.millrace.instance.InvalidRequestException;
import io.millrace.instance.TimeLimits;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A request to claim the work of a period.
 *
 * @param claimant who it is: the same one who asks again is told again that it holds the period; 1
 *     to 200 characters
 * @param executorId where; null for outside of every engine
 * @param executionId an instance whose end closes the entry; null for none
 * @param lease how long others are kept away unless it is renewed; null for as long as the instance
 *     runs
 * @param maxAttempts how often the period may be claimed, when a lease ran out or an instance
 *     failed; 1 makes the first claim the final one, so that the work happens at most once. What
 *     its holder gives back may always be claimed again.
 */
public record PeriodClaimRequest(
    PeriodId id,
    String claimant,
    @Nullable Long executorId,
    @Nullable Long executionId,
    @Nullable Duration lease,
    int maxAttempts) {

  /** Claims until a period counts as failed, where work happens at least once. */
  public static final int ATTEMPTS = 3;

  private static final int MAX_CLAIMANT = 200;

  /**
   * @throws InvalidRequestException when it could never be closed, or a part of it is out of its
   *     range
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

  /** Others may do it when the lease runs out. */
  public static PeriodClaimRequest atLeastOnce(PeriodId id, String claimant, Duration lease) {
    return new PeriodClaimRequest(id, claimant, null, null, lease, ATTEMPTS);
  }

  /** Nobody does it again when the lease runs out; then it counts as failed. */
  public static PeriodClaimRequest atMostOnce(PeriodId id, String claimant, Duration lease) {
    return new PeriodClaimRequest(id, claimant, null, null, lease, 1);
  }

  /** Until this instance ends. */
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
