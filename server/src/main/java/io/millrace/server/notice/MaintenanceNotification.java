package io.millrace.server.notice;

import java.time.Instant;

/**
 * One message to one subscriber.
 *
 * @param at when what it tells of happened
 */
record MaintenanceNotification(
    long subscriptionId,
    long maintenanceId,
    MaintenanceStage stage,
    MaintenancePlan plan,
    int revision,
    Instant at) {

  /** What is posted to webhooks; its names are part of the interface. */
  WebhookBody posted() {
    return new WebhookBody(
        "maintenance." + stage.code(), new MaintenanceBody(maintenanceId, plan, revision), at);
  }

  record WebhookBody(String event, MaintenanceBody maintenance, Instant at) {}

  record MaintenanceBody(long id, MaintenancePlan plan, int revision) {}
}
