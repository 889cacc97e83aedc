package io.millrace.dispatch;

import io.millrace.lifecycle.RunningTask;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The thread of one attempt. It may outlive the attempt, which ends at its timeout whether the
 * thread reacts or not.
 */
final class RunningHandler {

  private final LeasedInstance leased;
  private final String description;
  private final String state;
  private final boolean cpuBound;
  private volatile long runningSinceNanos;
  private volatile @Nullable RunningTask task;

  RunningHandler(LeasedInstance leased) {
    this.leased = leased;
    this.description = leased.toString();
    this.state = leased.state;
    this.cpuBound = leased.isCpuBound();
  }

  LeasedInstance leased() {
    return leased;
  }

  /** Returns the state that it runs, which its instance may have left. */
  String state() {
    return state;
  }

  /**
   * Returns true if it runs on a platform thread, which shares no processor with virtual threads.
   */
  boolean isCpuBound() {
    return cpuBound;
  }

  /** Records that the thread runs, after it may have waited for a processor. */
  void threadRuns(long nanos) {
    runningSinceNanos = nanos;
  }

  long runningSinceNanos() {
    return runningSinceNanos;
  }

  void task(RunningTask running) {
    task = running;
  }

  List<StackTraceElement> stackTrace() {
    RunningTask present = task;
    return present == null ? List.of() : present.stackTrace();
  }

  /** Returns true if its attempt has ended without it, as after a timeout. */
  boolean attemptEnded() {
    return leased.phase() != LeasedInstance.Phase.RUNNING || !Objects.equals(task, leased.task());
  }

  /** Returns the instance and the state that it had when the thread began. */
  @Override
  public String toString() {
    return attemptEnded() ? description + ", whose attempt has ended, still running" : description;
  }
}
