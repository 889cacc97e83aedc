package io.millrace.redis.work;

import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A job in the hand of a worker, from the lease until its end is stored. The handler's thread is
 * interrupted only between {@code begin} and {@code end}. Thread-safe.
 */
final class Held {

  /** Why a handler shall stop. */
  enum Stop {
    /** The lock is another's, or has run out. */
    LOST,
    /** It ran longer than its queue allows. */
    OVERTIME,
    /** The process ends, and does not wait any longer. */
    STOPPED
  }

  private final Taken.Leased leased;
  private final long begunNanos;
  private final AtomicBoolean settled = new AtomicBoolean();
  private volatile long extendedNanos;
  private volatile long stoppedNanos;
  private volatile @Nullable Stop stop;
  private @Nullable Runnable interrupt;

  Held(Taken.Leased leased, long nowNanos) {
    this.leased = leased;
    this.begunNanos = nowNanos;
    this.extendedNanos = nowNanos;
  }

  Taken.Leased leased() {
    return leased;
  }

  long begunNanos() {
    return begunNanos;
  }

  /** When its lock was last set or renewed. */
  long extendedNanos() {
    return extendedNanos;
  }

  void extended(long nowNanos) {
    extendedNanos = nowNanos;
  }

  /** Why the handler shall stop; null while it may go on. */
  @Nullable Stop stop() {
    return stop;
  }

  /** When it was told to stop. */
  long stoppedNanos() {
    return stoppedNanos;
  }

  /** From now on the thread may be interrupted. */
  synchronized void begin(Runnable interruption) {
    interrupt = interruption;
    if (stop != null) {
      interruption.run();
    }
  }

  /** The handler has returned: what comes now is not its business. */
  synchronized void end() {
    interrupt = null;
  }

  /** True while the handler works on it. */
  synchronized boolean isRunning() {
    return interrupt != null;
  }

  /**
   * Tells the handler to stop; only the first reason counts.
   *
   * @return whether it was the first, and the handler was at work
   */
  synchronized boolean stop(Stop why, long nowNanos) {
    if (stop != null || interrupt == null) {
      return false;
    }
    stoppedNanos = nowNanos;
    stop = why;
    interrupt.run();
    return true;
  }

  /** True for the first who asks: that one stores what became of the job. */
  boolean settle() {
    return settled.compareAndSet(false, true);
  }

  /** Whoever took that on could not do it: the next one who asks may. */
  void unsettle() {
    settled.set(false);
  }

  /** Whether somebody has taken it on to store what became of the job. */
  boolean isSettled() {
    return settled.get();
  }
}
