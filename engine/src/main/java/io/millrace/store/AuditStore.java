package io.millrace.store;

import io.millrace.instance.AuditEntry;
import io.millrace.instance.AuditQuery;
import io.millrace.instance.Page;
import io.millrace.instance.StoredAuditEntry;

/**
 * The audit trail of actions from outside. {@link OperatorStore} writes an entry with every action
 * that was carried out or queued, and with every new signal that names an actor. {@link
 * ExecutorStore} writes one when an executor is asked to stop. Both do so in the same transaction;
 * other entries come through {@link #append}.
 */
public interface AuditStore {

  /** Adds an entry with the current time; too long texts are cut. */
  void append(AuditEntry entry);

  /** Returns the matching entries, newest first. */
  Page<StoredAuditEntry> list(AuditQuery query);
}
