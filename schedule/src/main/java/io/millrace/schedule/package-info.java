/**
 * Schedules of recurring work: frequencies, crons and intervals in a time zone, the data window of
 * each run, the treatment of missed runs, and descriptions for people. Pure values, independent of
 * tasks and the engine.
 */
@NullMarked
package io.millrace.schedule;

import org.jspecify.annotations.NullMarked;
