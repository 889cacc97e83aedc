package io.millrace.testing;

import io.millrace.instance.HistoryEntry;
import io.millrace.instance.InboxMessage;
import io.millrace.instance.InstanceQuery;
import io.millrace.instance.InvalidRequestException;
import io.millrace.instance.Origin;
import io.millrace.instance.Page;
import io.millrace.instance.WorkflowInstance;
import io.millrace.store.InboxRules;
import io.millrace.store.QueryStore;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The queries in memory. */
final class MemoryQueryStore implements QueryStore {

  private final MemoryTables tables;

  MemoryQueryStore(MemoryTables tables) {
    this.tables = tables;
  }

  @Override
  public Optional<WorkflowInstance> find(long instanceId) {
    return read(instanceId, MemoryInstance::snapshot);
  }

  @Override
  public Optional<WorkflowInstance> findByExternalId(
      String type, String executorGroup, String externalId) {
    return tables.transaction(now ->
        Optional.ofNullable(tables.find(type, executorGroup, externalId))
            .map(MemoryInstance::snapshot));
  }

  @Override
  public Optional<String> input(long instanceId) {
    return read(instanceId, row -> Optional.ofNullable(row.input)).flatMap(input -> input);
  }

  @Override
  public Map<String, String> variables(long instanceId) {
    return read(instanceId, row -> new TreeMap<>(row.variables)).orElseGet(TreeMap::new);
  }

  @Override
  public List<ChildVariable> childVariables(long parentId, String name, long maxBytes) {
    List<ChildVariable> all = childVariables(parentId, name);
    if (all.stream().mapToLong(one -> InboxRules.bytes(one.json())).sum() > maxBytes) {
      throw QueryStore.tooLarge(parentId, name, maxBytes);
    }
    return all;
  }

  private List<ChildVariable> childVariables(long parentId, String name) {
    return tables.transaction(now ->
        tables.rows.values().stream()
            .filter(row -> Long.valueOf(parentId).equals(row.origin.parentId()))
            .filter(row -> row.variables.containsKey(name))
            .map(row ->
                new ChildVariable(row.origin.type(), row.origin.version(), row.variables.get(name)))
            .toList());
  }

  @Override
  public List<HistoryEntry> history(long instanceId, int afterSeq, int limit) {
    return read(
            instanceId,
            row ->
                page(
                    row.actions.stream()
                        .skip(Math.max(0, afterSeq))
                        .limit(limit)
                        .map(entry -> entry.consuming(row.consumedBy(entry.seq()))),
                    entry ->
                        InboxRules.bytes(entry.outcome().error())
                            + InboxRules.bytes(entry.outcome().variables())))
        .orElse(List.of());
  }

  @Override
  public List<InboxMessage> inboxMessages(long instanceId, int limit) {
    return read(
            instanceId,
            row ->
                page(
                    row.messages.descendingMap().values().stream().limit(limit),
                    message -> InboxRules.bytes(message.payload())))
        .orElse(List.of());
  }

  /** Returns the rows up to the one by which they reach the bytes of a page. */
  static <T> List<T> page(Stream<T> rows, ToLongFunction<T> bytes) {
    long[] soFar = {0};
    return rows.takeWhile(
            row -> {
              boolean fits = soFar[0] < PAGE_BYTES;
              soFar[0] += bytes.applyAsLong(row);
              return fits;
            })
        .toList();
  }

  private <T> Optional<T> read(long instanceId, Function<MemoryInstance, T> read) {
    return tables.transaction(now -> Optional.ofNullable(tables.rows.get(instanceId)).map(read));
  }

  @Override
  public Page<WorkflowInstance> search(InstanceQuery query, @Nullable String variableValue) {
    return tables.transaction(now -> {
      List<WorkflowInstance> found =
          inOrder(query)
              .filter(row -> matches(row, query, variableValue))
              .limit(query.limit() + 1L)
              .map(MemoryInstance::snapshot)
              .toList();
      if (found.size() <= query.limit()) {
        return new Page<>(found, null);
      }
      List<WorkflowInstance> page = found.subList(0, query.limit());
      return new Page<>(page, cursor(query, page.getLast()));
    });
  }

