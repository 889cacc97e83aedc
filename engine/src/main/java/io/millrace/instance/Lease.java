package io.millrace.instance;

import org.jspecify.annotations.Nullable;

/**
 * A lease on an instance, with the position in its history.
 *
 * @param executorId the holder; null for none
 * @param leaseVersion grows with every change of holder, never falls
 * @param seq the number of the last history entry; 0 before the first
 * @param attempt attempts started in the current state; counted when claimed, before any handler
 *     runs
 * @param recoveries times in a row that the holder died; back to 0 with every accepted transition
 *     and every stored step
 */
public record Lease(
    @Nullable Long executorId, int leaseVersion, int seq, int attempt, int recoveries) {}
