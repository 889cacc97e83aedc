package io.millrace.server.events;

import io.millrace.event.EngineEvent;
import io.millrace.event.EngineListener;
import io.millrace.server.security.InstancePermissions;
import io.millrace.server.security.Role;
import java.util.function.Predicate;

/**
 * A recorder of changes on this node, by its engine and by callers. Its methods are fast, and its
 * memory is bounded. Thread-safe.
 */
public final class ChangeFeed implements EngineListener {

  private final ChangeSet changes = new ChangeSet();
  private volatile Predicate<String> ofTasks = type -> false;

  /**
   * Declares the types whose changes are also changes of task sequences, from now on.
   *
   * @param type fast and non-blocking
   */
  public void setSequenceTypes(Predicate<String> type) {
    ofTasks = type;
  }

  @Override
  public void onEvent(EngineEvent event) {
    switch (event) {
      case EngineEvent.AttemptStarted e -> instanceChanged(e.instanceId(), e.type());
      case EngineEvent.TransitionSaved e -> instanceChanged(e.instanceId(), e.type());
      case EngineEvent.HandlerStuck e -> instanceChanged(e.instanceId(), e.type());
      case EngineEvent.InstanceRecovered e -> instanceChanged(e.instanceId());
      case EngineEvent.ExecutorStarted e -> executorsChanged();
      case EngineEvent.ExecutorStopped e -> executorsChanged();
      case EngineEvent.LeaseLost e -> executorsChanged();
      default -> {}
    }
  }

  /** Records a change of an instance. */
  public void instanceChanged(long id, String type) {
    if (!InstancePermissions.allows(Role.VIEWER, type, InstancePermissions.Access.READ)) {
      changes.restricted(type, id);
      return;
    }
    changes.instance(id);
    changes.type(type);
    if (ofTasks.test(type)) {
      changes.sequences();
    }
  }

  /** Records a change of an instance. */
  public void instanceChanged(long id) {
    changes.instance(id);
  }

  /** Records a change of task sequences or their tasks. */
  public void sequencesChanged() {
    changes.sequences();
  }

  /** Records a change of the list of executors. */
  public void executorsChanged() {
    changes.executors();
  }

  /**
   * Records that API keys, users or sessions have ended, so that all nodes check again which
   * streams may continue.
   */
  void credentialsEnded() {
    changes.credentials();
  }

  ChangeSet changes() {
    return changes;
  }
}
