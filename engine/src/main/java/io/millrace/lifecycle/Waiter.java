package io.millrace.lifecycle;

import java.time.Duration;

/**
 * A resting place with a wake-up call. A call made while nobody rests is kept (once), so that it is
 * never lost. One thread awaits; any thread may wake.
 */
public interface Waiter {

  /**
   * Rests until woken or until {@code limit} has passed.
   *
   * @return true when woken
   * @throws InterruptedException when the resting thread is interrupted
   */
  boolean await(Duration limit) throws InterruptedException;

  /** Ends the current rest, or the next one when nobody rests now. */
  void wake();
}
