package io.millrace.instance;

import org.jspecify.annotations.Nullable;

/**
 * The progress that a handler reports.
 *
 * @param done units done, 0 or more
 * @param total units in all; 0 when unknown
 * @param text what is being done, for people; null when nothing was said
 */
public record Progress(long done, long total, @Nullable String text) {}
