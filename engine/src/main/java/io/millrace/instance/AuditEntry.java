package io.millrace.instance;

import org.jspecify.annotations.Nullable;

/**
 * An entry of the audit trail.
 *
 * @param actor a person or program, at most 100 characters
 * @param action a short name, at most 50 characters; that of the {@link HistoryEntryType} for
 *     actions, {@code signal} for signals
 * @param instanceId the affected instance; null for none
 * @param target the affected thing, at most 300 characters: the workflow type for actions and
 *     signals; null for none
 * @param reason at most 1,000 characters; null for none
 * @param detail a JSON object; null for none
 */
public record AuditEntry(
    String actor,
    String action,
    @Nullable Long instanceId,
    @Nullable String target,
    @Nullable String reason,
    @Nullable String detail) {}
