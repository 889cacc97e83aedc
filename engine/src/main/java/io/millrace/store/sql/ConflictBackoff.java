package io.millrace.store.sql;

import io.millrace.lifecycle.EngineRuntime;
import io.millrace.lifecycle.Waiter;
import java.time.Duration;

/**
 * The pauses of a caller whose transaction the database has rolled back because of a conflict. They
 * grow, and half of each is random, so that the same transactions do not conflict again.
 */
final class ConflictBackoff {

  private static final long FIRST_MILLIS = 4;
  private static final long MAX_MILLIS = 256;
  private static final int MAX_DOUBLINGS = 6;

  private final EngineRuntime runtime;
  private final Waiter waiter;
  private final long endNanos;
  private int pauses;

  /**
   * @param limit the time after which nothing is retried
   */
  ConflictBackoff(EngineRuntime runtime, Duration limit) {
    this.runtime = runtime;
    this.waiter = runtime.runner().waiter();
    this.endNanos = runtime.clock().nanoTime() + limit.toNanos();
  }

  /**
   * Waits before the next try. Returns false if the time is over, or the thread was interrupted.
   */
  boolean pause() {
    long full = Math.min(MAX_MILLIS, FIRST_MILLIS << Math.min(pauses++, MAX_DOUBLINGS));
    Duration pause = Duration.ofMillis(full / 2 + runtime.random().nextLong(full / 2 + 1));
    if (runtime.clock().nanoTime() + pause.toNanos() - endNanos > 0) {
      return false;
    }
    try {
      waiter.await(pause);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
