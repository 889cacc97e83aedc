package io.millrace;

import io.millrace.continuous.ContinuousEngine;
import io.millrace.dispatch.Dispatch;
import io.millrace.lifecycle.Waiter;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One executor's time in an engine: from when it joins until it has left. Those who start instances
 * through it are counted, so that it does not go from under them. Thread-safe.
 */
final class Tenure {

  private static final Duration PAUSE = Duration.ofMillis(20);

  private final Dispatch dispatch;
  private final ContinuousEngine continuous;
  private final AtomicInteger users = new AtomicInteger();

  Tenure(Dispatch dispatch, ContinuousEngine continuous) {
    this.dispatch = dispatch;
    this.continuous = continuous;
  }

  Dispatch dispatch() {
    return dispatch;
  }

  ContinuousEngine continuous() {
    return continuous;
  }

  void enter() {
    users.incrementAndGet();
  }

  void leave() {
    users.decrementAndGet();
  }

  /** Ends what the executor has left behind, for the engine's clients, when nobody uses it. */
  void end(Waiter waiter) {
    while (users.get() > 0) {
      try {
        waiter.await(PAUSE);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        break;
      }
    }
    dispatch.stop(Duration.ZERO);
  }
}
