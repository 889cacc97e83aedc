package io.millrace.lifecycle;

import java.time.Instant;

/**
 * The failures of a background loop of this process.
 *
 * @param loop the name of its thread
 * @param times how often it has failed since the process started
 * @param last the time of the latest failure
 * @param fault class and message of the latest failure
 */
public record LoopFailure(String loop, long times, Instant last, String fault) {}
