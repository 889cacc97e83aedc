package io.millrace.instance;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A query for entries of the audit trail, newest first. Immutable; the methods return changed
 * copies. All given conditions must hold; null matches all.
 *
 * @param from the earliest time, inclusive
 * @param to the latest time, exclusive
 * @param cursor {@link Page#next} of the page before; null for the first page
 * @param limit page size, 1 to 1,000
 */
public record AuditQuery(
    @Nullable String actor,
    @Nullable String action,
    @Nullable Long instanceId,
    @Nullable Instant from,
    @Nullable Instant to,
    @Nullable String cursor,
    int limit) {

  public static final int MAX_LIMIT = 1000;

  public AuditQuery {
    if (limit < 1 || limit > MAX_LIMIT) {
      throw new InvalidRequestException(
          "Page size is " + limit + ", expected 1 to " + MAX_LIMIT + ".");
    }
  }

  /** Returns a query for all entries, 100 a page. */
  public static AuditQuery all() {
    return new AuditQuery(null, null, null, null, null, null, 100);
  }

  public AuditQuery actor(@Nullable String name) {
    return new AuditQuery(name, action, instanceId, from, to, cursor, limit);
  }

  public AuditQuery action(@Nullable String name) {
    return new AuditQuery(actor, name, instanceId, from, to, cursor, limit);
  }

  public AuditQuery instance(@Nullable Long id) {
    return new AuditQuery(actor, action, id, from, to, cursor, limit);
  }

  public AuditQuery between(@Nullable Instant first, @Nullable Instant end) {
    return new AuditQuery(actor, action, instanceId, first, end, cursor, limit);
  }

  public AuditQuery after(@Nullable String nextCursor) {
    return new AuditQuery(actor, action, instanceId, from, to, nextCursor, limit);
  }

  public AuditQuery limit(int pageSize) {
    return new AuditQuery(actor, action, instanceId, from, to, cursor, pageSize);
  }
}
