package io.millrace.imports;

import io.millrace.instance.MillraceException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The tables of an existing workflow framework, {@code INSIGHTS_WORKFLOW_*}, as they were at one
 * moment: everything is read in one read-only transaction. Not thread-safe.
 */
public final class InsightsSource implements AutoCloseable {

  private static final int FETCH = 500;
  private static final int PATIENCE_SECONDS = 10;

  private static final String TYPES =
      "SELECT workflowtype FROM {type} WHERE workflowtype IS NOT NULL ORDER BY workflowtype";

  private static final String TASKS =
      """
      SELECT taskid, description, mqchannel, componentname, dependency, workflowtype
      FROM {task} ORDER BY taskid
      """;

  private static final String WORKFLOWS =
      """
      SELECT c.workflowid, c.workflowtype, c.scheduletype, c.reoccurence, c.lastrun, c.nextrun,
        c.runimmediate, c.status, c.isactive, a.startdate, a.enddate, h.executions, h.newest,
        s.id AS stepid, s.sequence, s.taskid, s.nexttask
      FROM {config} c
      LEFT JOIN (SELECT workflowid, MAX(startdate) AS startdate, MAX(enddate) AS enddate
        FROM {assessment} GROUP BY workflowid) a ON a.workflowid = c.workflowid
      LEFT JOIN (SELECT workflowid, COUNT(DISTINCT executionid) AS executions,
        MAX(executionid) AS newest FROM {history} GROUP BY workflowid) h
        ON h.workflowid = c.workflowid
      LEFT JOIN {sequence} s ON s.workflowid = c.workflowid
      ORDER BY c.workflowid, s.sequence, s.id
      """;

  private static final String HISTORY =
      """
      SELECT COUNT(*) AS total, COUNT(DISTINCT executionid) AS executions,
        MIN(NULLIF(starttime, 0)) AS first, MAX(starttime) AS last
      FROM {history}
      """;

  private final Connection connection;
  private final SourceTables tables;

  private InsightsSource(Connection connection, SourceTables tables) {
    this.connection = connection;
    this.tables = tables;
  }

  /**
   * Connects and starts the transaction.
   *
   * @param url JDBC address
   * @param schema the schema of the tables; null for the one of the connection
   * @throws MillraceException when the source cannot be reached, or does not have the tables
   */
  public static InsightsSource open(
      String url, @Nullable String user, @Nullable String password, @Nullable String schema) {
    Properties properties = new Properties();
    if (user != null) {
      properties.setProperty("user", user);
    }
    if (password != null) {
      properties.setProperty("password", password);
    }
    Connection connection;
    try {
      DriverManager.setLoginTimeout(PATIENCE_SECONDS);
      connection = DriverManager.getConnection(url, properties);
    } catch (SQLException e) {
      throw new MillraceException(
          "The source cannot be opened: "
              + firstLine(e)
              + ". Check that it runs, and --url, --user and --password-from.",
          e);
    }
    try {
      connection.setAutoCommit(false);
      connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      connection.setReadOnly(true);
      return new InsightsSource(connection, SourceTables.find(connection, schema));
    } catch (SQLException | RuntimeException e) {
      closeQuietly(connection);
      throw e instanceof RuntimeException own ? own : failed((SQLException) e);
    }
  }

  private static String firstLine(SQLException e) {
    return String.valueOf(e.getMessage()).lines().findFirst().orElse("").replaceAll("\\.$", "");
  }

  private static MillraceException failed(SQLException e) {
    return new MillraceException("The source cannot be read: " + firstLine(e) + ".", e);
  }

  String schema() {
    return tables.schema();
  }

  List<String> types() {
    List<String> types = new ArrayList<>();
    each(TYPES, row -> types.add(row.getString("workflowtype")));
    return types;
  }

