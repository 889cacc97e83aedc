package io.millrace.dispatch;

import io.millrace.event.EngineEvent;
import io.millrace.instance.HistoryEntryType;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.WorkflowInstance;
import io.millrace.store.FailureFingerprint;
import io.millrace.store.Fence;
import io.millrace.store.SaveRequest;
import io.millrace.store.SaveResult;
import io.millrace.store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Parks claimed instances whose rows are invalid for this executor, so that they neither return
 * with every claim nor keep others from running.
 */
final class UnrunnableInstances {

  private static final Logger LOG = LoggerFactory.getLogger(UnrunnableInstances.class);

  private final EngineContext engine;

  UnrunnableInstances(EngineContext engine) {
    this.engine = engine;
  }

  /** Parks an instance; if that cannot be written now, leaves its release to {@link Reconciler}. */
  void park(WorkflowInstance claimed, String reason) {
    Long holder = claimed.lease().executorId();
    if (holder == null) {
      return;
    }
    SaveRequest.Target target =
        TransitionTargets.resting(claimed.state(), InstanceStatus.MANUAL, false);
    try {
      if (engine.store().instances().save(List.of(save(claimed, holder, target, reason))).getFirst()
          instanceof SaveResult.Fenced) {
        LOG.debug("Instance {} has passed on before it could be parked: {}", claimed.id(), reason);
        return;
      }
    } catch (StoreException e) {
      LOG.warn("Instance {} cannot be run and not be parked either: {}", claimed.id(), reason, e);
      return;
    }
    LOG.warn("Instance {} waits for an operator: {}", claimed.id(), reason);
    engine
        .events()
        .send(
            new EngineEvent.TransitionSaved(
                claimed.id(),
                claimed.type(),
                new EngineEvent.Transition(
                    HistoryEntryType.STATE_EXECUTION_FAILED,
                    claimed.state(),
                    target.state(),
                    target.status(),
                    Duration.ZERO,
                    null)));
  }

  private static SaveRequest save(
      WorkflowInstance claimed, long holder, SaveRequest.Target target, String reason) {
    return new SaveRequest(
        new Fence(claimed.id(), holder, claimed.lease().leaseVersion(), claimed.seq()),
        new SaveRequest.Entry(
            HistoryEntryType.STATE_EXECUTION_FAILED,
            claimed.state(),
            reason,
            null,
            claimed.lease().attempt(),
            Duration.ZERO,
            null),
        target,
        new SaveRequest.Changes(
            Map.of(),
            claimed.details().variableCount(),
            List.of(),
            List.of(),
            null,
            null,
            FailureFingerprint.of(claimed.type(), claimed.state(), reason)));
  }
}
