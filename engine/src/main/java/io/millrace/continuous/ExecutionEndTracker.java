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

  /** Workflows whose execution has ended or may have ended. */
  private final Set<String> toCheck = ConcurrentHashMap.newKeySet();

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
    return early.remove(executionId) && markToCheck(executionId);
  }

  void forget(long executionId) {
    awaited.remove(executionId);
  }

  /** Records that an execution has ended here. Returns true if a trigger waits for it. */
  boolean ended(long executionId) {
    if (markToCheck(executionId)) {
      return true;
    }
    if (openFires.get() > 0) {
      early.add(executionId);
      // The execution may have been registered between the two checks.
      return markToCheck(executionId);
    }
    return false;
  }

  private boolean markToCheck(long executionId) {
    String name = awaited.remove(executionId);
    return name != null && toCheck.add(name);
  }

  /** Notes that the execution of this workflow may have ended. */
  void mayHaveEnded(String name) {
    toCheck.add(name);
  }

  boolean isEmpty() {
    return toCheck.isEmpty();
  }

  boolean awaitsAny() {
    return !awaited.isEmpty();
  }

  /** Returns the workflows whose execution has ended or may have ended, each once. */
  List<String> take() {
    List<String> names = new ArrayList<>(toCheck);
    names.forEach(toCheck::remove);
    return names;
  }
}
