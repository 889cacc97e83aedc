package io.millrace.continuous;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The executions that triggers of this engine wait for. Reports when one ends here, so that the
 * trigger need not wait for the next poll. An execution may end before its start is known here.
 * Thread-safe.
 */
final class ExecutionEndTracker {

  private final Map<Long, String> awaited = new ConcurrentHashMap<>();
  private final Set<Long> early = ConcurrentHashMap.newKeySet();
  private final AtomicInteger openFires = new AtomicInteger();
  private final Set<String> over = ConcurrentHashMap.newKeySet();

  /** Notes that an execution is about to be started. */
  void fireStarted() {
    openFires.incrementAndGet();
  }

  /** Notes that a fire is known now, or has started nothing. */
  void fireEnded() {
    if (openFires.decrementAndGet() == 0) {
      early.clear();
    }
  }

  /** Registers the wait for the end of an execution. Returns true if it has already ended. */
  boolean expect(long executionId, String name) {
    awaited.put(executionId, name);
    return early.remove(executionId) && over(executionId);
  }

  void forget(long executionId) {
    awaited.remove(executionId);
  }

  /** Records that an execution has ended here. Returns true if a trigger waits for it. */
  boolean ended(long executionId) {
    if (over(executionId)) {
      return true;
    }
    if (openFires.get() > 0) {
      early.add(executionId);
      // The execution may have been registered between the two checks.
      return over(executionId);
    }
    return false;
  }

  private boolean over(long executionId) {
    String name = awaited.remove(executionId);
    return name != null && over.add(name);
  }

  /** Notes that the execution of this workflow may have ended. */
  void suspect(String name) {
    over.add(name);
  }

  boolean isEmpty() {
    return over.isEmpty();
  }

  boolean awaitsAny() {
    return !awaited.isEmpty();
  }

  /** Returns the names of workflows whose executions have ended, each once. */
  List<String> take() {
    List<String> names = new ArrayList<>(over);
    names.forEach(over::remove);
    return names;
  }
}
