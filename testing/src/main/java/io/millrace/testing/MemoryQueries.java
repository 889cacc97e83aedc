package io.millrace.testing;

import io.millrace.instance.Action;
import io.millrace.instance.InstanceQuery;
import io.millrace.instance.InvalidRequestException;
import io.millrace.instance.Page;
import io.millrace.instance.Signal;
import io.millrace.instance.WorkflowInstance;
import io.millrace.store.QueryStore;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reading from memory. */
final class MemoryQueries implements QueryStore {

  private final MemoryTables tables;

  MemoryQueries(MemoryTables tables) {
    this.tables = tables;
  }

  @Override
  public Optional<WorkflowInstance> find(long instanceId) {
    return read(instanceId, MemoryRow::snapshot);
  }

  @Override
  public Optional<WorkflowInstance> findByExternalId(
      String type, String executorGroup, String externalId) {
    return tables.transaction(now ->
        Optional.ofNullable(tables.find(type, executorGroup, externalId)).map(MemoryRow::snapshot));
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
  public List<String> childVariables(long parentId, String name) {
    return tables.transaction(now ->
        tables.rows.values().stream()
            .filter(row -> Long.valueOf(parentId).equals(row.origin.parentId()))
            .flatMap(row -> Optional.ofNullable(row.variables.get(name)).stream())
            .toList());
  }

  @Override
  public List<Action> history(long instanceId, int afterSeq, int limit) {
    return read(
            instanceId,
            row -> row.actions.stream().skip(Math.max(0, afterSeq)).limit(limit).toList())
        .orElse(List.of());
  }

  @Override
  public List<Signal> signals(long instanceId, int limit) {
    return read(
            instanceId, row -> row.messages.descendingMap().values().stream().limit(limit).toList())
        .orElse(List.of());
  }

  private <T> Optional<T> read(long instanceId, Function<MemoryRow, T> read) {
    return tables.transaction(now -> Optional.ofNullable(tables.rows.get(instanceId)).map(read));
  }

  @Override
  public Page<WorkflowInstance> search(InstanceQuery query, @Nullable String variableValue) {
    return tables.transaction(now -> {
      List<WorkflowInstance> found =
          tables.rows.headMap(before(query.cursor()), false).descendingMap().values().stream()
              .filter(row -> matches(row, query, variableValue))
              .limit(query.limit() + 1L)
              .map(MemoryRow::snapshot)
              .toList();
      if (found.size() <= query.limit()) {
        return new Page<>(found, null);
      }
      List<WorkflowInstance> page = found.subList(0, query.limit());
      return new Page<>(page, Long.toString(page.getLast().id()));
    });
  }

  private static long before(@Nullable String cursor) {
    try {
      return cursor == null ? Long.MAX_VALUE : Long.parseLong(cursor);
    } catch (NumberFormatException e) {
      throw new InvalidRequestException(
          "The cursor '" + cursor + "' is not one that a page of this store has answered with.");
    }
  }

  private static boolean matches(
      MemoryRow row, InstanceQuery query, @Nullable String variableValue) {
    InstanceQuery.Match match = query.match();
    return equal(match.type(), row.origin.type())
        && equal(match.state(), row.state)
        && equal(match.businessKey(), row.origin.businessKey())
        && equal(match.externalId(), row.origin.externalId())
        && equal(match.parentId(), row.origin.parentId())
        && (query.statuses().isEmpty() || query.statuses().contains(row.snapshot().status()))
        && within(query.created(), row.created)
        && within(query.modified(), row.modified)
        && (query.variable() == null
            || (variableValue != null
                && variableValue.equals(row.variables.get(query.variable().name()))));
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
