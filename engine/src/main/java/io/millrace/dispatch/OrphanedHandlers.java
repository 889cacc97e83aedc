package io.millrace.dispatch;

import io.millrace.lifecycle.EngineClock;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The handlers that still run after their instances were dropped. The instance's next handler waits
 * for them, here and elsewhere, as long as another executor would have to wait for the lease.
 */
final class OrphanedHandlers {

  private record OrphanedHandler(LeasedInstance leased, long deadlineNanos) {}

  private final EngineClock clock;
  private final long patienceNanos;
  private final Map<Long, OrphanedHandler> byInstance = new ConcurrentHashMap<>();

  OrphanedHandlers(EngineClock clock, Duration patience) {
    this.clock = clock;
    this.patienceNanos = patience.toNanos();
  }

  /** Adds an instance that was dropped while its handler ran. */
  void expect(LeasedInstance leased) {
    OrphanedHandler orphanedHandler = new OrphanedHandler(leased, clock.nanoTime() + patienceNanos);
    byInstance.put(leased.id(), orphanedHandler);
    if (leased.handlersEnded()) {
      byInstance.remove(leased.id(), orphanedHandler);
    }
  }

  /** Removes an instance after its handlers have ended. */
  void ended(LeasedInstance leased) {
    byInstance.computeIfPresent(
        leased.id(),
        (id, orphanedHandler) -> orphanedHandler.leased == leased ? null : orphanedHandler);
  }

  boolean isEmpty() {
    return byInstance.isEmpty();
  }

  /** Returns true if a new handler of the instance must wait for an old one. */
  boolean contains(long instanceId) {
    OrphanedHandler orphanedHandler = byInstance.get(instanceId);
    if (orphanedHandler == null) {
      return false;
    }
    if (clock.nanoTime() - orphanedHandler.deadlineNanos < 0) {
      return true;
    }
    byInstance.remove(instanceId, orphanedHandler);
    return false;
  }
}
