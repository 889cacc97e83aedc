package io.millrace;

import io.millrace.continuous.ContinuousEngine;
import io.millrace.dispatch.InstanceExecutor;
import io.millrace.lifecycle.Waiter;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The life of one executor in an engine, from registration to its stop. Counts the callers that
 * start instances through it, so that it does not stop under them. Thread-safe.
 */
final class ExecutorSession {

  private static final Duration PAUSE = Duration.ofMillis(20);

  private final InstanceExecutor instanceExecutor;
  private final ContinuousEngine continuous;
  private final AtomicInteger users = new AtomicInteger();

  ExecutorSession(InstanceExecutor instanceExecutor, ContinuousEngine continuous) {
    this.instanceExecutor = instanceExecutor;
    this.continuous = continuous;
  }

  InstanceExecutor executor() {
    return instanceExecutor;
  }

  ContinuousEngine continuous() {
    return continuous;
  }

  void acquire() {
    users.incrementAndGet();
  }

  void release() {
    users.decrementAndGet();
  }

  /** Waits until nothing uses the executor, then stops what is left of it. */
  void close(Waiter waiter) {
    while (users.get() > 0) {
      try {
        waiter.await(PAUSE);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        break;
      }
    }
    instanceExecutor.stop(Duration.ZERO);
  }
}
