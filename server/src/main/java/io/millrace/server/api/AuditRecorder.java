package io.millrace.server.api;

import io.millrace.instance.OperatorAction;
import io.millrace.store.AuditStore;
import org.jspecify.annotations.Nullable;

/**
 * Writes into the audit what was done to tasks, to workflows made of them and to channels, and has
 * those who look at them read again.
 */
final class AuditRecorder {

  private final ApiContext apiContext;

  AuditRecorder(ApiContext apiContext) {
    this.apiContext = apiContext;
  }

  /** Something was done to {@code target}. */
  void record(OperatorAction operatorAction, String action, String target) {
    record(operatorAction, action, target, null, null);
  }

  /**
   * Something was done to {@code target}.
   *
   * @param instanceId the instance that was begun with it; null for none
   * @param detail a JSON object; null for none
   */
  void record(
      OperatorAction operatorAction,
      String action,
      String target,
      @Nullable Long instanceId,
      @Nullable String detail) {
    apiContext
        .operations()
        .audit(
            new AuditStore.Entry(
                operatorAction.actor(),
                action,
                instanceId,
                target,
                operatorAction.reason(),
                detail));
    apiContext.feed().sequencesChanged();
  }
}
