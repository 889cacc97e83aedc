package io.millrace.server.observe;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A problem of a queue of a Redis flow that an operator should look at.
 *
 * @param severity error, warning or info
 * @param detail what is wrong, and what to do
 * @param since null if it is not known
 * @param count number of jobs; null if none are counted
 */
public record FlowQueueProblem(
    String severity, String title, String detail, @Nullable Instant since, @Nullable Long count) {}
