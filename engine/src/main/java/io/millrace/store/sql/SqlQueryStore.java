package io.millrace.store.sql;

import io.millrace.instance.HistoryEntry;
import io.millrace.instance.InboxMessage;
import io.millrace.instance.InstanceQuery;
import io.millrace.instance.Page;
import io.millrace.instance.WorkflowInstance;
import io.millrace.store.QueryStore;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The queries in SQL. */
final class SqlQueryStore implements QueryStore {

  /**
   * Condition that is false while an instance is archived or deleted in parts, and rows of it are
   * left.
   */
  static final String THERE = " AND EXISTS (SELECT 1 FROM millrace_instance w WHERE w.id = :id)";

  private static final String FIND =
      "SELECT " + RowMappers.INSTANCE + " FROM millrace_instance w WHERE w.id = :id";

  private static final String FIND_BY_EXTERNAL_ID =
      "SELECT "
          + RowMappers.INSTANCE
          + """
          FROM millrace_instance w WHERE w.type = :type AND w.executor_group = :executorGroup
           AND w.external_id = :externalId
          """;

  private static final String INPUT = "SELECT input FROM millrace_instance WHERE id = :id";

  private static final String CHILD_VARIABLES =
      """
      SELECT type, version, CASE WHEN so_far <= CAST(:maxBytes AS bigint) THEN content END AS content
      FROM (
        SELECT w.id, w.type, w.version, v."value" AS content,
          SUM(OCTET_LENGTH(v."value")) OVER (ORDER BY w.id) AS so_far
        FROM millrace_instance w JOIN millrace_variable v ON v.instance_id = w.id
        WHERE w.parent_id = :parentId AND v.name = :name) sized
      ORDER BY id
      """;

  private static final String VARIABLES =
      "SELECT name, \"value\" FROM millrace_variable WHERE instance_id = :id" + THERE;

  private static final String HISTORY =
      "SELECT "
          + RowMappers.HISTORY
          + """
           FROM (
            SELECT a.*, SUM(a.size) OVER (ORDER BY a.seq) AS so_far
            FROM (
              SELECT a.*,
                COALESCE(OCTET_LENGTH(a.error), 0) + COALESCE(OCTET_LENGTH(a.variables), 0) AS size
              FROM millrace_history a WHERE a.instance_id = :id AND a.seq > :afterSeq
                AND EXISTS (SELECT 1 FROM millrace_instance w WHERE w.id = :id)
              ORDER BY a.seq LIMIT :limit) a) a
          WHERE so_far - size < CAST(:bytes AS bigint) ORDER BY seq
          """;

  private static final String MESSAGES =
      "SELECT "
          + RowMappers.INBOX_MESSAGE
          + """
           FROM (
            SELECT s.*, SUM(s.size) OVER (ORDER BY s.id DESC) AS so_far
            FROM (
              SELECT s.*, COALESCE(OCTET_LENGTH(s.payload), 0) AS size
              FROM millrace_message s WHERE s.instance_id = :id
                AND EXISTS (SELECT 1 FROM millrace_instance w WHERE w.id = :id)
              ORDER BY s.id DESC LIMIT :limit) s) s
          WHERE so_far - size < CAST(:bytes AS bigint) ORDER BY id DESC
          """;

  private final Jdbc jdbc;

  SqlQueryStore(Jdbc jdbc) {
    this.jdbc = jdbc;
  }

  @Override
  public Optional<WorkflowInstance> find(long instanceId) {
    return jdbc.run(
        "find an instance",
        session -> session.first(FIND, Params.of("id", instanceId), RowMappers::instance));
  }

