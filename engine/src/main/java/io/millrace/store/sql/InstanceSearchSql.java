package io.millrace.store.sql;

import io.millrace.instance.InstanceQuery;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.InvalidRequestException;
import io.millrace.instance.WorkflowInstance;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A search as a statement, made of constant texts, with all values as parameters.
 *
 * @param conditions on {@code w}
 */
record InstanceSearchSql(InstanceQuery query, List<String> conditions, Params params) {

  private static final String OF_TYPE = "w.type = :type";
  private static final String OF_TYPES = "w.type = ANY(CAST(:types AS varchar ARRAY))";
  private static final String OF_GROUP = "w.executor_group = :executorGroup";

  /** Conditions that the kinds of a {@link SearchIndex} imply. */
  private static final Set<String> KINDS = Set.of(OF_TYPE, OF_TYPES, OF_GROUP);

  /** Condition in the form of the expressions of the prefix indexes on keys. */
  private static final String BEGINS =
      """
      (LOWER(w.business_key) LIKE :prefix ESCAPE '!' OR LOWER(w.external_id) LIKE :prefix ESCAPE '!')
      """;

  private static final String INSTANCES = " FROM millrace_instance w ";

  /** Join driven by the variable's index, which holds the ids in the order of the result. */
  private static final String BY_VARIABLE =
      " FROM millrace_variable v JOIN millrace_instance w ON w.id = v.instance_id ";

  /**
   * Returns the statement of a query.
   *
   * @param idBounds range that contains all matches
   * @param rows maximum number of results
   */
  static InstanceSearchSql of(
      InstanceQuery query, @Nullable String variableValue, IdBounds idBounds, int rows) {
    InstanceSearchSql instanceSearchSql =
        new InstanceSearchSql(query, new ArrayList<>(), Params.of("limit", rows));
    instanceSearchSql.params.set("first", idBounds.first()).set("last", idBounds.last());
    instanceSearchSql.is(variableValue);
    instanceSearchSql.isCalled();
    instanceSearchSql.was();
    return instanceSearchSql;
  }

  /**
   * Returns the sources to search if each {@link SearchIndex} has an index; empty if the order of
   * ids leads to the result, as it does within few ids.
   */
  List<SearchIndex> sources(IdBounds idBounds) {
    boolean unordered = query.variable() != null || query.times().ended() != null;
    return unordered || idBounds.areFew() ? List.of() : SearchIndex.of(query);
  }

  /**
   * Returns true if the order of the result leads to it, and no index with fewer instances is
   * known.
   */
  boolean isOrdered() {
    return query.variable() == null
        && (query.times().ended() == null || !SearchIndex.hasKey(query));
  }

  /**
   * Returns the statement.
   *
   * @param selected columns of {@code w}
   */
  String sql(String selected, List<SearchIndex> sources) {
    if (query.variable() == null && query.times().ended() == null) {
      return sources.isEmpty() ? byIds(selected) : bySources(selected, sources);
    }
    return "SELECT "
        + selected
        + (query.variable() == null ? INSTANCES : BY_VARIABLE)
        + "WHERE TRUE"
        + and(conditions)
        + " ORDER BY "
        + (query.times().ended() == null ? "v.instance_id DESC" : "w.ended_at DESC, w.id DESC")
        + " LIMIT :limit";
  }

  private String byIds(String selected) {
    return "SELECT "
        + selected
        + INSTANCES
        + "WHERE w.id BETWEEN :first AND :last"
        + and(conditions)
        + " ORDER BY w.id DESC LIMIT :limit";
  }

  private String bySources(String selected, List<SearchIndex> sources) {
    String kinds =
        (query.match().types().isEmpty()
                ? ""
                : " AND kind.type = ANY(CAST(:types AS varchar ARRAY))")
            + (query.match().executorGroup() == null
                ? ""
                : " AND kind.executor_group = :executorGroup");
    return sources.stream()
        .map(searchIndex -> searchIndex.newest(selected, and(besides(searchIndex)), kinds))
        .collect(
            Collectors.joining(
                " UNION ALL ",
                "SELECT " + selected + " FROM (",
                ") w ORDER BY w.id DESC LIMIT :limit"));
  }

  /**
   * Returns the conditions that a source does not imply. Repeating an implied one would lead the
   * planner away from its order.
   */
  private List<String> besides(SearchIndex searchIndex) {
    String key = searchIndex.column() + " = " + searchIndex.value();
    return conditions.stream()
        .filter(one -> !one.equals(key) && !(searchIndex.kinds() && KINDS.contains(one)))
        .toList();
  }

  private static String and(List<String> conditions) {
    return conditions.stream().map(" AND "::concat).collect(Collectors.joining());
  }

