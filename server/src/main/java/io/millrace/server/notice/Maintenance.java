package io.millrace.server.notice;

import java.time.Instant;

/**
 * A planned maintenance.
 *
 * @param id id of its workflow instance
 * @param revision number of changes of its plan
 * @param since time at which it entered its stage
 */
public record Maintenance(
    long id, MaintenanceStage stage, MaintenancePlan plan, int revision, Instant since) {}
