package io.millrace.verification.support;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A thread of the kind that runs handlers, which only counts short naps. While the process cannot
 * run, its ticks stop, so limits in ticks are fair on a busy machine, and limits in time are not.
 * Thread-safe.
 */
public final class ProcessTicker implements AutoCloseable {

  /** Number of ticks in a second in which the process can run. */
  public static final int PER_SECOND = 10;

  private static final Duration NAP = Duration.ofMillis(1_000 / PER_SECOND);

  private final AtomicLong beats = new AtomicLong();
  private final Thread thread;

  private ProcessTicker(Runnable listener) {
    thread = Thread.ofVirtual().name("pulse").start(() -> beat(listener));
  }

  /** Starts a ticker that only counts. */
  public static ProcessTicker start() {
    return start(() -> {});
  }

  /** Starts a ticker that calls {@code listener} at each tick, on its own thread. */
  public static ProcessTicker start(Runnable listener) {
    return new ProcessTicker(listener);
  }

  private void beat(Runnable listener) {
    try {
      while (true) {
        Thread.sleep(NAP);
        beats.incrementAndGet();
        listener.run();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Returns the time for which the process could run since the start; never longer than the elapsed
   * time.
   */
  public Duration runTime() {
    return NAP.multipliedBy(beats.get());
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