  /** Returns the tasks, ordered by id. */
  List<SourceTask> tasks() {
    List<SourceTask> tasks = new ArrayList<>();
    each(
        TASKS,
        row ->
            tasks.add(
                new SourceTask(
                    row.getInt("taskid"),
                    row.getString("description"),
                    row.getString("mqchannel"),
                    row.getString("componentname"),
                    integer(row, "dependency"),
                    row.getString("workflowtype"))));
    return tasks;
  }

  SourceHistory history() {
    List<SourceHistory> found = new ArrayList<>();
    each(
        HISTORY,
        row ->
            found.add(
                new SourceHistory(
                    row.getLong("total"),
                    row.getLong("executions"),
                    milliseconds(number(row, "first")),
                    milliseconds(number(row, "last")))));
    return found.isEmpty() ? SourceHistory.NONE : found.getFirst();
  }

  private static @Nullable Instant milliseconds(@Nullable Long value) {
    return value == null || value <= 0 ? null : Instant.ofEpochMilli(value);
  }

  /** Passes all workflows to a consumer by id, one after another, without keeping them. */
  void workflows(Consumer<SourceSequence> use) {
    Gathering gathering = new Gathering(use);
    each(WORKFLOWS, gathering::row);
    gathering.end();
  }

  /** Collector of the rows of a workflow, which follow one another. */
  private static final class Gathering {
    private final Consumer<SourceSequence> use;
    private final List<SourceSequence.SequenceTask> sequenceTasks = new ArrayList<>();
    private @Nullable SourceSequence present;

    Gathering(Consumer<SourceSequence> use) {
      this.use = use;
    }

    void row(ResultSet row) throws SQLException {
      String id = row.getString("workflowid");
      SourceSequence before = present;
      if (before == null || !before.id().equals(id)) {
        end();
        present = workflow(id, row);
      }
      if (row.getObject("stepid") != null) {
        sequenceTasks.add(
            new SourceSequence.SequenceTask(
                integer(row, "sequence"), integer(row, "taskid"), integer(row, "nexttask")));
      }
    }

    void end() {
      SourceSequence done = present;
      if (done != null) {
        use.accept(
            new SourceSequence(
                done.id(), done.type(), done.when(), done.state(), done.past(), sequenceTasks));
      }
      sequenceTasks.clear();
      present = null;
    }

    private static SourceSequence workflow(String id, ResultSet row) throws SQLException {
      Long executions = number(row, "executions");
      return new SourceSequence(
          id,
          row.getString("workflowtype"),
          new SourceSequence.ScheduleColumns(
              row.getString("scheduletype"),
              truth(row, "reoccurence"),
              number(row, "nextrun"),
              number(row, "startdate"),
              number(row, "enddate")),
          new SourceSequence.State(
              row.getString("status"), truth(row, "isactive"), truth(row, "runimmediate")),
          new SourceSequence.RunHistory(
              number(row, "lastrun"), executions == null ? 0 : executions, number(row, "newest")),
          List.of());
    }
  }

  private static @Nullable Long number(ResultSet row, String column) throws SQLException {
    long value = row.getLong(column);
    return row.wasNull() ? null : value;
  }

  private static @Nullable Integer integer(ResultSet row, String column) throws SQLException {
    int value = row.getInt(column);
    return row.wasNull() ? null : value;
  }

  private static @Nullable Boolean truth(ResultSet row, String column) throws SQLException {
    boolean value = row.getBoolean(column);
    return row.wasNull() ? null : value;
  }

  @FunctionalInterface
  private interface Use {
    void row(ResultSet row) throws SQLException;
  }

  private void each(String sql, Use use) {
    try (PreparedStatement statement = connection.prepareStatement(tables.in(sql))) {
      statement.setFetchSize(FETCH);
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          use.row(rows);
        }
      }
    } catch (SQLException e) {
      throw failed(e);
    }
  }

  @Override
  public void close() {
    closeQuietly(connection);
  }

  private static void closeQuietly(Connection connection) {
    try (connection) {
      connection.rollback();
    } catch (SQLException e) {
      // Nothing was written, so nothing can be lost.
    }
  }
}
