package io.millrace.instance;

import org.jspecify.annotations.Nullable;

/**
 * The counts of the rows that belong to an instance, its progress and its failure.
 *
 * @param variableCount number of variables
 * @param inboxCount number of unconsumed messages: signals, wake-ups and pause requests
 * @param stepsSeq the {@link Position#enteredSeq} of the last visit that stored a step result; -1
 *     for none
 * @param progress null when no handler has reported any
 * @param failure the fingerprint of the failure by which it ended or was left to an operator; null
 *     for none
 */
public record InstanceDetails(
    int variableCount,
    int inboxCount,
    int stepsSeq,
    @Nullable Progress progress,
    @Nullable String failure) {}
