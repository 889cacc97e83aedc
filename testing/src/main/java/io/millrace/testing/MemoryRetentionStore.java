package io.millrace.testing;

import io.millrace.instance.ExecutorInfo;
import io.millrace.instance.InstanceStatus;
import io.millrace.store.RetentionStore;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The retention in memory; its archive is a map that is never read. */
final class MemoryRetentionStore implements RetentionStore {

  private final MemoryTables tables;
  private final MemoryAuditStore audit;

  MemoryRetentionStore(MemoryTables tables, MemoryAuditStore audit) {
    this.tables = tables;
    this.audit = audit;
  }

  @Override
  public int archive(Duration age, int limit) {
    return removeEnded(age, limit, row -> tables.archive.put(row.id, row));
  }

  @Override
  public int delete(Duration age, int limit) {
    return removeEnded(age, limit, row -> {});
  }

  private int removeEnded(Duration age, int limit, Consumer<MemoryInstance> keep) {
    return tables.transaction(now -> {
      List<MemoryInstance> old = old(now.minus(age)).limit(limit).toList();
      for (MemoryInstance row : old) {
        tables.remove(row);
        keep.accept(row);
      }
      return old.size();
    });
  }

  private Stream<MemoryInstance> old(Instant before) {
    return tables.ended.stream()
        .takeWhile(end -> end.time().isBefore(before))
        .map(end -> Objects.requireNonNull(tables.rows.get(end.id())))
        .filter(row -> !isKeptByParent(row) && !tables.hooks.isKept(row.id));
  }

  @Override
  public Optional<Overdue> overdue(Duration age) {
    return tables.transaction(
        now -> old(now.minus(age)).findFirst().map(MemoryRetentionStore::overdue));
  }

  @Override
  public Optional<Overdue> overdueArchived(Duration age) {
    return tables.transaction(now ->
        tables.archive.values().stream()
            .filter(row -> isBefore(row.ended, now.minus(age)))
            .map(MemoryRetentionStore::overdue)
            .min(Comparator.comparing(Overdue::ended)));
  }

  private static Overdue overdue(MemoryInstance row) {
    return new Overdue(row.id, Objects.requireNonNull(row.ended));
  }

  private boolean isKeptByParent(MemoryInstance row) {
    Long parentId = row.origin.parentId();
    MemoryInstance parent = parentId == null ? null : tables.rows.get(parentId);
    return parent != null
        && (!parent.status.isTerminal() || parent.status == InstanceStatus.FAILED);
  }

  @Override
  public int deleteArchived(Duration age, int limit) {
    return tables.transaction(now -> {
      List<Long> old =
          tables.archive.values().stream()
              .filter(row -> isBefore(row.ended, now.minus(age)))
              .limit(limit)
              .map(row -> row.id)
              .toList();
      old.forEach(tables.archive::remove);
      return old.size();
    });
  }

  /** Does nothing, since an instance in memory is moved as a whole. */
  @Override
  public int resume(int limit) {
    return 0;
  }

  @Override
  public int deleteExecutors(Duration age, int limit) {
    return tables.transaction(now -> {
      Instant before = now.minus(age);
      List<Long> old =
          tables.executors.values().stream()
              .filter(e -> isBefore(e.stopped(), before) || isBefore(e.recovered(), before))
              .map(ExecutorInfo::id)
              .filter(id -> tables.ownedBy(id).isEmpty())
              .filter(id -> !tables.hooks.isOwner(id))
              .limit(limit)
              .toList();
      old.forEach(tables.executors::remove);
      return old.size();
    });
  }

  @Override
  public int deleteAudit(Duration age, int limit) {
    return tables.transaction(now -> audit.delete(now.minus(age), limit));
  }

  private static boolean isBefore(@Nullable Instant time, Instant limit) {
    return time != null && time.isBefore(limit);
  }
}
