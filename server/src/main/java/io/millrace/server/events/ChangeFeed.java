package io.millrace.server.events;

import io.millrace.event.EngineEvent;
import io.millrace.event.EngineListener;
import io.millrace.server.security.InstancePermissions;
import io.millrace.server.security.Role;
import java.util.function.Predicate;

/**
 * Notes what changes on this node, by its engine and by what callers do. Quick and bounded;
 * thread-safe.
 */
public final class ChangeFeed implements EngineListener {

  private final ChangeSet changes = new ChangeSet();
  private volatile Predicate<String> ofTasks = type -> false;

  /**
   * From now on a change of an instance of certain types is one of task sequences, too.
   *
   * @param type quick, and never waits
   */
  public void setSequenceTypes(Predicate<String> type) {
    ofTasks = type;
  }

  @Override
  public void onEvent(EngineEvent event) {
    switch (event) {
      case EngineEvent.StepStarted e -> instanceChanged(e.instanceId(), e.type());
      case EngineEvent.StepSaved e -> instanceChanged(e.instanceId(), e.type());
      case EngineEvent.HandlerStuck e -> instanceChanged(e.instanceId(), e.type());
      case EngineEvent.InstanceRecovered e -> instanceChanged(e.instanceId());
      case EngineEvent.EngineStarted e -> executorsChanged();
      case EngineEvent.EngineStopped e -> executorsChanged();
      case EngineEvent.LeaseLost e -> executorsChanged();
      default -> {}
    }
  }

  /** An instance changed. */
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

  /** An instance changed. */
  public void instanceChanged(long id) {
    changes.instance(id);
  }

  /** Workflows made of tasks changed, or what they are made of. */
  public void sequencesChanged() {
    changes.sequences();
  }

  /** The list of executors changed. */
  public void executorsChanged() {
    changes.executors();
  }

  /** API keys, users or sessions ended, so that all nodes look again at who may still listen. */
  void credentialsEnded() {
    changes.credentials();
  }

  ChangeSet changes() {
    return changes;
  }
}
