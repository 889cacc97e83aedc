package io.millrace.event;

import io.millrace.instance.HistoryEntryType;
import io.millrace.instance.InstanceStatus;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An event of this engine. Events about stored facts are sent after the commit. */
public sealed interface EngineEvent {

  /** An event about one instance. */
  sealed interface InstanceEvent extends EngineEvent {
    long instanceId();
  }

  /** An executor of this engine joined its group. */
  record ExecutorStarted(long executorId, String executorGroup) implements EngineEvent {}

  /**
   * The executor is ready for work.
   *
   * @param warm true if the data that it most likely needs was loaded before
   * @param setup time since it joined
   */
  record ExecutorReady(long executorId, boolean warm, Duration setup) implements EngineEvent {}

  /**
   * The executor has stopped; {@code held} is the number of instances that it still held, zero
   * after a graceful stop.
   */
  record ExecutorStopped(long executorId, int held) implements EngineEvent {}

  /**
   * A batch of due instances was claimed.
   *
   * @param lag the longest time from due to claimed among them, by the database's clock
   */
  record BatchClaimed(int size, Duration took, Duration lag) implements EngineEvent {}

  /** A batch of transitions was written in one transaction. */
  record BatchSaved(int size, Duration took) implements EngineEvent {}

  /** A batch could not be written because the database did not answer; it is retried. */
  record SaveDelayed(int size, int tries, Throwable cause) implements EngineEvent {}

  /** The lease could not be renewed in time; the executor dropped the instances it held. */
  record LeaseLost(long executorId, int held) implements EngineEvent {}

  /** A handler is about to be called. */
  record AttemptStarted(long instanceId, String type, String state, int attempt)
      implements InstanceEvent {}

  /** A transition was accepted. */
  record TransitionSaved(long instanceId, String type, Transition transition)
      implements InstanceEvent {}

  /**
   * The executor has dropped an instance because its lease has passed to another holder or an
   * operator has changed it; what its handler answers is ignored.
   */
  record ResultFenced(long instanceId, String type, int leaseVersion) implements InstanceEvent {}

  /** A handler has been running longer than the threshold. */
  record HandlerStuck(
      long instanceId,
      String type,
      String state,
      Duration running,
      List<StackTraceElement> stackTrace)
      implements InstanceEvent {}

  /** An instance was recovered from a dead executor. */
  record InstanceRecovered(long instanceId, long deadExecutorId, boolean parked)
      implements InstanceEvent {}

  /**
   * An accepted transition.
   *
   * @param failure the exception of the handler; null if it returned
   */
  record Transition(
      HistoryEntryType type,
      String from,
      String to,
      InstanceStatus status,
      Duration took,
      @Nullable Throwable failure) {}
}
