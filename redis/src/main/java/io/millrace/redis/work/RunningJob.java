package io.millrace.redis.work;

import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A leased job, from the lease until its end is stored. Its handler, or its wait for children, is
 * stopped only between {@code allowStop} and {@code disallowStop}. Thread-safe.
 */
final class RunningJob {

  /** Reason to stop a job. */
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
  private final AtomicBoolean completionStarted = new AtomicBoolean();
  private volatile long lockRenewedNanos;
  private volatile long stopRequestedNanos;
  private volatile @Nullable StopCause stopCause;
  private @Nullable Runnable stopAction;

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

  /** Returns why the job must stop; null while it may continue. */
  @Nullable StopCause stopCause() {
    return stopCause;
  }

  /** Returns when the stop was requested. */
  long stopRequestedNanos() {
    return stopRequestedNanos;
  }

  /** Sets the action that stops the job. It is called at once if a stop was requested already. */
  synchronized void allowStop(Runnable action) {
    stopAction = action;
    if (stopCause != null) {
      action.run();
    }
  }

  /** Removes the action that stops the job, after its handler or its wait has ended. */
  synchronized void disallowStop() {
    stopAction = null;
  }

  /** Returns true while the job's handler or its wait for children can be stopped. */
  synchronized boolean canStop() {
    return stopAction != null;
  }

  /**
   * Requests a stop; only the first request counts.
   *
   * @return true if it was the first, and the job could be stopped
   */
  synchronized boolean stop(StopCause why, long nowNanos) {
    if (stopCause != null || stopAction == null) {
      return false;
    }
    stopRequestedNanos = nowNanos;
    stopCause = why;
    stopAction.run();
    return true;
  }

  /** Returns true for the first caller, which must then store the end of the job. */
  boolean tryStartCompletion() {
    return completionStarted.compareAndSet(false, true);
  }

  /** Lets another caller store the end of the job, after the first one could not. */
  void cancelCompletion() {
    completionStarted.set(false);
  }
}