  @Override
  public int count(InstanceQuery query, @Nullable String variableValue, int cap) {
    return tables.transaction(now -> {
      long matching =
          tables.rows.values().stream()
              .filter(row -> matches(row, query, variableValue))
              .limit(cap)
              .count();
      return Math.toIntExact(matching);
    });
  }

  private Stream<MemoryInstance> inOrder(InstanceQuery query) {
    String cursor = query.cursor();
    if (query.times().ended() == null) {
      long before = cursor == null ? Long.MAX_VALUE : number(cursor, cursor);
      return tables.rows.headMap(before, false).descendingMap().values().stream();
    }
    NavigableSet<MemoryTables.TimedId> ends =
        cursor == null ? tables.ended : tables.ended.headSet(end(cursor), false);
    return ends.descendingSet().stream()
        .map(end -> Objects.requireNonNull(tables.rows.get(end.id())));
  }

  private static String cursor(InstanceQuery query, WorkflowInstance last) {
    Instant ended = last.timing().ended();
    return query.times().ended() == null || ended == null
        ? Long.toString(last.id())
        : ChronoUnit.MICROS.between(Instant.EPOCH, ended) + "_" + last.id();
  }

  private static MemoryTables.TimedId end(String cursor) {
    String[] parts = cursor.split("_", -1);
    long id = number(parts.length == 2 ? parts[1] : "", cursor);
    return new MemoryTables.TimedId(
        Instant.EPOCH.plus(number(parts[0], cursor), ChronoUnit.MICROS), id);
  }

  private static long number(String text, String cursor) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new InvalidRequestException(
          "The cursor '" + cursor + "' is not one that a page of this store has answered with.");
    }
  }

  private static boolean matches(
      MemoryInstance row, InstanceQuery query, @Nullable String variableValue) {
    InstanceQuery.Match match = query.match();
    return (match.types().isEmpty() || match.types().contains(row.origin.type()))
        && !match.withoutTypes().contains(row.origin.type())
        && equal(match.state(), row.state)
        && equal(match.executorGroup(), row.origin.executorGroup())
        && equal(match.executor(), row.executorId)
        && equal(match.failure(), row.failure)
        && isCalled(row.origin, query.keys())
        && (query.statuses().isEmpty() || query.statuses().contains(row.snapshot().status()))
        && within(query.times().created(), row.created)
        && within(query.times().modified(), row.modified)
        && (query.times().ended() == null
            || (row.ended != null && within(query.times().ended(), row.ended)))
        && (query.variable() == null
            || (variableValue != null
                && variableValue.equals(row.variables.get(query.variable().name()))));
  }

  private static boolean isCalled(Origin origin, InstanceQuery.Keys keys) {
    return equal(keys.businessKey(), origin.businessKey())
        && equal(keys.externalId(), origin.externalId())
        && equal(keys.parentId(), origin.parentId())
        && (keys.prefix() == null
            || begins(origin.businessKey(), keys.prefix())
            || begins(origin.externalId(), keys.prefix()))
        && (equal(keys.either(), origin.businessKey())
            || equal(keys.either(), origin.externalId()));
  }

  private static boolean begins(@Nullable String key, String prefix) {
    return key != null && key.toLowerCase(Locale.ROOT).startsWith(prefix.toLowerCase(Locale.ROOT));
  }

  private static boolean equal(@Nullable Object wanted, @Nullable Object value) {
    return wanted == null || wanted.equals(value);
  }

  private static boolean within(InstanceQuery.Range range, Instant time) {
    return (range.from() == null || !time.isBefore(range.from()))
        && (range.to() == null || time.isBefore(range.to()));
  }

  @Override
  public Instant now() {
    return tables.transaction(now -> now);
  }
}
