package io.millrace.continuous;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The runs of this engine's workflows, one of each. Thread-safe; only the supervisor adds to it.
 */
final class TriggerRunRegistry {

  private final Map<String, TriggerRun> present = new ConcurrentHashMap<>();

  /** Closed runs that a thread still uses, although a newer run or none is present. */
  private final Map<String, TriggerRun> lingering = new ConcurrentHashMap<>();

  private final ExecutionEndTracker tracker;

  TriggerRunRegistry(ExecutionEndTracker tracker) {
    this.tracker = tracker;
  }

  @Nullable TriggerRun find(String name) {
    return present.get(name);
  }

  boolean has(String name) {
    return present.containsKey(name);
  }

  Collection<TriggerRun> all() {
    return List.copyOf(present.values());
  }

  boolean isEmpty() {
    return present.isEmpty();
  }

  /**
   * Replaces a run, which is closed.
   *
   * @return the run that must be closed before this one is opened; null for none
   */
  @Nullable TriggerRun put(TriggerRun run) {
    TriggerRun before = present.put(run.name(), run);
    if (before != null) {
      part(before);
    }
    Long executing = run.executing();
    if (executing != null) {
      tracker.expect(executing, run.name());
    }
    return lingering.get(run.name());
  }

  /** Closes a run and forgets it. */
  void remove(TriggerRun run) {
    present.remove(run.name(), run);
    part(run);
  }

  private void part(TriggerRun run) {
    Long executing = run.executing();
    if (executing != null) {
      tracker.forget(executing);
    }
    run.close();
    if (!run.isClosed()) {
      lingering.put(run.name(), run);
      run.whenClosed(() -> lingering.remove(run.name(), run));
    }
  }
}
