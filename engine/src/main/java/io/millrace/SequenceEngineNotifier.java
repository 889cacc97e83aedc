package io.millrace;

import io.millrace.event.EngineEvent;
import io.millrace.event.EngineListener;
import io.millrace.sequence.SequenceEngine;
import org.jspecify.annotations.Nullable;

/**
 * A listener that tells task sequences about executions that have ended here, so that whatever
 * waits for them starts.
 */
final class SequenceEngineNotifier implements EngineListener {

  private volatile @Nullable SequenceEngine sequences;

  void tell(SequenceEngine started) {
    sequences = started;
  }

  @Override
  public void onEvent(EngineEvent event) {
    SequenceEngine present = sequences;
    if (present != null
        && event instanceof EngineEvent.TransitionSaved saved
        && saved.transition().status().isTerminal()) {
      present.ended(saved.type());
    }
  }
}
