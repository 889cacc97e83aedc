package io.millrace.instance;

import org.jspecify.annotations.Nullable;

/**
 * The properties of an instance that are fixed at its start.
 *
 * @param type the workflow definition's type
 * @param version the definition's version, which the instance keeps
 * @param executorGroup the group of executors that may run it
 * @param priority 0 (last) to 9 (first)
 * @param businessKey the caller's name for the matter, not unique; null when none was given
 * @param externalId the caller's unique id within type and group; null when none was given
 * @param parentId the instance that started this one as a child; null for an independent one
 */
public record Origin(
    String type,
    int version,
    String executorGroup,
    int priority,
    @Nullable String businessKey,
    @Nullable String externalId,
    @Nullable Long parentId) {}
