/**
 * When recurring work is due: frequencies, crons and intervals in a time zone, the data window of
 * each run, what is done about runs that were missed, and how to tell people. Pure values: nothing
 * here knows a task or a store, has a thread or reads a clock.
 *
 * <p>A {@link io.millrace.schedule.Schedule} has <em>slots</em>, instants at which it is due, which
 * follow from the schedule alone. {@link io.millrace.schedule.SlotPlanner} decides which of them
 * run.
 */
@NullMarked
package io.millrace.schedule;

import org.jspecify.annotations.NullMarked;
