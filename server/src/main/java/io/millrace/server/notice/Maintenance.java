package io.millrace.server.notice;

import java.time.Instant;

/**
 * A maintenance.
 *
 * @param id of its workflow instance
 * @param revision counts the changes of its plan
 * @param since when it came to its stage
 */
public record Maintenance(
    long id, MaintenanceStage stage, MaintenancePlan plan, int revision, Instant since) {}
