package io.millrace.tests.store;

import io.millrace.fixtures.Proxies;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.Savepoint;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import javax.sql.DataSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A data source on PostgreSQL that also explains queries as they are executed; by default those of
 * instances.
 */
final class QueryPlans {

  /**
   * The pages and rows that a query has read.
   *
   * @param pages pages of tables and indexes
   * @param instances rows of instances, including those that did not match
   * @param rows rows of all tables, including those that did not match
   */
  record QueryPlan(long pages, long instances, long rows) {
    static QueryPlan of(JsonNode root) {
      return new QueryPlan(
          root.path("Shared Hit Blocks").asLong() + root.path("Shared Read Blocks").asLong(),
          rows(root, "millrace_instance"::equals),
          rows(root, name -> !name.isEmpty()));
    }

    private static long rows(JsonNode node, Predicate<String> table) {
      long rows =
          table.test(node.path("Relation Name").asString())
              ? node.path("Actual Loops").asLong()
                  * (node.path("Actual Rows").asLong()
                      + node.path("Rows Removed by Filter").asLong())
              : 0;
      for (JsonNode child : node.path("Plans")) {
        rows += rows(child, table);
      }
      return rows;
    }
  }

  private static final JsonMapper JSON = JsonMapper.shared();
  private static final String EXPLAIN = "EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ";

  private final DataSource target;
  private final Predicate<String> explained;
  private final boolean changing;
  private final List<QueryPlan> seen = new ArrayList<>();

  QueryPlans(DataSource target) {
    this(target, sql -> sql.contains("millrace_instance w"));
  }

  /**
   * @param explained predicate of the queries to explain
   */
  QueryPlans(DataSource target, Predicate<String> explained) {
    this(target, sql -> sql.startsWith("SELECT") && explained.test(sql), false);
  }

  private QueryPlans(DataSource target, Predicate<String> explained, boolean changing) {
    this.target = target;
    this.explained = explained;
    this.changing = changing;
  }

  /**
   * Returns a data source that explains changes of instances with result rows; the effect of
   * explaining is undone.
   */
  static QueryPlans ofChanges(DataSource target) {
    return new QueryPlans(target, sql -> sql.contains("UPDATE millrace_instance w"), true);
  }

  /**
   * Returns a data source that explains changes with an update count; the effect of explaining is
   * undone.
   */
  static QueryPlans ofUpdates(DataSource target, Predicate<String> explained) {
    return new QueryPlans(target, explained, true);
  }

  /** Returns the plans since the last call. */
  List<QueryPlan> all() {
    List<QueryPlan> all = List.copyOf(seen);
    seen.clear();
    return all;
  }

  /** Returns the plan of the only query since the last call. */
  QueryPlan only() {
    if (seen.size() != 1) {
      throw new AssertionError("Expected the plan of one query, but there are " + seen);
    }
    return seen.removeFirst();
  }

  /** Returns this as a data source. */
  DataSource dataSource() {
    return Proxies.proxy(
        DataSource.class,
        (method, args) ->
            method.getName().equals("getConnection")
                ? connection(target.getConnection())
                : Proxies.invoke(target, method, args));
  }

  private Connection connection(Connection real) {
    return Proxies.proxy(
        Connection.class,
        (method, args) ->
            method.getName().equals("prepareStatement") && explained.test((String) args[0])
                ? statement(real, (String) args[0])
                : Proxies.invoke(real, method, args));
  }

  private PreparedStatement statement(Connection real, String sql) throws Exception {
    PreparedStatement query = real.prepareStatement(sql);
    PreparedStatement explained = real.prepareStatement(EXPLAIN + sql);
    return Proxies.proxy(
        PreparedStatement.class,
        (method, args) -> {
          if (method.getName().equals("executeQuery") || method.getName().equals("executeUpdate")) {
            seen.add(changing ? explainUndone(real, explained) : explain(explained));
          } else if (method.getName().startsWith("set") || method.getName().equals("close")) {
            Proxies.invoke(explained, method, args);
          }
          return Proxies.invoke(query, method, args);
        });
  }

  private static QueryPlan explainUndone(Connection connection, PreparedStatement explained)
      throws Exception {
    boolean alone = connection.getAutoCommit();
    connection.setAutoCommit(false);
    Savepoint before = connection.setSavepoint();
    try {
      return explain(explained);
    } finally {
      connection.rollback(before);
      if (alone) {
        connection.rollback();
        connection.setAutoCommit(true);
      }
    }
  }

  private static QueryPlan explain(PreparedStatement explained) throws Exception {
    try (ResultSet rows = explained.executeQuery()) {
      rows.next();
      return QueryPlan.of(JSON.readTree(rows.getString(1)).path(0).path("Plan"));
    }
  }
}
