package io.millrace.testing;

import io.millrace.instance.AuditEntry;
import io.millrace.instance.AuditQuery;
import io.millrace.instance.InvalidRequestException;
import io.millrace.instance.Page;
import io.millrace.instance.StoredAuditEntry;
import io.millrace.store.AuditStore;
import java.time.Instant;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The audit trail in memory. */
final class MemoryAuditStore implements AuditStore {

  private final MemoryTables tables;
  private final NavigableMap<Long, StoredAuditEntry> entries = new TreeMap<>();
  private long lastId;

  MemoryAuditStore(MemoryTables tables) {
    this.tables = tables;
  }

  @Override
  public void append(AuditEntry entry) {
    tables.transaction(now -> {
      add(entry, null, now);
      return entry;
    });
  }

  /** Adds an entry within a transaction. */
  void add(AuditEntry entry, @Nullable Integer seq, Instant now) {
    lastId++;
    entries.put(lastId, new StoredAuditEntry(lastId, now, entry, seq));
  }

  @Override
  public Page<StoredAuditEntry> list(AuditQuery query) {
    return tables.transaction(now -> {
      List<StoredAuditEntry> found =
          entries.headMap(before(query.cursor()), false).descendingMap().values().stream()
              .filter(one -> matches(one, query))
              .limit(query.limit() + 1L)
              .toList();
      if (found.size() <= query.limit()) {
        return new Page<>(found, null);
      }
      List<StoredAuditEntry> page = found.subList(0, query.limit());
      return new Page<>(page, Long.toString(page.getLast().id()));
    });
  }

  private static boolean matches(StoredAuditEntry one, AuditQuery query) {
    return (query.actor() == null || query.actor().equals(one.entry().actor()))
        && (query.action() == null || query.action().equals(one.entry().action()))
        && (query.instanceId() == null || query.instanceId().equals(one.entry().instanceId()))
        && (query.from() == null || !one.at().isBefore(query.from()))
        && (query.to() == null || one.at().isBefore(query.to()));
  }

  private static long before(@Nullable String cursor) {
    try {
      return cursor == null ? Long.MAX_VALUE : Long.parseLong(cursor);
    } catch (NumberFormatException e) {
      throw new InvalidRequestException(
          "The cursor '" + cursor + "' is not one that a page of this store has answered with.");
    }
  }

  /** Deletes at most {@code limit} entries from before a time, within a transaction. */
  int delete(Instant before, int limit) {
    List<Long> old =
        entries.values().stream()
            .limit(limit)
            .filter(one -> one.at().isBefore(before))
            .map(StoredAuditEntry::id)
            .toList();
    old.forEach(entries::remove);
    return old.size();
  }
}