  private void is(@Nullable String variableValue) {
    InstanceQuery.Match match = query.match();
    Set<String> types = match.types();
    if (types.size() == 1) {
      add(OF_TYPE, "type", types.iterator().next());
    } else if (!types.isEmpty()) {
      conditions.add(OF_TYPES);
    }
    params.texts("types", types, type -> type);
    if (!match.withoutTypes().isEmpty()) {
      conditions.add("NOT (w.type = ANY(CAST(:withoutTypes AS varchar ARRAY)))");
      params.texts("withoutTypes", match.withoutTypes(), type -> type);
    }
    add("w.state = :state", "state", match.state());
    add(OF_GROUP, "executorGroup", match.executorGroup());
    add("w.executor_id = :executor", "executor", match.executor());
    add("w.failure_fingerprint = :failure", "failure", match.failure());
    if (!query.statuses().isEmpty()) {
      conditions.add(statuses(query.statuses()));
    }
    InstanceQuery.VariableMatch variable = query.variable();
    if (variable != null) {
      boolean indexed = variableValue != null && ColumnTexts.searchable(variableValue) != null;
      conditions.add("v.name = :name");
      params.set("name", variable.name());
      add(indexed ? "v.search_value = :json" : "v.\"value\" = :json", "json", variableValue);
      conditions.add("v.instance_id BETWEEN :first AND :last");
    }
  }

  private void isCalled() {
    InstanceQuery.Keys keys = query.keys();
    add("w.business_key = :businessKey", "businessKey", keys.businessKey());
    add("w.external_id = :externalId", "externalId", keys.externalId());
    add("(w.business_key = :either OR w.external_id = :either)", "either", keys.either());
    add(BEGINS, "prefix", keys.prefix() == null ? null : ColumnTexts.prefixPattern(keys.prefix()));
    add("w.parent_id = :parentId", "parentId", keys.parentId());
  }

  private void was() {
    InstanceQuery.Times times = query.times();
    add("w.created_at >= :createdFrom", "createdFrom", times.created().from());
    add("w.created_at < :createdTo", "createdTo", times.created().to());
    add("w.modified_at >= :modifiedFrom", "modifiedFrom", times.modified().from());
    add("w.modified_at < :modifiedTo", "modifiedTo", times.modified().to());
    InstanceQuery.Range ended = times.ended();
    if (ended != null) {
      conditions.add("w.ended_at IS NOT NULL");
      add("w.ended_at >= :endedFrom", "endedFrom", ended.from());
      add("w.ended_at < :endedTo", "endedTo", ended.to());
      if (query.cursor() != null) {
        End end = End.of(query.cursor());
        add("(w.ended_at, w.id) < (:endedLast, :lastEnded)", "endedLast", end.ended());
        params.set("lastEnded", end.id());
      }
    }
  }

  private void add(String condition, String name, @Nullable Object value) {
    if (value != null) {
      conditions.add(condition);
      params.set(name, value instanceof Instant time ? ColumnTimes.limited(time) : value);
    }
  }

  private static String statuses(Set<InstanceStatus> statuses) {
    return statuses.stream()
        .sorted()
        .map(InstanceSearchSql::status)
        .collect(Collectors.joining(" OR ", "(", ")"));
  }

  /**
   * Returns the status as a literal, so that the partial index of the rare statuses can be used.
   */
  private static String status(InstanceStatus status) {
    return switch (status) {
      case EXECUTING -> "w.executor_id IS NOT NULL";
      case CREATED, IN_PROGRESS -> "(w.status = '" + status.code() + "' AND w.executor_id IS NULL)";
      case PAUSED, MANUAL, FINISHED, FAILED, CANCELLED -> "w.status = '" + status.code() + "'";
    };
  }

  /** Returns the cursor after an instance. */
  static String cursor(InstanceQuery query, WorkflowInstance last) {
    Instant ended = last.timing().ended();
    return query.times().ended() == null || ended == null
        ? Long.toString(last.id())
        : new End(ended, last.id()).toString();
  }

  /**
   * Returns the id from which {@code query} continues downwards; the greatest possible one for the
   * first page.
   */
  static long last(InstanceQuery query) {
    String cursor = query.cursor();
    return cursor == null || query.times().ended() != null
        ? Long.MAX_VALUE
        : Math.max(number(cursor, cursor), 1) - 1;
  }

  private static long number(String text, String cursor) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new InvalidRequestException(
          "The cursor '" + cursor + "' is not one that a page of this store has answered with.");
    }
  }

  /** Ids from {@code first} to {@code last}. */
  record IdBounds(long first, long last) {
    private static final long MAX_SCANNED = 20_000;

    /** Returns true if the ids are few enough to be read one by one. */
    boolean areFew() {
      return first > last || (first > Long.MIN_VALUE && last - first < MAX_SCANNED);
    }
  }

  /** A place in the order of ends. */
  private record End(Instant ended, long id) {
    static End of(String cursor) {
      String[] parts = cursor.split("_", -1);
      long id = number(parts.length == 2 ? parts[1] : "", cursor);
      return new End(ColumnTimes.ofMicros(number(parts[0], cursor)), id);
    }

    @Override
    public String toString() {
      return ColumnTimes.toMicros(ended) + "_" + id;
    }
  }
}
