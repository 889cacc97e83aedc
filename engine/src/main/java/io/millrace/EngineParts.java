package io.millrace;

import io.millrace.dispatch.InstanceExecutor;
import io.millrace.event.EngineListener;
import io.millrace.extension.EnginePart;
import io.millrace.extension.EngineServices;
import io.millrace.extension.ExecutorPart;
import io.millrace.instance.StatusReason;
import io.millrace.instance.WorkflowInstance;
import io.millrace.lifecycle.EndSteps;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The running parts of an engine's features, each after those that it needs. */
record EngineParts(List<EnginePart> parts) {

  EngineParts {
    parts = List.copyOf(parts);
  }

  /** Returns what a feature offers to applications; null if there is no such feature. */
  @Nullable Object find(Class<?> type) {
    return parts.stream()
        .map(part -> part.clients().get(type))
        .filter(Objects::nonNull)
        .findFirst()
        .orElse(null);
  }

  /**
   * Returns what a feature offers to applications.
   *
   * @throws IllegalStateException if there is no such feature
   */
  <T> T get(Class<T> type) {
    Object client = find(type);
    if (client == null) {
      throw missing(type);
    }
    return type.cast(client);
  }

  static IllegalStateException missing(Class<?> type) {
    return new IllegalStateException(
        "This engine has no "
            + type.getSimpleName()
            + ". Add the feature that has it to the builder with with(...).");
  }

  List<EngineListener> listeners() {
    return parts.stream().flatMap(part -> part.listeners().stream()).toList();
  }

  /** Returns the work of the features in the loops of executors. */
  InstanceExecutor.Features loops() {
    return new InstanceExecutor.Features(
        parts.stream().flatMap(part -> part.sweeps().stream()).toList(),
        parts.stream().flatMap(part -> part.afterRecovery().stream()).toList());
  }

  void messageWritten() {
    parts.forEach(EnginePart::messageWritten);
  }

  StatusReason explain(WorkflowInstance instance, StatusReason reason) {
    StatusReason explained = reason;
    for (EnginePart part : parts) {
      explained = part.explain(instance, explained);
    }
    return explained;
  }

  /** Creates what runs for one executor. */
  List<ExecutorPart> join(EngineServices executor) {
    List<ExecutorPart> joined = new ArrayList<>();
    for (EnginePart part : parts) {
      ExecutorPart one = part.join(executor);
      if (one != null) {
        joined.add(one);
      }
    }
    return List.copyOf(joined);
  }

  void start() {
    parts.forEach(EnginePart::start);
  }

  void stop(Duration patience) {
    EndSteps.run(
        parts.reversed().stream()
            .<Runnable>map(part -> () -> part.stop(patience))
            .toArray(Runnable[]::new));
  }

  void close(Duration patience) {
    EndSteps.run(
        parts.reversed().stream()
            .<Runnable>map(part -> () -> part.close(patience))
            .toArray(Runnable[]::new));
  }
}
