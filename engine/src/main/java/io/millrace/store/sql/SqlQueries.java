package io.millrace.store.sql;

import io.millrace.instance.Action;
import io.millrace.instance.InstanceQuery;
import io.millrace.instance.Page;
import io.millrace.instance.Signal;
import io.millrace.instance.WorkflowInstance;
import io.millrace.store.QueryStore;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reading. */
final class SqlQueries implements QueryStore {

  private static final String FIND =
      "SELECT " + Rows.INSTANCE + " FROM millrace_workflow w WHERE w.id = :id";

  private static final String FIND_BY_EXTERNAL_ID =
      "SELECT "
          + Rows.INSTANCE
          + """
          FROM millrace_workflow w WHERE w.type = :type AND w.executor_group = :executorGroup
           AND w.external_id = :externalId
          """;

  private static final String INPUT = "SELECT input FROM millrace_workflow WHERE id = :id";

  private static final String CHILD_VARIABLES =
      """
      SELECT w.type, w.version, v."value" FROM millrace_workflow w
      JOIN millrace_workflow_variable v ON v.workflow_id = w.id
      WHERE w.parent_id = :parentId AND v.name = :name
      ORDER BY w.id
      """;

  private static final String VARIABLES =
      """
      SELECT name, "value" FROM millrace_workflow_variable WHERE workflow_id = :id
      """;

  private static final String HISTORY =
      "SELECT "
          + Rows.ACTION
          + """
           FROM millrace_workflow_action WHERE workflow_id = :id AND seq > :afterSeq
          ORDER BY seq LIMIT :limit
          """;

  private static final String SIGNALS =
      "SELECT "
          + Rows.SIGNAL
          + " FROM millrace_workflow_signal WHERE workflow_id = :id ORDER BY id DESC LIMIT :limit";

  private final Jdbc jdbc;

  SqlQueries(Jdbc jdbc) {
    this.jdbc = jdbc;
  }

  @Override
  public Optional<WorkflowInstance> find(long instanceId) {
    return jdbc.run(
        "find an instance",
        session -> session.first(FIND, Params.of("id", instanceId), Rows::instance));
  }

  @Override
  public Optional<WorkflowInstance> findByExternalId(
      String type, String executorGroup, String externalId) {
    Params params =
        Params.of("type", type).set("executorGroup", executorGroup).set("externalId", externalId);
    return jdbc.run(
        "find an instance", session -> session.first(FIND_BY_EXTERNAL_ID, params, Rows::instance));
  }

  @Override
  public Optional<String> input(long instanceId) {
    return jdbc.run(
        "read an input",
        session ->
            session
                .first(
                    INPUT,
                    Params.of("id", instanceId),
                    row -> Optional.ofNullable(row.getString("input")))
                .flatMap(input -> input));
  }

  @Override
  public Map<String, String> variables(long instanceId) {
    return jdbc.run(
        "read variables",
        session -> {
          Map<String, String> variables = new TreeMap<>();
          session.visit(
              VARIABLES,
              Params.of("id", instanceId),
              row -> variables.put(row.getString("name"), row.getString("value")));
          return variables;
        });
  }

  @Override
  public List<ChildVariable> childVariables(long parentId, String name) {
    return jdbc.run(
        "read the variables of children",
        Limit.LONG,
        session ->
            session.query(
                CHILD_VARIABLES,
                Params.of("parentId", parentId).set("name", name),
                row ->
                    new ChildVariable(
                        row.getString("type"), row.getInt("version"), row.getString("value"))));
  }

  @Override
  public List<Action> history(long instanceId, int afterSeq, int limit) {
    Params params = Params.of("id", instanceId).set("afterSeq", afterSeq).set("limit", limit);
    return jdbc.run("read a history", session -> session.query(HISTORY, params, Rows::action));
  }

  @Override
  public List<Signal> signals(long instanceId, int limit) {
    Params params = Params.of("id", instanceId).set("limit", limit);
    return jdbc.run("read signals", session -> session.query(SIGNALS, params, Rows::signal));
  }

  @Override
  public Page<WorkflowInstance> search(InstanceQuery query, @Nullable String variableValue) {
    List<WorkflowInstance> found =
        jdbc.transaction(
            "search instances",
            Limit.LONG,
            session -> {
              Asked asked = ask(session, query, variableValue, query.limit() + 1);
              return session.query(asked.sql(Rows.INSTANCE), asked.search.params(), Rows::instance);
            });
    if (found.size() <= query.limit()) {
      return new Page<>(found, null);
    }
    List<WorkflowInstance> items = found.subList(0, query.limit());
    return new Page<>(items, Search.cursor(query, items.getLast()));
  }

  @Override
  public int count(InstanceQuery query, @Nullable String variableValue, int cap) {
    return jdbc.transaction(
        "count instances",
        Limit.LONG,
        session -> {
          Asked asked = ask(session, query.after(null), variableValue, cap);
          String sql = "SELECT COUNT(*) AS matching FROM (" + asked.sql("w.id") + ") m";
          return session
              .query(sql, asked.search.params(), row -> row.getInt("matching"))
              .getFirst();
        });
  }

  /** A search, and where to look. */
  private record Asked(Search search, List<Source> sources) {
    String sql(String selected) {
      return search.sql(selected, sources);
    }
  }

  private static Asked ask(
      Session session, InstanceQuery query, @Nullable String variableValue, int rows)
      throws SQLException {
    Search.Ids ids = IdRange.of(session, query.times().created(), Search.last(query));
    Search search = Search.of(query, variableValue, ids, rows);
    // An embedded database has no index for a part of a table.
    List<Source> sources = session.dialect().embedded() ? List.of() : search.sources(ids);
    if (search.isOrdered()) {
      session.dialect().preferOrder(session);
    }
    return new Asked(search, sources);
  }

  /** The ids of the newest instances of a type, within the session's transaction. */
  static List<Long> newest(Session session, String type, int rows) throws SQLException {
    Asked asked = ask(session, InstanceQuery.all().type(type), null, rows);
    return session.query(asked.sql("w.id"), asked.search.params(), row -> row.getLong("id"));
  }

  /** How the database would search, line by line, within the session's transaction. */
  static List<String> plan(Session session, InstanceQuery query) throws SQLException {
    Asked asked = ask(session, query, null, query.limit());
    return session.query(
        "EXPLAIN " + asked.sql(Rows.INSTANCE), asked.search.params(), row -> row.getString(1));
  }

  @Override
  public Instant now() {
    return jdbc.run("tell the time", SqlQueries::now);
  }

  static Instant now(Session session) throws SQLException {
    return session
        .query("SELECT :now AS now", Params.none(), row -> Times.read(row, "now"))
        .getFirst();
  }
}
