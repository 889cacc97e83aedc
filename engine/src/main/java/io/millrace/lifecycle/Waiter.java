package io.millrace.lifecycle;

import java.time.Duration;

/**
 * A waiter with a wake-up call. A call made while no thread waits is kept (once), so that it is
 * never lost. One thread awaits; any thread may wake.
 */
public interface Waiter {

  /**
   * Waits until woken or until {@code limit} has passed.
   *
   * @return true if woken
   * @throws InterruptedException if the waiting thread is interrupted
   */
  boolean await(Duration limit) throws InterruptedException;

  /** Ends the current wait, or the next one if no thread waits now. */
  void wake();
}
