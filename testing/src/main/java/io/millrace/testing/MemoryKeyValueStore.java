package io.millrace.testing;

import io.millrace.data.KeyContent;
import io.millrace.data.KeyId;
import io.millrace.data.KeyQuery;
import io.millrace.data.KeyValue;
import io.millrace.data.KeyWriteResult;
import io.millrace.instance.Due;
import io.millrace.instance.Page;
import io.millrace.store.Fence;
import io.millrace.store.InboxRules;
import io.millrace.store.KeyValueRules;
import io.millrace.store.KeyValueStore;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Keys and values in memory. */
final class MemoryKeyValueStore implements KeyValueStore {

  private static final Duration REMEMBERED = Duration.ofDays(1);

  private static final Comparator<KeyValue> NEWEST =
      Comparator.comparing(KeyValue::modified)
          .thenComparing(value -> KeyValueRules.hash(value.id().key()))
          .reversed();

  private final MemoryTables tables;
  private final Map<KeyId, KeyValueRules.StoredValue> rows = new HashMap<>();

  MemoryKeyValueStore(MemoryTables tables) {
    this.tables = tables;
  }

  @Override
  public Optional<KeyValue> get(KeyId id) {
    return tables.transaction(now -> Optional.ofNullable(at(rows.get(id), now)));
  }

  private static @Nullable KeyValue at(
      KeyValueRules.@Nullable StoredValue storedValue, Instant now) {
    return storedValue == null ? null : storedValue.at(now);
  }

  @Override
  public KeyWriteResult put(Put put, @Nullable Fence fence) {
    return tables.transaction(
        now -> tables.holds(fence) ? write(put, now) : new KeyWriteResult.Fenced());
  }

  /** Writes inside of a transaction. */
  KeyWriteResult write(Put put, Instant now) {
    KeyValueRules.StoredValue storedValue = rows.get(put.id());
    KeyWriteResult objection = KeyValueRules.objection(put, storedValue, now);
    if (objection != null) {
      return objection;
    }
    KeyContent content = put.content();
    KeyValue current = at(storedValue, now);
    long version = storedValue == null ? 1 : storedValue.value().version() + 1;
    KeyValue value =
        new KeyValue(
            put.id(),
            content.value(),
            content.status(),
            version,
            content.expiresAfter() == null
                ? null
                : MemoryColumnTimes.of(new Due.After(content.expiresAfter()), now),
            current == null ? now : current.created(),
            now);
    rows.put(put.id(), new KeyValueRules.StoredValue(value, put.writer()));
    return new KeyWriteResult.Written(version);
  }

  @Override
  public KeyWriteResult delete(KeyId id, @Nullable Long version, @Nullable Fence fence) {
    return tables.transaction(now -> {
      if (!tables.holds(fence)) {
        return new KeyWriteResult.Fenced();
      }
      KeyValue current = at(rows.get(id), now);
      if (current == null || (version != null && version != current.version())) {
        return new KeyWriteResult.Refused(current);
      }
      KeyValue gone =
          new KeyValue(id, "", current.status(), current.version(), now, current.created(), now);
      rows.put(id, new KeyValueRules.StoredValue(gone, null));
      return new KeyWriteResult.Written(current.version());
    });
  }

  @Override
  public Page<KeyValue> list(KeyQuery query) {
    KeyQuery.Cursor start = query.start();
    return tables.transaction(now -> {
      List<KeyValue> found =
          present(now)
              .filter(v -> v.id().group().equals(query.group()))
              .filter(v -> query.from() == null || !v.modified().isBefore(query.from()))
              .filter(v -> query.to() == null || v.modified().isBefore(query.to()))
              .filter(v -> query.statuses().isEmpty() || query.statuses().contains(v.status()))
              .filter(v -> start == null || isAfter(v, start))
              .sorted(NEWEST)
              .limit(query.limit() + 1L)
              .toList();
      List<KeyValue> items =
          MemoryQueryStore.page(
              found.stream().limit(query.limit()), value -> InboxRules.bytes(value.value()));
      boolean more = found.size() > items.size();
      return new Page<>(items, more ? KeyValueRules.cursor(items.getLast()) : null);
    });
  }

  private static boolean isAfter(KeyValue value, KeyQuery.Cursor start) {
    int order = value.modified().compareTo(start.modified());
    return order < 0
        || (order == 0 && KeyValueRules.hash(value.id().key()).compareTo(start.keyHash()) < 0);
  }

  private Stream<KeyValue> present(Instant now) {
    return rows.values().stream().map(storedValue -> storedValue.at(now)).filter(Objects::nonNull);
  }

  @Override
  public List<String> groups(@Nullable String after, int limit) {
    return tables.transaction(now ->
        present(now)
            .map(value -> value.id().group())
            .distinct()
            .filter(g ->
                after == null || KeyValueRules.hash(g).compareTo(KeyValueRules.hash(after)) > 0)
            .sorted(Comparator.comparing(KeyValueRules::hash))
            .limit(limit)
            .toList());
  }

  @Override
  public int deleteExpired(int limit) {
    return tables.transaction(now -> {
      List<KeyId> old =
          rows.values().stream()
              .map(KeyValueRules.StoredValue::value)
              .filter(v -> v.expires() != null && !v.expires().isAfter(now.minus(REMEMBERED)))
              .limit(limit)
              .map(KeyValue::id)
              .toList();
      old.forEach(rows::remove);
      return old.size();
    });
  }
}
