package io.millrace.dispatch;

import io.millrace.instance.ExecutorState;
import io.millrace.lifecycle.EngineClock;
import java.time.Duration;

/**
 * The lease of this executor as this process knows it. {@link Heartbeat} renews it; the parts that
 * claim and run instances read it. Its end is judged by the monotonic time before the last
 * successful renewal was sent, so that this executor drops its instances before another executor
 * may recover them. Thread-safe.
 */
final class ExecutorLease {

  private final EngineClock clock;
  private final long lostNanos;
  private volatile long executorId;
  private volatile long renewedNanos;
  private volatile long unbrokenSince;
  private volatile ExecutorState state = ExecutorState.ACTIVE;
  private volatile boolean open;

  /**
   * @param nanos the monotonic time before the executor was registered
   */
  ExecutorLease(EngineClock clock, Duration lostAfter, long executorId, long nanos) {
    this.clock = clock;
    this.lostNanos = lostAfter.toNanos();
    this.executorId = executorId;
    this.renewedNanos = nanos;
    this.unbrokenSince = nanos;
  }

  /** Returns the lease of an engine that runs no instances, which is never valid. */
  static ExecutorLease none(EngineClock clock) {
    return new ExecutorLease(clock, Duration.ZERO, 0, clock.nanoTime());
  }

  long executorId() {
    return executorId;
  }

  /** Allows claims of new work from now on. */
  void open() {
    open = true;
  }

  /** Returns true while no other executor can have recovered the instances of this one. */
  boolean isValid() {
    return ageNanos() < lostNanos;
  }

  /**
   * Returns true if the lease runs and has done so without a gap since {@code nanos}: what this
   * executor held then and has not released it still holds.
   */
  boolean isValidSince(long nanos) {
    return isValid() && nanos - unbrokenSince >= 0;
  }

  /** Returns true while this executor may claim: its lease is valid and it accepts work. */
  boolean canClaim() {
    return isValid() && acceptsWork();
  }

  /** Returns true if the executor is open and not cordoned or draining. */
  boolean acceptsWork() {
    return open && state.acceptsWork();
  }

  /** Returns the state in this executor's row at the last heartbeat. */
  ExecutorState state() {
    return state;
  }

  /** Returns when the last successful renewal was sent; distinct for each renewal. */
  long renewedNanos() {
    return renewedNanos;
  }

  /** Returns the time since the last successful renewal was sent. */
  Duration age() {
    return Duration.ofNanos(ageNanos());
  }

  private long ageNanos() {
    return clock.nanoTime() - renewedNanos;
  }

  /** Records a successful renewal, which was sent at {@code sentNanos}. */
  void renewed(long sentNanos) {
    if (!isValid()) {
      unbrokenSince = clock.nanoTime();
    }
    renewedNanos = sentNanos;
  }

  /** Records the state that the last heartbeat found. */
  void state(ExecutorState found) {
    state = found;
  }

  /** Continues as another executor, since the row of this one is gone: it holds nothing. */
  void replaced(long newExecutorId) {
    executorId = newExecutorId;
    unbrokenSince = clock.nanoTime();
  }
}
