package io.millrace.store;

import io.millrace.codec.PlainJson;
import io.millrace.instance.AuditEntry;
import io.millrace.instance.ExecutorState;
import io.millrace.instance.OperatorAction;
import io.millrace.instance.WorkflowInstance;
import io.millrace.store.OperatorStore.SignalRequest;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A factory of the entries of the audit trail for actions and signals. Pure; used by every store.
 * Payloads and values of variables may be secret, so entries show only their names.
 */
public final class AuditEntryFactory {

  private AuditEntryFactory() {}

  /**
   * Returns the entry of a command on an instance.
   *
   * @param before the instance before the command
   * @param afterAttempt true if it takes effect after the current attempt
   */
  public static AuditEntry of(
      WorkflowInstance before,
      OperatorCommand command,
      OperatorAction action,
      boolean afterAttempt) {
    Map<String, Object> detail = new TreeMap<>();
    if (afterAttempt) {
      detail.put("afterAttempt", true);
    }
    if (command instanceof OperatorCommand.Move move) {
      detail.put("from", before.state());
      detail.put("to", move.to());
      if (OperatorCommandRules.isForced(before, command)) {
        detail.put("forced", true);
      }
    } else if (command instanceof OperatorCommand.EditVariables edit) {
      detail.put("variables", new TreeSet<>(edit.variables().keySet()));
    }
    return new AuditEntry(
        action.actor(),
        command.type().code(),
        before.id(),
        before.type(),
        action.reason(),
        detail.isEmpty() ? null : PlainJson.write(detail));
  }

  /** Returns the entry of a request to an executor. */
  public static AuditEntry of(long executorId, ExecutorState.Event event, OperatorAction action) {
    return new AuditEntry(
        action.actor(),
        event.name().toLowerCase(Locale.ROOT),
        null,
        "executor " + executorId,
        action.reason(),
        null);
  }

  /** Returns the entry of an action on a continuous workflow. */
  public static AuditEntry ofContinuousWorkflow(
      String name, String action, OperatorAction operatorAction) {
    return new AuditEntry(
        operatorAction.actor(), action, null, name, operatorAction.reason(), null);
  }

  /** Returns the entry of a signal that {@code actor} has sent. */
  public static AuditEntry of(WorkflowInstance receiver, SignalRequest request, String actor) {
    return new AuditEntry(
        actor,
        "signal",
        receiver.id(),
        receiver.type(),
        null,
        PlainJson.write(Map.of("signal", request.name())));
  }
}
