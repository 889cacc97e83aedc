package io.millrace.dispatch;

import io.millrace.lifecycle.EngineClock;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Handlers whose instances were given up and that still run here. The instance's next handler waits
 * for them, here and elsewhere, as long as another executor would have to wait for the lease.
 */
final class Exits {

  private record Exit(Held held, long deadlineNanos) {}

  private final EngineClock clock;
  private final long patienceNanos;
  private final Map<Long, Exit> byInstance = new ConcurrentHashMap<>();

  Exits(EngineClock clock, Duration patience) {
    this.clock = clock;
    this.patienceNanos = patience.toNanos();
  }

  /** Adds an instance that was dropped while its handler ran. */
  void expect(Held dropped) {
    Exit exit = new Exit(dropped, clock.nanoTime() + patienceNanos);
    byInstance.put(dropped.id(), exit);
    if (dropped.handlersEnded()) {
      byInstance.remove(dropped.id(), exit);
    }
  }

  /** Removes an instance whose handlers have ended, after that was noted in it. */
  void ended(Held dropped) {
    byInstance.computeIfPresent(dropped.id(), (id, exit) -> exit.held == dropped ? null : exit);
  }

  boolean isEmpty() {
    return byInstance.isEmpty();
  }

  /** True if a handler of the instance is waited for. */
  boolean contains(long instanceId) {
    Exit exit = byInstance.get(instanceId);
    if (exit == null) {
      return false;
    }
    if (clock.nanoTime() - exit.deadlineNanos < 0) {
      return true;
    }
    byInstance.remove(instanceId, exit);
    return false;
  }
}
