package io.millrace.server.observe;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Something about a queue of a Redis flow that somebody should look at.
 *
 * @param severity error, warning or info
 * @param detail what is wrong, and what to do
 * @param since null when that is not known
 * @param count of jobs; null where none are counted
 */
public record FlowQueueProblem(
    String severity, String title, String detail, @Nullable Instant since, @Nullable Long count) {}
