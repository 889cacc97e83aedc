package io.millrace.instance;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An entry of the audit trail as stored.
 *
 * @param id grows with time
 * @param seq the history entry of the instance that records the same; null for none
 */
public record StoredAuditEntry(long id, Instant at, AuditEntry entry, @Nullable Integer seq) {}
