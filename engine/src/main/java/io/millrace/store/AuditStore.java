package io.millrace.store;

import io.millrace.instance.AuditQuery;
import io.millrace.instance.Page;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The audit trail of actions from outside. {@link OperatorStore} writes an entry with every action
 * that was carried out or queued, and with every new signal that names an actor. {@link
 * ExecutorStore} writes one when an executor is asked to stop. Both do so in the same transaction;
 * other entries come through {@link #append}.
 */
public interface AuditStore {

  /** Adds an entry with the current time; too long texts are cut. */
  void append(Entry entry);

  /** Returns the matching entries, newest first. */
  Page<StoredEntry> list(AuditQuery query);

  /**
   * An entry of the audit trail.
   *
   * @param actor a person or program, at most 100 characters
   * @param action a short name, at most 50 characters; that of the {@link
   *     io.millrace.instance.HistoryEntryType} for actions, {@code signal} for signals
   * @param instanceId the affected instance; null for none
   * @param target the affected thing, at most 300 characters: the workflow type for actions and
   *     signals; null for none
   * @param reason at most 1,000 characters; null for none
   * @param detail a JSON object; null for none
   */
  record Entry(
      String actor,
      String action,
      @Nullable Long instanceId,
      @Nullable String target,
      @Nullable String reason,
      @Nullable String detail) {}

  /**
   * An entry as stored.
   *
   * @param id grows with time
   * @param seq the history entry of the instance that records the same; null for none
   */
  record StoredEntry(long id, Instant at, Entry entry, @Nullable Integer seq) {}
}
