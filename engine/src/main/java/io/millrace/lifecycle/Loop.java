package io.millrace.lifecycle;

import java.time.Duration;

/** A periodic activity that a {@link Runner} drives. Thread-safe. */
public interface Loop {

  /** One round of work. */
  @FunctionalInterface
  interface Work {
    /**
     * Does one round. Must not throw for a temporary error.
     *
     * @return how long to pause before the next round, unless woken; zero for no pause
     */
    Duration tick();
  }

  /** Pause that is longer than any that matters; for rounds that only run when woken. */
  Duration UNTIL_WOKEN = Duration.ofDays(3650);

  /** Ends the pause before the next round. */
  void wake();

  /**
   * Ends the loop after its current round and waits for that end.
   *
   * @param patience the longest wait
   * @return true if the loop has ended
   */
  boolean stop(Duration patience);
}
