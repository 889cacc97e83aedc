package io.millrace.store.sql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The statements on one connection. The code that opened the session controls the transaction. */
final class SqlSession {

  /** A reader of the current row of a result. */
  @FunctionalInterface
  interface RowMapper<T> {
    T read(ResultSet row) throws SQLException;
  }

  /** A consumer of the current row of a result. */
  @FunctionalInterface
  interface RowConsumer {
    void accept(ResultSet row) throws SQLException;
  }

  private final Connection connection;
  private final Jdbc jdbc;
  private final StatementTimeout statementTimeout;
  private final boolean joined;
  private boolean lockWaitLimited;

  SqlSession(Connection connection, Jdbc jdbc, StatementTimeout statementTimeout) {
    this(connection, jdbc, statementTimeout, false);
  }

  private SqlSession(
      Connection connection, Jdbc jdbc, StatementTimeout statementTimeout, boolean joined) {
    this.connection = connection;
    this.jdbc = jdbc;
    this.statementTimeout = statementTimeout;
    this.joined = joined;
  }

  /** Returns a session in a transaction of the application, whose settings it leaves alone. */
  static SqlSession of(Connection transaction, Jdbc jdbc) {
    return new SqlSession(transaction, jdbc, StatementTimeout.LONG, true);
  }

  Dialect dialect() {
    return jdbc.dialect();
  }

  SqlHooks hooks() {
    return jdbc.hooks();
  }

  Connection connection() {
    return connection;
  }

  /**
   * Limits the time between statements of a starting transaction to the statements' own limit, and
   * replaces shorter timeouts of the database.
   */
  void limitPauses() throws SQLException {
    jdbc.dialect().limitIdleInTransaction(this, statementTimeout.seconds());
    String replacing = jdbc.timeouts().replacing(statementTimeout);
    if (!replacing.isEmpty()) {
      update(replacing, Params.none());
    }
  }

  /** Returns true if a timeout of the database may end a statement that is not in a transaction. */
  boolean needsTransaction() {
    return jdbc.timeouts().interfereWith(statementTimeout);
  }

  /** Limits the waits for other transactions until this one ends. */
  void limitLockWait(Duration wait) throws SQLException {
    if (joined) {
      return;
    }
    lockWaitLimited = true;
    jdbc.dialect().limitLockWait(this, wait);
  }

  /** Restores the previous lock wait of the connection. */
  void endLockWaitLimit() throws SQLException {
    if (lockWaitLimited) {
      jdbc.dialect().endLockWaitLimit(this);
      lockWaitLimited = false;
    }
  }

  <T> List<T> query(String sql, Params params, RowMapper<T> reader) throws SQLException {
    List<T> all = new ArrayList<>();
    forEachRow(sql, params, row -> all.add(reader.read(row)));
    return all;
  }

  /** Runs a query like {@link #query}, for callers that collect the rows themselves. */
  void forEachRow(String sql, Params params, RowConsumer consumer) throws SQLException {
    NamedSql named = jdbc.named(sql);
    try (PreparedStatement statement = connection.prepareStatement(named.jdbc())) {
      bind(statement, sql, params);
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          consumer.accept(rows);
        }
      }
    }
  }

  <T> Optional<T> first(String sql, Params params, RowMapper<T> reader) throws SQLException {
    return query(sql, params, reader).stream().findFirst();
  }

  int update(String sql, Params params) throws SQLException {
    NamedSql named = jdbc.named(sql);
    try (PreparedStatement statement = connection.prepareStatement(named.jdbc())) {
      bind(statement, sql, params);
      return statement.executeUpdate();
    }
  }

  /** Executes a statement as it is written, without parameters and without a time limit. */
  void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.setEscapeProcessing(false);
      statement.execute(sql);
    }
  }

  /** Inserts a row unless its key exists. Returns true if it was inserted. */
  boolean insertIfAbsent(String sql, Params params) throws SQLException {
    try {
      return update(sql + jdbc.dialect().onConflictDoNothing(), params) == 1;
    } catch (SQLException e) {
      if (SqlErrors.isDuplicate(e)) {
        return false;
      }
      throw e;
    }
  }

  /** Inserts a row and returns the {@code id} that the database assigned. */
  long insert(String sql, Params params) throws SQLException {
    NamedSql named = jdbc.named(sql);
    try (PreparedStatement statement =
        connection.prepareStatement(named.jdbc(), new String[] {"id"})) {
      bind(statement, sql, params);
      statement.executeUpdate();
      try (ResultSet keys = statement.getGeneratedKeys()) {
        if (!keys.next()) {
          throw new SQLException("An inserted row got no id.");
        }
        return keys.getLong(1);
      }
    }
  }

  /** Changes a row and returns the new values of {@code columns}; empty if there is none. */
  <T> Optional<T> changed(String sql, Params params, String[] columns, RowMapper<T> reader)
      throws SQLException {
    NamedSql named = jdbc.named(sql);
    try (PreparedStatement statement = connection.prepareStatement(named.jdbc(), columns)) {
      bind(statement, sql, params);
      statement.executeUpdate();
      try (ResultSet rows = statement.getGeneratedKeys()) {
        return rows.next() ? Optional.of(reader.read(rows)) : Optional.empty();
      }
    }
  }

  /** Executes a statement once for each of {@code rows}. Returns the numbers of changed rows. */
  int[] batch(String sql, List<Params> rows) throws SQLException {
    NamedSql named = jdbc.named(sql);
    try (PreparedStatement statement = connection.prepareStatement(named.jdbc())) {
      for (Params row : rows) {
        bind(statement, sql, row);
        statement.addBatch();
      }
      return statement.executeBatch();
    }
  }

  private void bind(PreparedStatement statement, String sql, Params params) throws SQLException {
    if (jdbc.dialect().limitsStatements()) {
      statement.setQueryTimeout(statementTimeout.seconds());
    }
    jdbc.dialect().tune(statement, sql);
    if (jdbc.clock() != null) {
      params.set(NamedSql.NOW, ColumnTimes.truncate(jdbc.clock().instant()));
    }
    params.bind(statement, jdbc.named(sql));
  }
}
