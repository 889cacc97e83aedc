package io.millrace.verification.support;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A thread of the kind that handlers have, which does nothing but count naps. Where a process is
 * not let run, its pulse stands still: limits in beats are fair on a busy machine, limits in time
 * are not. Thread-safe.
 */
public final class ProcessTicker implements AutoCloseable {

  /** Beats in a second in which the process can run. */
  public static final int PER_SECOND = 10;

  private static final Duration NAP = Duration.ofMillis(1_000 / PER_SECOND);

  private final AtomicLong beats = new AtomicLong();
  private final Thread thread;

  private ProcessTicker(Runnable listener) {
    thread = Thread.ofVirtual().name("pulse").start(() -> beat(listener));
  }

  /** A pulse that only counts. */
  public static ProcessTicker start() {
    return start(() -> {});
  }

  /** A pulse that calls {@code listener} at each beat, on its own thread. */
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

  /** For how long the process could run since the pulse was started; never longer than it is. */
  public Duration runTime() {
    return NAP.multipliedBy(beats.get());
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
