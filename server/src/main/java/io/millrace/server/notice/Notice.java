package io.millrace.server.notice;

import java.time.Instant;

/**
 * One message to one subscriber.
 *
 * @param at when what it tells of happened
 */
record Notice(
    long subscriptionId,
    long maintenanceId,
    Stage stage,
    MaintenancePlan plan,
    int revision,
    Instant at) {

  /** What is posted to webhooks; its names are part of the interface. */
  Posted posted() {
    return new Posted("maintenance." + stage.code(), new Told(maintenanceId, plan, revision), at);
  }

  record Posted(String event, Told maintenance, Instant at) {}

  record Told(long id, MaintenancePlan plan, int revision) {}
}
