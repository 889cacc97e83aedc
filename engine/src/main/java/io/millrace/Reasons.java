package io.millrace;

import io.millrace.instance.ExecutorInfo;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.Position;
import io.millrace.instance.WhyHere;
import io.millrace.instance.WorkflowInstance;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Finds out why an instance is where it is. */
final class Reasons {

  private Reasons() {}

  /**
   * The reason.
   *
   * @param queuedHere whether the instance waits for a handler; empty if it is not held here
   * @param now the database's time
   * @param executors of the instance's group
   * @param definitionId the instance's stored definition
   */
  static WhyHere of(
      WorkflowInstance instance,
      Optional<Boolean> queuedHere,
      Instant now,
      List<ExecutorInfo> executors,
      int definitionId) {
    Position position = instance.position();
    Long holder = instance.lease().executorId();
    if (holder != null) {
      WhyHere held = executing(holder, instance.lease().attempt(), now, executors);
      return held instanceof WhyHere.Executing executing
          ? queuedOr(executing, queuedHere, executors)
          : held;
    }
    InstanceStatus status = instance.status();
    return switch (status) {
      case FINISHED, FAILED, CANCELLED -> new WhyHere.Ended(status, position.reason());
      case PAUSED -> new WhyHere.Paused(position.reason());
      case MANUAL -> new WhyHere.Manual(position.state(), position.reason());
      case CREATED, IN_PROGRESS, EXECUTING -> waiting(instance, now, executors, definitionId);
    };
  }

  private static WhyHere executing(
      long holder, int attempt, Instant now, List<ExecutorInfo> executors) {
    for (ExecutorInfo executor : executors) {
      if (executor.id() == holder && !isAlive(executor, now)) {
        Instant since = executor.stopped() != null ? executor.stopped() : executor.expires();
        long live = executors.stream().filter(e -> isAlive(e, now)).count();
        return new WhyHere.HolderGone(holder, since, Math.toIntExact(live));
      }
    }
    return new WhyHere.Executing(holder, attempt);
  }

  /** The load of another node is known as of its last heartbeat, not for each instance. */
  private static WhyHere queuedOr(
      WhyHere.Executing executing, Optional<Boolean> queuedHere, List<ExecutorInfo> executors) {
    if (queuedHere.isPresent()) {
      return queuedHere.get() ? new WhyHere.Queued(executing.executorId(), 0) : executing;
    }
    return executors.stream()
        .filter(e -> e.id() == executing.executorId() && e.load().queued() > 0)
        .findFirst()
        .<WhyHere>map(e -> new WhyHere.Queued(e.id(), e.load().queued()))
        .orElse(executing);
  }

  private static boolean isAlive(ExecutorInfo executor, Instant now) {
    return executor.stopped() == null && executor.expires().isAfter(now);
  }

  private static WhyHere waiting(
      WorkflowInstance instance, Instant now, List<ExecutorInfo> executors, int definitionId) {
    Position position = instance.position();
    Instant due = position.nextActivation();
    if (due != null && !due.isAfter(now)) {
      return unclaimed(instance, due, now, executors, definitionId);
    }
    if (due != null && instance.lease().attempt() > 0) {
      return new WhyHere.BackingOff(instance.lease().attempt(), due, position.reason());
    }
    String signal = position.awaitedSignal();
    if (signal != null) {
      return new WhyHere.WaitingForSignal(signal, position.waitUntil());
    }
    if (position.awaitsChildren() || due == null) {
      return new WhyHere.WaitingForChildren(instance.children());
    }
    return new WhyHere.WaitingForTimer(due);
  }

  private static WhyHere unclaimed(
      WorkflowInstance instance,
      Instant due,
      Instant now,
      List<ExecutorInfo> executors,
      int definitionId) {
    List<ExecutorInfo> live =
        executors.stream().filter(e -> isAlive(e, now) && e.state().takesWork()).toList();
    boolean known =
        live.stream().anyMatch(e -> e.identity().definitionIds().contains(definitionId));
    String group = instance.origin().executorGroup();
    return known || live.isEmpty()
        ? new WhyHere.WaitingForExecutor(group, due, live.size())
        : new WhyHere.UnknownType(instance.type(), instance.version(), group);
  }
}
