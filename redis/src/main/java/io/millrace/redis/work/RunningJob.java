package io.millrace.redis.work;

import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A job in the hand of a worker, from the lease until its end is stored. The handler's thread is
 * interrupted only between {@code begin} and {@code end}. Thread-safe.
 */
final class RunningJob {

  /** Why a handler shall stop. */
  enum StopCause {
    /** The lock is another's, or has run out. */
    LOST,
    /** It ran longer than its queue allows. */
    TIMEOUT,
    /** The process ends, and does not wait any longer. */
    STOPPED
  }

  private final LeaseResult.Leased leased;
  private final long startNanos;
  private final AtomicBoolean settled = new AtomicBoolean();
  private volatile long lockRenewedNanos;
  private volatile long stopRequestedNanos;
  private volatile @Nullable StopCause stopCause;
  private @Nullable Runnable interrupt;

  RunningJob(LeaseResult.Leased leased, long nowNanos) {
    this.leased = leased;
    this.startNanos = nowNanos;
    this.lockRenewedNanos = nowNanos;
  }

  LeaseResult.Leased leased() {
    return leased;
  }

  long startNanos() {
    return startNanos;
  }

  /** When its lock was last set or renewed. */
  long lockRenewedNanos() {
    return lockRenewedNanos;
  }

  void lockRenewed(long nowNanos) {
    lockRenewedNanos = nowNanos;
  }

  /** Why the handler shall stop; null while it may go on. */
  @Nullable StopCause stop() {
    return stopCause;
  }

  /** When it was told to stop. */
  long stopRequestedNanos() {
    return stopRequestedNanos;
  }

  /** From now on the thread may be interrupted. */
  synchronized void handlerStarted(Runnable interruption) {
    interrupt = interruption;
    if (stopCause != null) {
      interruption.run();
    }
  }

  /** The handler has returned: what comes now is not its business. */
  synchronized void handlerReturned() {
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
  synchronized boolean stop(StopCause why, long nowNanos) {
    if (stopCause != null || interrupt == null) {
      return false;
    }
    stopRequestedNanos = nowNanos;
    stopCause = why;
    interrupt.run();
    return true;
  }

  /** True for the first who asks: that one stores what became of the job. */
  boolean claimCompletion() {
    return settled.compareAndSet(false, true);
  }

  /** Whoever took that on could not do it: the next one who asks may. */
  void releaseCompletion() {
    settled.set(false);
  }

  /** Whether somebody has taken it on to store what became of the job. */
  boolean isSettled() {
    return settled.get();
  }
}
