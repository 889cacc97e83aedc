package io.millrace.extension;

import io.millrace.event.EngineListener;
import io.millrace.instance.StatusReason;
import io.millrace.instance.WorkflowInstance;
import io.millrace.store.RetentionSweep;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The running part of a feature in an engine, which outlives the engine's executors. */
public interface EnginePart {

  /** Returns what applications get of the feature from {@code Engine.get}, by type. */
  default Map<Class<?>, Object> clients() {
    return Map.of();
  }

  /** Returns the listeners for events of the engine, which come after those of the application. */
  default List<EngineListener> listeners() {
    return List.of();
  }

  /** Returns the clean-ups of the feature's rows. */
  default List<RetentionSweep> sweeps() {
    return List.of();
  }

  /** Returns the work that each executor does every few seconds, after it has recovered others. */
  default List<Runnable> afterRecovery() {
    return List.of();
  }

  /** Acts on a message for a channel that was written with a transition or start. */
  default void messageWritten() {}

  /**
   * Returns why an instance waits.
   *
   * @param reason the reason that the core has found
   */
  default StatusReason explain(WorkflowInstance instance, StatusReason reason) {
    return reason;
  }

  /**
   * Creates what runs for one executor, before it is registered; null for nothing.
   *
   * @param executor the services of the engine, those of an executor on this one
   */
  default @Nullable ExecutorPart join(EngineServices executor) {
    return null;
  }

  /** Starts, once the first executor is registered. */
  default void start() {}

  /** Starts nothing more; called while the executors still run. */
  default void stop(Duration patience) {}

  /** Ends; called after the executors have stopped. */
  default void close(Duration patience) {}
}
