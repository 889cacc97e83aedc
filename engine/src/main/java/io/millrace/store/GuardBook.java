package io.millrace.store;

import io.millrace.data.Fire;
import io.millrace.data.FireClaim;
import io.millrace.data.FireId;
import io.millrace.data.FireRequest;
import io.millrace.data.FireState;
import io.millrace.data.OncePerPeriod;
import io.millrace.schedule.Period;
import io.millrace.store.FireStore.End;
import io.millrace.store.FireStore.FireEnd;
import java.time.InstantSource;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/** The guard of periods on behalf of an instance. */
public final class GuardBook implements OncePerPeriod {

  /** Begins the ids of schedules in the ledger that guards decide about. */
  public static final String PREFIX = "guard:";

  private final FireStore store;
  private final Caller caller;
  private final InstantSource clock;
  private final long executionId;

  /**
   * @param clock tells which period it is now
   * @param executionId the instance on whose behalf periods are claimed
   */
  public GuardBook(FireStore store, Caller caller, InstantSource clock, long executionId) {
    this.store = store;
    this.caller = caller;
    this.clock = clock;
    this.executionId = executionId;
  }

  @Override
  public Answer claim(String workflowId, String period) {
    return claimFor(workflowId, period, executionId);
  }

  @Override
  public Answer claim(String workflowId, Period period, ZoneId zone) {
    return claim(workflowId, period.key(clock.instant(), zone));
  }

  @Override
  public Answer claimFor(String workflowId, String period, long execution) {
    FireId id = new FireId(PREFIX + workflowId, period);
    Fence fence = caller.fence();
    FireRequest plain = FireRequest.of(id, execution);
    FireRequest request = fence == null ? plain : plain.by(fence.executorId());
    return switch (caller.call(() -> store.claim(request, fence))) {
      case FireClaim.Claimed(Fire fire) -> answer(fire, true);
      case FireClaim.Taken(Fire fire) -> answer(fire, false);
      case FireClaim.Fenced fenced -> throw caller.fenced("Period " + id);
    };
  }

  private static Answer answer(Fire fire, boolean mine) {
    return new Answer(fire.id(), mine, fire.claimId(), fire.hold().token(), mine ? null : fire);
  }

  @Override
  public boolean complete(Answer answer) {
    return end(answer, FireState.Deed.COMPLETE, null);
  }

  @Override
  public boolean release(Answer answer, String reason) {
    return end(answer, FireState.Deed.RELEASE, reason);
  }

  private boolean end(Answer answer, FireState.Deed deed, @Nullable String reason) {
    if (!answer.shouldRun()) {
      return false;
    }
    End end = new End(answer.period(), answer.fencingToken(), deed, reason);
    return switch (caller.call(() -> store.end(end, caller.fence()))) {
      case FireEnd.Ended ended -> true;
      case FireEnd.Passed passed -> false;
      case FireEnd.Fenced fenced -> throw caller.fenced("Period " + answer.period());
    };
  }
}
