package io.millrace.dispatch;

import io.millrace.event.EngineEvent;
import io.millrace.event.EngineListener;
import io.millrace.instance.TimeLimits;
import io.millrace.instance.WorkflowInstance;
import io.millrace.lifecycle.EngineRuntime;
import io.millrace.lifecycle.Waiter;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * The callers that wait for the end of an instance: notified at once of ends on this engine, and by
 * polling of ends elsewhere.
 */
final class CompletionWaiters implements EngineListener {

  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(250);

  private final EngineRuntime runtime;
  private final Map<Long, Set<Waiter>> waiters = new ConcurrentHashMap<>();

  CompletionWaiters(EngineRuntime runtime) {
    this.runtime = runtime;
  }

  @Override
  public void onEvent(EngineEvent event) {
    if (event instanceof EngineEvent.TransitionSaved saved
        && saved.transition().status().isTerminal()) {
      waiters.getOrDefault(saved.instanceId(), Set.of()).forEach(Waiter::wake);
    }
  }

  /** Wakes all waiting callers. */
  void wakeAll() {
    waiters.values().forEach(all -> all.forEach(Waiter::wake));
  }

  /**
   * Waits for the end of the instance, and returns it as it is when it has ended, {@code limit} has
   * passed, the engine is closed or the caller is interrupted.
   *
   * @param closed true once nothing can be read any more
   */
  WorkflowInstance await(
      long instanceId, Duration limit, Supplier<WorkflowInstance> reader, BooleanSupplier closed) {
    Waiter waiter = runtime.runner().waiter();
    waiters.computeIfAbsent(instanceId, id -> ConcurrentHashMap.newKeySet()).add(waiter);
    try {
      return await(waiter, runtime.clock().nanoTime() + TimeLimits.nanos(limit), reader, closed);
    } finally {
      waiters.computeIfPresent(
          instanceId, (id, all) -> all.remove(waiter) && all.isEmpty() ? null : all);
    }
  }

  private WorkflowInstance await(
      Waiter waiter, long end, Supplier<WorkflowInstance> reader, BooleanSupplier closed) {
    WorkflowInstance instance = reader.get();
    for (long left = end - runtime.clock().nanoTime();
        left > 0 && !instance.status().isTerminal();
        left = end - runtime.clock().nanoTime()) {
      try {
        waiter.await(Duration.ofNanos(Math.min(left, BETWEEN_LOOKS.toNanos())));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return instance;
      }
      if (closed.getAsBoolean()) {
        return instance;
      }
      instance = reader.get();
    }
    return instance;
  }
}
