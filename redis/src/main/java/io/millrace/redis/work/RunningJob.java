package io.millrace.redis.work;

import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A leased job, from the lease until its end is stored. The handler's thread is interrupted only
 * between {@code handlerStarted} and {@code handlerReturned}. Thread-safe.
 */
final class RunningJob {

  /** Reason to stop a handler. */
  enum StopCause {
    /** Another worker has the lock, or it has expired. */
    LOST,
    /** The handler ran longer than its queue allows. */
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

  /** Returns when its lock was last set or renewed. */
  long lockRenewedNanos() {
    return lockRenewedNanos;
  }

  void lockRenewed(long nowNanos) {
    lockRenewedNanos = nowNanos;
  }

  /** Returns why the handler must stop; null while it may continue. */
  @Nullable StopCause stop() {
    return stopCause;
  }

  /** Returns when the handler was told to stop. */
  long stopRequestedNanos() {
    return stopRequestedNanos;
  }

  /** Records that the handler has started; from now on its thread may be interrupted. */
  synchronized void handlerStarted(Runnable interruption) {
    interrupt = interruption;
    if (stopCause != null) {
      interruption.run();
    }
  }

  /** Records that the handler has returned; from now on its thread is not interrupted. */
  synchronized void handlerReturned() {
    interrupt = null;
  }

  /** Returns true while the handler runs. */
  synchronized boolean isRunning() {
    return interrupt != null;
  }

  /**
   * Tells the handler to stop; only the first reason counts.
   *
   * @return true if it was the first, and the handler was running
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

  /** Returns true for the first caller, which then stores the end of the job. */
  boolean claimCompletion() {
    return settled.compareAndSet(false, true);
  }

  /** Lets another caller store the end of the job, after the first one could not. */
  void releaseCompletion() {
    settled.set(false);
  }

  /** Returns true if a caller has claimed to store the end of the job. */
  boolean isSettled() {
    return settled.get();
  }
}
