package io.millrace.store;

import io.millrace.data.PeriodClaimRequest;
import io.millrace.data.PeriodEntry;
import io.millrace.data.PeriodState;
import io.millrace.instance.InstanceStatus;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Rules of claiming and closing periods. Pure; used by every store. */
public final class PeriodLedgerRules {

  private PeriodLedgerRules() {}

  /** Returns the state after a claim; an instance that claims for itself already runs. */
  public static PeriodState claimed(PeriodClaimRequest request) {
    PeriodState claimed = PeriodState.to(PeriodState.Operation.CLAIM);
    return request.executionId() == null ? claimed : PeriodState.to(PeriodState.Operation.START);
  }

  /** Returns true if the claimant already holds the entry, so that its claim is a repeated one. */
  public static boolean isOwn(PeriodEntry entry, PeriodClaimRequest request) {
    return entry.state().isHeld() && entry.hold().holder().equals(request.claimant());
  }

  /** Returns true if another holder can claim the entry. */
  public static boolean isFree(PeriodEntry entry, PeriodClaimRequest request, Instant now) {
    if (!entry.state().allows(PeriodState.Operation.CLAIM)) {
      return false;
    }
    Instant until = entry.hold().leaseUntil();
    return !entry.state().isHeld()
        || (until != null && until.isBefore(now) && entry.attempt() < request.maxAttempts());
  }

  /**
   * The closing of an entry.
   *
   * @param operation {@code COMPLETE}, {@code FAIL} or {@code RELEASE}
   */
  public record Closing(PeriodState.Operation operation, @Nullable String reason) {}

  /**
   * Returns how the end of an instance closes its entry.
   *
   * @param status null if the instance is missing
   * @param why the instance's own reason
   * @param attemptsLeft true if the period may be claimed again
   */
  public static Closing ofInstance(
      @Nullable InstanceStatus status, @Nullable String why, boolean attemptsLeft) {
    if (status == InstanceStatus.FINISHED) {
      return new Closing(PeriodState.Operation.COMPLETE, null);
    }
    String reason =
        status == null
            ? "its instance is gone, and nobody knows how it ended"
            : "its instance " + status.code() + (why == null ? "" : ": " + why);
    return new Closing(
        status != null && attemptsLeft ? PeriodState.Operation.RELEASE : PeriodState.Operation.FAIL,
        reason);
  }

  /** Returns how an entry closes whose lease expired with no attempt left. */
  public static Closing ofLease(int attempts) {
    return new Closing(
        PeriodState.Operation.FAIL,
        "its holder did not end it within its lease, and no attempt is left of " + attempts);
  }
}
