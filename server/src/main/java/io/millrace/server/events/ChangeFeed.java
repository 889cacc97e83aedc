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
   * From now on a change of an instance of certain types is one of workflows made of tasks, too.
   *
   * @param type quick, and never waits
   */
  public void sequencesHave(Predicate<String> type) {
    ofTasks = type;
  }

  @Override
  public void onEvent(EngineEvent event) {
    switch (event) {
      case EngineEvent.StepStarted e -> instance(e.instanceId(), e.type());
      case EngineEvent.StepSaved e -> instance(e.instanceId(), e.type());
      case EngineEvent.Stuck e -> instance(e.instanceId(), e.type());
      case EngineEvent.Recovered e -> instance(e.instanceId());
      case EngineEvent.EngineStarted e -> executors();
      case EngineEvent.EngineStopped e -> executors();
      case EngineEvent.LeasesGivenUp e -> executors();
      default -> {}
    }
  }

  /** An instance changed. */
  public void instance(long id, String type) {
    if (!InstancePermissions.allows(Role.VIEWER, type, InstancePermissions.Use.READ)) {
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
  public void instance(long id) {
    changes.instance(id);
  }

  /** Workflows made of tasks changed, or what they are made of. */
  public void sequences() {
    changes.sequences();
  }

  /** The list of executors changed. */
  public void executors() {
    changes.executors();
  }

  ChangeSet changes() {
    return changes;
  }
}
