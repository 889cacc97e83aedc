package io.millrace.store;

import io.millrace.data.Fire;
import io.millrace.data.FireRequest;
import io.millrace.data.FireState;
import io.millrace.instance.InstanceStatus;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Who gets a period, and what an instance's end makes of it. Pure; every store asks here. */
public final class FireRules {

  private FireRules() {}

  /** What a claim makes of an entry: an instance that claims for itself runs already. */
  public static FireState claimed(FireRequest request) {
    FireState claimed = FireState.to(FireState.Deed.CLAIM);
    return request.executionId() == null ? claimed : FireState.to(FireState.Deed.START);
  }

  /** True when the claimant holds it already, so that its claim is a repeated one. */
  public static boolean isOwn(Fire fire, FireRequest request) {
    return fire.state().isHeld() && fire.hold().holder().equals(request.claimant());
  }

  /** True when somebody else may claim it. */
  public static boolean isFree(Fire fire, FireRequest request, Instant now) {
    if (!fire.state().allows(FireState.Deed.CLAIM)) {
      return false;
    }
    Instant until = fire.hold().leaseUntil();
    return !fire.state().isHeld()
        || (until != null && until.isBefore(now) && fire.attempt() < request.maxAttempts());
  }

  /**
   * How an entry is closed.
   *
   * @param deed {@code COMPLETE}, {@code FAIL} or {@code RELEASE}
   */
  public record Closing(FireState.Deed deed, @Nullable String reason) {}

  /**
   * How an instance's end closes its entry.
   *
   * @param status null when the instance is gone
   * @param why the instance's own reason
   * @param attemptsLeft whether the period may be claimed again
   */
  public static Closing ofInstance(
      @Nullable InstanceStatus status, @Nullable String why, boolean attemptsLeft) {
    if (status == InstanceStatus.FINISHED) {
      return new Closing(FireState.Deed.COMPLETE, null);
    }
    String reason =
        status == null
            ? "its instance is gone, and nobody knows how it ended"
            : "its instance " + status.code() + (why == null ? "" : ": " + why);
    return new Closing(
        status != null && attemptsLeft ? FireState.Deed.RELEASE : FireState.Deed.FAIL, reason);
  }

  /** How an entry is closed whose lease is over with no attempt left. */
  public static Closing ofLease(int attempts) {
    return new Closing(
        FireState.Deed.FAIL,
        "its holder did not end it within its lease, and no attempt is left of " + attempts);
  }
}
