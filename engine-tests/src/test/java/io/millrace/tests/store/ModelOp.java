package io.millrace.tests.store;

import io.millrace.instance.Due;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.Progress;
import io.millrace.store.OperatorCommand;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * A call of a store, in terms that mean the same to every store: instances, executors and
 * definitions are numbers in the order of their creation.
 */
sealed interface ModelOp {

  record Start(List<New> instances) implements ModelOp {}

  record Claim(int executor, int group, List<Integer> definitions, int limit) implements ModelOp {}

  record SaveAll(List<Transition> transitions) implements ModelOp {}

  record Step(Fence fence, int enteredSeq, String name, String result) implements ModelOp {}

  record ReportProgress(List<Fence> fences, Progress progress) implements ModelOp {}

  record Release(List<Fence> fences) implements ModelOp {}

  record Send(int instance, String name, String payload, String key) implements ModelOp {}

  record ApplyAction(int instance, OperatorCommand command, String reason) implements ModelOp {}

  record Register(int group) implements ModelOp {}

  record Renew(int executor) implements ModelOp {}

  record Stop(int executor) implements ModelOp {}

  /** A recovery in pages, until nothing is left. */
  record Recover(int dead, int by, int limit, int maxRecoveries) implements ModelOp {}

  record Expired(int group) implements ModelOp {}

  record Owned(int executor) implements ModelOp {}

  record ApplyRetention(boolean archive, Duration age) implements ModelOp {}

  record AdvanceClock(Duration time) implements ModelOp {}

  /** A new instance, as in {@link io.millrace.store.NewInstance}. */
  record New(
      int group,
      int definition,
      int priority,
      String externalId,
      String input,
      Map<String, String> variables,
      Due due,
      Integer heldBy) {}

  /** A fence, as in {@link io.millrace.store.Fence}. */
  record Fence(int instance, int executor, int leaseVersion, int seq) {}

  /**
   * A transition, as in {@link io.millrace.store.SaveRequest}.
   *
   * @param consumed number of the oldest messages that are consumed
   * @param parent null for none
   */
  record Transition(
      Fence fence,
      String from,
      Target goal,
      Map<String, String> variables,
      int variableCount,
      List<New> children,
      int consumed,
      Progress progress,
      Integer parent) {}

  /** The target of a transition, as in {@link io.millrace.store.SaveRequest.Target}. */
  record Target(
      String state,
      InstanceStatus status,
      Due due,
      String waitingFor,
      boolean newVisit,
      boolean keepLease,
      int attempt) {}
}
