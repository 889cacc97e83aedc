package io.millrace.sequence;

import io.millrace.schedule.Schedule;
import java.time.Instant;

/**
 * The next run of a sequence by its schedule.
 *
 * @param at the next slot; in the past if it is due and has not started
 */
public record UpcomingRun(String sequenceId, Schedule schedule, Instant at) {}
