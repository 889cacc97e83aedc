package io.millrace.server.security;

import io.millrace.lifecycle.EngineClock;
import io.millrace.store.sql.PooledConnections;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A runner of statements on accounts, with each call in one transaction. A failure never grants
 * access.
 */
final class Transactions {

  private static final Logger LOG = LoggerFactory.getLogger(Transactions.class);
  private static final int SECONDS = 10;
  private static final Duration LIMIT = Duration.ofSeconds(SECONDS);
  private static final String DUPLICATE = "23505";

  private final PooledConnections connections;
  private final RateLimitedLogger limited;

  Transactions(DataSource dataSource, EngineClock clock) {
    this.connections = new PooledConnections(dataSource);
    this.limited = new RateLimitedLogger(LOG, clock);
  }

  /**
   * The work of one transaction; it runs again if the database rolls it back because of another
   * one.
   */
  @FunctionalInterface
  interface Work<T> {
    T run(Statements statements) throws SQLException;
  }

  /** A reader of one row. */
  @FunctionalInterface
  interface RowReader<T> {
    T read(ResultSet row) throws SQLException;
  }

  /**
   * Runs a transaction.
   *
   * @throws RejectedRequestException with 503 if the database cannot execute it
   */
  <T> T run(Work<T> work) {
    try {
      return connections.run(LIMIT, connection -> attempt(connection, work));
    } catch (SQLException e) {
      limited.warn(
          "accounts", "The accounts were not reached, so nobody is let in: " + e.getMessage());
      throw RejectedRequestException.unavailable(
          "Nobody can be let in now, because the database does not answer. Try again soon.", e);
    }
  }

  /** Runs a transaction as {@link #run} does; empty if there is already a row with that key. */
  <T> Optional<T> runUnlessDuplicate(Work<T> work) {
    return run(statements -> {
      try {
        return Optional.of(work.run(statements));
      } catch (SQLException e) {
        if (!DUPLICATE.equals(e.getSQLState())) {
          throw e;
        }
        statements.connection.rollback();
        return Optional.empty();
      }
    });
  }

  private static <T> T attempt(Connection connection, Work<T> work) throws SQLException {
    boolean automatic = connection.getAutoCommit();
    connection.setAutoCommit(false);
    boolean done = false;
    try {
      T result = work.run(new Statements(connection));
      connection.commit();
      done = true;
      return result;
    } finally {
      if (!done) {
        connection.rollback();
      }
      connection.setAutoCommit(automatic);
    }
  }

  /** The statements of one transaction; parameters are in the order of the question marks. */
  record Statements(Connection connection) {

    <T> List<T> list(String sql, RowReader<T> reader, @Nullable Object... parameters)
        throws SQLException {
      try (PreparedStatement statement = prepare(sql, parameters);
          ResultSet rows = statement.executeQuery()) {
        List<T> result = new ArrayList<>();
        while (rows.next()) {
          result.add(reader.read(rows));
        }
        return result;
      }
    }

    <T> Optional<T> one(String sql, RowReader<T> reader, @Nullable Object... parameters)
        throws SQLException {
      return list(sql, reader, parameters).stream().findFirst();
    }

    /** Executes a statement and returns the number of changed rows. */
    int change(String sql, @Nullable Object... parameters) throws SQLException {
      try (PreparedStatement statement = prepare(sql, parameters)) {
        return statement.executeUpdate();
      }
    }

    /** Inserts a row and returns its generated id. */
    long insert(String sql, @Nullable Object... parameters) throws SQLException {
      try (PreparedStatement statement = connection.prepareStatement(sql, new String[] {"id"})) {
        fill(statement, parameters);
        statement.executeUpdate();
        try (ResultSet keys = statement.getGeneratedKeys()) {
          if (!keys.next()) {
            throw new SQLException("The database gave no id");
          }
          return keys.getLong(1);
        }
      }
    }

    private PreparedStatement prepare(String sql, @Nullable Object[] parameters)
        throws SQLException {
      PreparedStatement statement = connection.prepareStatement(sql);
      try {
        fill(statement, parameters);
        return statement;
      } catch (SQLException | RuntimeException e) {
        statement.close();
        throw e;
      }
    }

    private static void fill(PreparedStatement statement, @Nullable Object[] parameters)
        throws SQLException {
      statement.setQueryTimeout(SECONDS);
      for (int i = 0; i < parameters.length; i++) {
        Object value = parameters[i];
        if (value instanceof Instant instant) {
          value = instant.truncatedTo(ChronoUnit.MICROS).atOffset(ZoneOffset.UTC);
        } else if (value instanceof Role role) {
          value = role.text();
        }
        statement.setObject(i + 1, value);
      }
    }
  }

  static Instant time(ResultSet row, String column) throws SQLException {
    return row.getObject(column, OffsetDateTime.class).toInstant();
  }

  static @Nullable Instant timeOrNull(ResultSet row, String column) throws SQLException {
    OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
    return time == null ? null : time.toInstant();
  }

  /**
   * Returns the role in a row. An unknown role, which only another program can have written, grants
   * no access.
   */
  static Role role(ResultSet row) throws SQLException {
    String text = row.getString("role");
    return Role.of(text).orElseThrow(() -> new SQLException("'" + text + "' is no role"));
  }
}
