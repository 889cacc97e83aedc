package io.millrace.testing;

import io.millrace.store.ChangeStore;
import java.time.Duration;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/** The journal of changes in memory. */
final class MemoryChangeStore implements ChangeStore {

  private final MemoryTables tables;
  private final NavigableMap<Long, Change> changes = new TreeMap<>();
  private long newest;

  MemoryChangeStore(MemoryTables tables) {
    this.tables = tables;
  }

  @Override
  public long append(String node, String payload) {
    return tables.transaction(now -> {
      newest++;
      changes.put(newest, new Change(newest, now, node, payload));
      return newest;
    });
  }

  @Override
  public List<Change> after(long id, int limit) {
    return tables.transaction(
        now -> changes.tailMap(id, false).values().stream().limit(limit).toList());
  }

  @Override
  public long newest() {
    return tables.transaction(now -> newest);
  }

  @Override
  public int prune(Duration age, int limit) {
    return tables.transaction(now -> {
      List<Long> old =
          changes.values().stream()
              .limit(limit)
              .filter(change -> change.at().isBefore(now.minus(age)))
              .map(Change::id)
              .toList();
      old.forEach(changes::remove);
      return old.size();
    });
  }
}
