package io.millrace.imports;

import org.jspecify.annotations.Nullable;

/**
 * A row of {@code INSIGHTS_WORKFLOW_TASK}, unchanged.
 *
 * @param description the name of the task
 * @param channel the routing key of the task's messages
 * @param component the name of a class
 * @param dependency orders tasks in lists
 */
record SourceTask(
    int id,
    @Nullable String description,
    @Nullable String channel,
    @Nullable String component,
    @Nullable Integer dependency,
    @Nullable String type) {}
