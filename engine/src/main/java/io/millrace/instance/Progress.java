package io.millrace.instance;

import org.jspecify.annotations.Nullable;

/**
 * The progress that a handler reports.
 *
 * @param done units done, 0 or more
 * @param total units in all; 0 if unknown
 * @param text description of the current work, for people; null for none
 */
public record Progress(long done, long total, @Nullable String text) {}
