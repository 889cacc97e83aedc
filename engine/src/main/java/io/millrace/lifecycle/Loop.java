package io.millrace.lifecycle;

import java.time.Duration;

/** A periodic activity that a {@link Runner} drives. Thread-safe. */
public interface Loop {

  /** One round of work. */
  @FunctionalInterface
  interface Work {
    /**
     * Does one round; must not throw for anything that may pass by itself.
     *
     * @return how long to rest before the next round, unless woken; zero means at once
     */
    Duration tick();
  }

  /** Longer than any rest that matters; for rounds that only run when woken. */
  Duration UNTIL_WOKEN = Duration.ofDays(3650);

  /** Ends the rest before the next round. */
  void wake();

  /**
   * Ends the loop after its current round and waits for that end.
   *
   * @param patience the longest wait
   * @return true when the loop has ended
   */
  boolean stop(Duration patience);
}
