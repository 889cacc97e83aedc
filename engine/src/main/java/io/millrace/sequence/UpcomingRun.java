package io.millrace.sequence;

import io.millrace.schedule.Schedule;
import java.time.Instant;

/**
 * What the schedule of a workflow is to run next.
 *
 * @param at the next slot; in the past when it is due and has not begun
 */
public record UpcomingRun(String workflowId, Schedule schedule, Instant at) {}
