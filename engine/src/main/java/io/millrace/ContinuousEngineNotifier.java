package io.millrace;

import io.millrace.continuous.ContinuousEngine;
import io.millrace.event.EngineEvent;
import io.millrace.event.EngineListener;
import io.millrace.instance.InstanceStatus;
import org.jspecify.annotations.Nullable;

/**
 * A listener that tells continuous workflows about executions that have ended here and about a
 * lease that could not be renewed.
 */
final class ContinuousEngineNotifier implements EngineListener {

  private volatile @Nullable ContinuousEngine continuous;

  void tell(ContinuousEngine started) {
    continuous = started;
  }

  @Override
  public void onEvent(EngineEvent event) {
    ContinuousEngine present = continuous;
    if (present == null) {
      return;
    }
    if (event instanceof EngineEvent.TransitionSaved saved && isOver(saved.transition().status())) {
      present.ended(saved.instanceId(), saved.type());
    } else if (event instanceof EngineEvent.LeaseLost) {
      present.leaseLost();
    }
  }

  private static boolean isOver(InstanceStatus status) {
    return status.isTerminal() || status == InstanceStatus.MANUAL;
  }
}