  @Override
  public Optional<WorkflowInstance> findByExternalId(
      String type, String executorGroup, String externalId) {
    Params params =
        Params.of("type", type).set("executorGroup", executorGroup).set("externalId", externalId);
    return jdbc.run(
        "find an instance",
        session -> session.first(FIND_BY_EXTERNAL_ID, params, RowMappers::instance));
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
          session.forEachRow(
              VARIABLES,
              Params.of("id", instanceId),
              row -> variables.put(row.getString("name"), row.getString("value")));
          return variables;
        });
  }

  @Override
  public List<ChildVariable> childVariables(long parentId, String name, long maxBytes) {
    return jdbc.run(
        "read the variables of children",
        StatementTimeout.LONG,
        session ->
            session.query(
                CHILD_VARIABLES,
                Params.of("parentId", parentId).set("name", name).set("maxBytes", maxBytes),
                row -> {
                  String content = row.getString("content");
                  if (content == null) {
                    throw QueryStore.tooLarge(parentId, name, maxBytes);
                  }
                  return new ChildVariable(row.getString("type"), row.getInt("version"), content);
                }));
  }

  @Override
  public List<HistoryEntry> history(long instanceId, int afterSeq, int limit) {
    Params params =
        Params.of("id", instanceId)
            .set("afterSeq", afterSeq)
            .set("limit", limit)
            .set("bytes", PAGE_BYTES);
    return jdbc.run(
        "read a history",
        session -> {
          List<HistoryEntry> entries = session.query(HISTORY, params, RowMappers::historyEntry);
          return entries.isEmpty() ? entries : withConsumed(session, entries);
        });
  }

  private static List<HistoryEntry> withConsumed(SqlSession session, List<HistoryEntry> entries)
      throws SQLException {
    HistoryEntry first = entries.getFirst();
    Map<Integer, List<String>> consumed =
        InboxMessages.consumedBetween(
            session, first.instanceId(), first.seq(), entries.getLast().seq());
    return entries.stream()
        .map(entry -> entry.consuming(consumed.getOrDefault(entry.seq(), List.of())))
        .toList();
  }

  @Override
  public List<InboxMessage> inboxMessages(long instanceId, int limit) {
    Params params = Params.of("id", instanceId).set("limit", limit).set("bytes", PAGE_BYTES);
    return jdbc.run(
        "read messages", session -> session.query(MESSAGES, params, RowMappers::inboxMessage));
  }

  @Override
  public Page<WorkflowInstance> search(InstanceQuery query, @Nullable String variableValue) {
    List<WorkflowInstance> found =
        jdbc.transaction(
            "search instances",
            StatementTimeout.LONG,
            session -> {
              Asked asked = ask(session, query, variableValue, query.limit() + 1);
              return session.query(
                  asked.sql(RowMappers.INSTANCE), asked.search.params(), RowMappers::instance);
            });
    if (found.size() <= query.limit()) {
      return new Page<>(found, null);
    }
    List<WorkflowInstance> items = found.subList(0, query.limit());
    return new Page<>(items, InstanceSearchSql.cursor(query, items.getLast()));
  }

  @Override
  public int count(InstanceQuery query, @Nullable String variableValue, int cap) {
    return jdbc.transaction(
        "count instances",
        StatementTimeout.LONG,
        session -> {
          Asked asked = ask(session, query.after(null), variableValue, cap);
          String sql = "SELECT COUNT(*) AS matching FROM (" + asked.sql("w.id") + ") m";
          return session
              .query(sql, asked.search.params(), row -> row.getInt("matching"))
              .getFirst();
        });
  }

  /** A search with its sources. */
  private record Asked(InstanceSearchSql search, List<SearchIndex> sources) {
    String sql(String selected) {
      return search.sql(selected, sources);
    }
  }

  private static Asked ask(
      SqlSession session, InstanceQuery query, @Nullable String variableValue, int rows)
      throws SQLException {
    InstanceSearchSql.IdBounds idBounds =
        IdRangeFinder.of(session, query.times().created(), InstanceSearchSql.last(query));
    InstanceSearchSql instanceSearchSql =
        InstanceSearchSql.of(query, variableValue, idBounds, rows);
    List<SearchIndex> sources =
        session.dialect().hasPartialIndexes() ? instanceSearchSql.sources(idBounds) : List.of();
    if (instanceSearchSql.isOrdered()) {
      session.dialect().preferIndexOrder(session);
    }
    return new Asked(instanceSearchSql, sources);
  }

  /** Returns the ids of the newest instances of a type, within the session's transaction. */
  static List<Long> newest(SqlSession session, String type, int rows) throws SQLException {
    Asked asked = ask(session, InstanceQuery.all().type(type), null, rows);
    return session.query(asked.sql("w.id"), asked.search.params(), row -> row.getLong("id"));
  }

  /** Returns the database's plan of the search, line by line, within the session's transaction. */
  static List<String> plan(SqlSession session, InstanceQuery query) throws SQLException {
    Asked asked = ask(session, query, null, query.limit());
    return session.query(
        "EXPLAIN " + asked.sql(RowMappers.INSTANCE),
        asked.search.params(),
        row -> row.getString(1));
  }

  @Override
  public Instant now() {
    return jdbc.run("read the time", SqlQueryStore::now);
  }

  static Instant now(SqlSession session) throws SQLException {
    return session
        .query("SELECT :now AS now", Params.none(), row -> ColumnTimes.read(row, "now"))
        .getFirst();
  }
}
