package io.millrace.server.notice;

import java.time.Instant;

/**
 * A message to one subscriber.
 *
 * @param at time of the event that it reports
 */
record MaintenanceNotification(
    long subscriptionId,
    long maintenanceId,
    MaintenanceStage stage,
    MaintenancePlan plan,
    int revision,
    Instant at) {

  /**
   * Returns the body that is posted to webhooks; its field names are part of the public interface.
   */
  WebhookBody posted() {
    return new WebhookBody(
        "maintenance." + stage.code(), new MaintenanceBody(maintenanceId, plan, revision), at);
  }

  record WebhookBody(String event, MaintenanceBody maintenance, Instant at) {}

  record MaintenanceBody(long id, MaintenancePlan plan, int revision) {}
}
