package io.millrace.continuous;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Which workflows the executions belong to that end on this engine, so that their triggers need not
 * wait for the next look. An execution may end before its start is known here. Thread-safe.
 */
final class ExecutionEndTracker {

  private final Map<Long, String> awaited = new ConcurrentHashMap<>();
  private final Set<Long> early = ConcurrentHashMap.newKeySet();
  private final AtomicInteger openFires = new AtomicInteger();
  private final Set<String> over = ConcurrentHashMap.newKeySet();

  /** An execution is about to be started. */
  void fireStarted() {
    openFires.incrementAndGet();
  }

  /** Ends the wait for a fire that is known now, or started nothing. */
  void fireEnded() {
    if (openFires.decrementAndGet() == 0) {
      early.clear();
    }
  }

  /** The end of an execution is waited for. Answers with true when it has ended. */
  boolean expect(long executionId, String name) {
    awaited.put(executionId, name);
    return early.remove(executionId) && over(executionId);
  }

  void forget(long executionId) {
    awaited.remove(executionId);
  }

  /** An execution has ended here. Answers with true when some trigger waits for it. */
  boolean ended(long executionId) {
    if (over(executionId)) {
      return true;
    }
    if (openFires.get() > 0) {
      early.add(executionId);
      // It may have become known between the two.
      return over(executionId);
    }
    return false;
  }

  private boolean over(long executionId) {
    String name = awaited.remove(executionId);
    return name != null && over.add(name);
  }

  /** The execution of this workflow may be over. */
  void suspect(String name) {
    over.add(name);
  }

  boolean isEmpty() {
    return over.isEmpty();
  }

  boolean awaitsAny() {
    return !awaited.isEmpty();
  }

  /** The names of workflows whose executions have ended; each is told once. */
  List<String> take() {
    List<String> names = new ArrayList<>(over);
    names.forEach(over::remove);
    return names;
  }
}
