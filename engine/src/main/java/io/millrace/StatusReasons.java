package io.millrace;

import io.millrace.instance.ExecutorInfo;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.Position;
import io.millrace.instance.StatusReason;
import io.millrace.instance.WorkflowInstance;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Determines why an instance is in its current state. */
final class StatusReasons {

  private StatusReasons() {}

  /**
   * Returns the reason.
   *
   * @param queuedHere true if the instance waits for a handler; empty if it is not held here
   * @param now the database's time
   * @param executors of the instance's group
   * @param definitionId the instance's stored definition
   */
  static StatusReason of(
      WorkflowInstance instance,
      Optional<Boolean> queuedHere,
      Instant now,
      List<ExecutorInfo> executors,
      int definitionId) {
    Position position = instance.position();
    Long holder = instance.lease().executorId();
    if (holder != null) {
      StatusReason held = executing(holder, instance.lease().attempt(), now, executors);
      return held instanceof StatusReason.Executing executing
          ? queuedOr(executing, queuedHere, executors)
          : held;
    }
    InstanceStatus status = instance.status();
    return switch (status) {
      case FINISHED, FAILED, CANCELLED -> new StatusReason.Ended(status, position.reason());
      case PAUSED -> new StatusReason.Paused(position.reason());
      case MANUAL -> new StatusReason.Manual(position.state(), position.reason());
      case CREATED, IN_PROGRESS, EXECUTING -> waiting(instance, now, executors, definitionId);
    };
  }

  private static StatusReason executing(
      long holder, int attempt, Instant now, List<ExecutorInfo> executors) {
    for (ExecutorInfo executor : executors) {
      if (executor.id() == holder && !executor.isAlive(now)) {
        Instant since = executor.stopped() != null ? executor.stopped() : executor.expires();
        long live = executors.stream().filter(e -> e.isAlive(now)).count();
        return new StatusReason.ExecutorLost(holder, since, Math.toIntExact(live));
      }
    }
    return new StatusReason.Executing(holder, attempt);
  }

  /**
   * Returns the queued state if the executor has queued instances. The load of another node is
   * known as of its last heartbeat, not for each instance.
   */
  private static StatusReason queuedOr(
      StatusReason.Executing executing,
      Optional<Boolean> queuedHere,
      List<ExecutorInfo> executors) {
    if (queuedHere.isPresent()) {
      return queuedHere.get() ? new StatusReason.Queued(executing.executorId(), 0) : executing;
    }
    return executors.stream()
        .filter(e -> e.id() == executing.executorId() && e.load().queued() > 0)
        .findFirst()
        .<StatusReason>map(e -> new StatusReason.Queued(e.id(), e.load().queued()))
        .orElse(executing);
  }

  private static StatusReason waiting(
      WorkflowInstance instance, Instant now, List<ExecutorInfo> executors, int definitionId) {
    Position position = instance.position();
    Instant due = position.nextActivation();
    if (due != null && !due.isAfter(now)) {
      return unclaimed(instance, due, now, executors, definitionId);
    }
    if (due != null && instance.lease().attempt() > 0) {
      return new StatusReason.BackingOff(instance.lease().attempt(), due, position.reason());
    }
    String signal = position.awaitedSignal();
    if (signal != null) {
      return new StatusReason.WaitingForSignal(signal, position.waitUntil());
    }
    if (position.awaitsChildren() || due == null) {
      return new StatusReason.WaitingForChildren(instance.children());
    }
    return new StatusReason.WaitingForTimer(due);
  }

  private static StatusReason unclaimed(
      WorkflowInstance instance,
      Instant due,
      Instant now,
      List<ExecutorInfo> executors,
      int definitionId) {
    List<ExecutorInfo> live =
        executors.stream().filter(e -> e.isAlive(now) && e.state().acceptsWork()).toList();
    boolean known =
        live.stream().anyMatch(e -> e.identity().definitionIds().contains(definitionId));
    String group = instance.origin().executorGroup();
    return known || live.isEmpty()
        ? new StatusReason.WaitingForExecutor(group, due, live.size())
        : new StatusReason.NoMatchingExecutor(instance.type(), instance.version(), group);
  }
}
