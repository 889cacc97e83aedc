package io.millrace.continuous;

import java.time.Instant;
import java.time.LocalDateTime;

/**
 * The event of a trigger that goes by time.
 *
 * @param scheduledTimeUtc when it was due
 * @param scheduledTimeLocal the same on the clock of the trigger's zone; UTC for an interval
 * @param triggerKey the workflow's name
 * @param fireId identifies it among the ticks of the trigger, however often it is read
 * @param periodKey the period in which it is due once; without one, the tick itself
 * @param attempt counts how often this node has read it
 * @param misfired true if it comes more than a minute late
 */
public record Tick(
    Instant scheduledTimeUtc,
    LocalDateTime scheduledTimeLocal,
    String triggerKey,
    String fireId,
    String periodKey,
    int attempt,
    boolean misfired) {}
