package io.millrace.server.api;

import io.millrace.instance.AuditEntry;
import io.millrace.instance.OperatorAction;
import org.jspecify.annotations.Nullable;

/**
 * A recorder of actions on tasks, task sequences and channels. It writes each action to the audit
 * and notifies clients that show the changed data.
 */
final class AuditRecorder {

  private final ApiContext context;

  AuditRecorder(ApiContext context) {
    this.context = context;
  }

  /** Records an action on {@code target}. */
  void record(OperatorAction operatorAction, String action, String target) {
    record(operatorAction, action, target, null, null);
  }

  /**
   * Records an action on {@code target}.
   *
   * @param instanceId the instance that the action started; null for none
   * @param detail a JSON object; null for none
   */
  void record(
      OperatorAction operatorAction,
      String action,
      String target,
      @Nullable Long instanceId,
      @Nullable String detail) {
    context
        .admin()
        .audit(
            new AuditEntry(
                operatorAction.actor(),
                action,
                instanceId,
                target,
                operatorAction.reason(),
                detail));
    context.feed().sequencesChanged();
  }
}
