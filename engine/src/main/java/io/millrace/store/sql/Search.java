package io.millrace.store.sql;

import io.millrace.instance.InstanceQuery;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.InvalidRequestException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A search as a statement: made of constant texts, with all values as parameters. */
record Search(String sql, Params params) {

  private static final String INSTANCES = " FROM millrace_workflow w ";

  /** Driven by the variable's index, which holds the ids in the order of the answer. */
  private static final String BY_VARIABLE =
      " FROM millrace_workflow_variable v JOIN millrace_workflow w ON w.id = v.workflow_id ";

  /**
   * @param halved true when each {@link Half} has an index
   */
  static Search of(InstanceQuery query, @Nullable String variableValue, boolean halved) {
    List<Half> halves = halved ? Half.of(query) : List.of();
    return halves.isEmpty() ? byIds(query, variableValue) : byHalves(query, halves);
  }

  private static Search byIds(InstanceQuery query, @Nullable String variableValue) {
    List<String> conditions = new ArrayList<>();
    Params params = Params.of("limit", query.limit() + 1);
    InstanceQuery.VariableMatch variable = query.variable();
    if (variable != null) {
      conditions.add(variableCondition(variableValue));
      params.set("name", variable.name()).set("json", variableValue);
    }
    String id = variable == null ? "w.id" : "v.workflow_id";
    if (query.cursor() != null) {
      conditions.add(id + " < :before");
      params.set("before", position(query.cursor()));
    }
    add("w.type = :type", "type", query.match().type(), conditions, params);
    match(query, conditions, params);
    String where = conditions.isEmpty() ? "" : "WHERE " + String.join(" AND ", conditions);
    return new Search(
        "SELECT "
            + Rows.INSTANCE
            + (variable == null ? INSTANCES : BY_VARIABLE)
            + where
            + " ORDER BY "
            + id
            + " DESC LIMIT :limit",
        params);
  }

  private static Search byHalves(InstanceQuery query, List<Half> halves) {
    List<String> conditions = new ArrayList<>();
    Params params = Params.of("limit", query.limit() + 1);
    String cursor = query.cursor();
    params.set("last", cursor == null ? Long.MAX_VALUE : Math.max(position(cursor), 1) - 1);
    match(query, conditions, params);
    String and = conditions.stream().map(" AND "::concat).collect(Collectors.joining());
    String type = query.match().type();
    if (type == null) {
      return newest(halves.getFirst().ofEachType(and), params);
    }
    return newest(
        halves.stream()
            .map(half -> half.ofType(and))
            .collect(Collectors.joining(" UNION ALL ", "(", ")")),
        params.set("type", type));
  }

  private static Search newest(String from, Params params) {
    return new Search(
        "SELECT " + Rows.INSTANCE + " FROM " + from + " w ORDER BY w.id DESC LIMIT :limit", params);
  }

  private static String variableCondition(@Nullable String json) {
    return json != null && Texts.searchable(json) != null
        ? "v.name = :name AND v.search = :json"
        : "v.name = :name AND v.\"value\" = :json";
  }

  private static long position(String cursor) {
    try {
      return Long.parseLong(cursor);
    } catch (NumberFormatException e) {
      throw new InvalidRequestException(
          "The cursor '" + cursor + "' is not one that a page of this store has answered with.");
    }
  }

  /** All conditions but those of type and variable. */
  private static void match(InstanceQuery query, List<String> conditions, Params params) {
    InstanceQuery.Match match = query.match();
    add("w.state = :state", "state", match.state(), conditions, params);
    add("w.business_key = :businessKey", "businessKey", match.businessKey(), conditions, params);
    add("w.external_id = :externalId", "externalId", match.externalId(), conditions, params);
    add("w.parent_id = :parentId", "parentId", match.parentId(), conditions, params);
    times(query, conditions, params);
    if (!query.statuses().isEmpty()) {
      conditions.add(statuses(query));
    }
  }

  private static void times(InstanceQuery query, List<String> conditions, Params params) {
    add("w.created >= :createdFrom", "createdFrom", query.created().from(), conditions, params);
    add("w.created < :createdTo", "createdTo", query.created().to(), conditions, params);
    add("w.modified >= :modifiedFrom", "modifiedFrom", query.modified().from(), conditions, params);
    add("w.modified < :modifiedTo", "modifiedTo", query.modified().to(), conditions, params);
  }

  private static void add(
      String condition,
      String name,
      @Nullable Object value,
      List<String> conditions,
      Params params) {
    if (value != null) {
      conditions.add(condition);
      params.set(name, value);
    }
  }

  private static String statuses(InstanceQuery query) {
    return query.statuses().stream()
        .sorted()
        .map(Search::status)
        .collect(Collectors.joining(" OR ", "(", ")"));
  }

  /** Written out, so that the partial index of the rare statuses can be used. */
  private static String status(InstanceStatus status) {
    return switch (status) {
      case EXECUTING -> "w.executor_id IS NOT NULL";
      case CREATED, IN_PROGRESS -> "(w.status = '" + status.code() + "' AND w.executor_id IS NULL)";
      case PAUSED, MANUAL, FINISHED, FAILED, CANCELLED -> "w.status = '" + status.code() + "'";
    };
  }
}
