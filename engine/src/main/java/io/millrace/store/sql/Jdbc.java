package io.millrace.store.sql;

import io.millrace.store.CallerTransactions;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs work on connections of the data source, which may hand them out with or without automatic
 * commit.
 */
final class Jdbc {

  /** A piece of work on one connection. */
  @FunctionalInterface
  interface SessionCallback<T> {
    T run(SqlSession session) throws SQLException;
  }

  private static final Logger LOG = LoggerFactory.getLogger(Jdbc.class);

  /**
   * Maximum number of parsed statements in the cache. The engine's own statements are some
   * hundreds; searches can be written in far more ways.
   */
  static final int MAX_PARSED = 2_000;

  private final DataSource dataSource;
  private final Dialect dialect;
  private final @Nullable InstantSource clock;
  private final SqlHooks hooks;
  private final PooledConnections connections;
  private final CallerTransactions callers;
  private final PoolMonitor poolMonitor = new PoolMonitor();
  private volatile SessionTimeouts timeouts = SessionTimeouts.NONE;

  private final Map<String, NamedSql> parsed = new ConcurrentHashMap<>();

  /**
   * @param clock the time in place of the database's own; null for the database's own
   */
  Jdbc(DataSource dataSource, Dialect dialect, @Nullable InstantSource clock) {
    this(dataSource, dialect, clock, SqlHooks.NONE);
  }

  /**
   * @param clock the time in place of the database's own; null for the database's own
   * @param hooks the parts of features
   */
  Jdbc(DataSource dataSource, Dialect dialect, @Nullable InstantSource clock, SqlHooks hooks) {
    this(dataSource, dialect, clock, hooks, new PooledConnections(dataSource));
  }

  /**
   * @param connections connections of the pool to which {@code dataSource} leads
   */
  Jdbc(
      DataSource dataSource,
      Dialect dialect,
      @Nullable InstantSource clock,
      SqlHooks hooks,
      PooledConnections connections) {
    this(dataSource, dialect, clock, hooks, connections, CallerTransactions.NONE);
  }

  /**
   * @param connections connections of the pool to which {@code dataSource} leads
   * @param callers the transactions in which work is done for callers that have one
   */
  private Jdbc(
      DataSource dataSource,
      Dialect dialect,
      @Nullable InstantSource clock,
      SqlHooks hooks,
      PooledConnections connections,
      CallerTransactions callers) {
    this.dataSource = dataSource;
    this.dialect = dialect;
    this.clock = clock;
    this.hooks = hooks;
    this.connections = connections;
    this.callers = callers;
  }

  Dialect dialect() {
    return dialect;
  }

  /** Returns the parts that features have in the store. */
  SqlHooks hooks() {
    return hooks;
  }

  @Nullable InstantSource clock() {
    return clock;
  }

  SessionTimeouts timeouts() {
    return timeouts;
  }

  /**
   * Reads the timeouts that sessions have by default. From then on each transaction replaces those
   * that are too short, and statements run in transactions where that is needed.
   */
  SessionTimeouts readTimeouts() {
    timeouts = run("show its timeouts", dialect::timeouts);
    return timeouts;
  }

  /** Returns a copy for other connections of the same pool. */
  Jdbc with(DataSource others) {
    return copy(others, callers);
  }

  /** Returns a copy that does its work in the transactions of callers, where they have one. */
  Jdbc joining(CallerTransactions transactions) {
    return copy(dataSource, transactions);
  }

  private Jdbc copy(DataSource others, CallerTransactions transactions) {
    Jdbc other = new Jdbc(others, dialect, clock, hooks, connections, transactions);
    other.timeouts = timeouts;
    return other;
  }

  /** Returns the size of the pool, if it is known. */
  OptionalInt poolSize() {
    return PoolSize.of(dataSource);
  }

  /** Returns a connection of the same pool for one user. */
  ReservedConnection reserveConnection() {
    return new ReservedConnection(dataSource, poolMonitor);
  }

  PoolMonitor demand() {
    return poolMonitor;
  }

  /**
   * Runs statements that need no common transaction.
   *
   * @param action for messages: "The database did not ..."
   */
  <T> T run(String action, SessionCallback<T> sessionCallback) {
    return run(action, StatementTimeout.SHORT, sessionCallback);
  }

  <T> T run(String action, StatementTimeout statementTimeout, SessionCallback<T> sessionCallback) {
    return onConnection(action, statementTimeout, sessionCallback, false);
  }

  /** Runs statements in one transaction. */
  <T> T transaction(String action, SessionCallback<T> sessionCallback) {
    return transaction(action, StatementTimeout.SHORT, sessionCallback);
  }

  <T> T transaction(
      String action, StatementTimeout statementTimeout, SessionCallback<T> sessionCallback) {
    return onConnection(action, statementTimeout, sessionCallback, true);
  }

  /** Runs statements in a transaction that belongs to the caller. */
  <T> T within(String action, Connection connection, SessionCallback<T> sessionCallback) {
    try {
      SqlSession session = SqlSession.of(connection, this);
      dialect.requireDurableCommits(session);
      return sessionCallback.run(session);
    } catch (SQLException e) {
      throw SqlErrors.translate(action, e);
    }
  }

  NamedSql named(String sql) {
    NamedSql known = parsed.get(sql);
    if (known != null) {
      return known;
    }
    NamedSql named = NamedSql.parse(sql, clock == null ? dialect.now() : null);
    if (parsed.size() < MAX_PARSED) {
      parsed.put(sql, named);
    }
    return named;
  }

  /** Returns the number of cached statements. */
  int parsed() {
    return parsed.size();
  }

  private <T> T onConnection(
      String action,
      StatementTimeout statementTimeout,
      SessionCallback<T> sessionCallback,
      boolean transaction) {
    try (Connection joined = callers.connection()) {
      if (joined != null) {
        return within(action, joined, sessionCallback);
      }
      return connections.run(
          () -> poolMonitor.connect(dataSource),
          statementTimeout.duration(),
          connection -> onConnection(connection, statementTimeout, sessionCallback, transaction));
    } catch (SQLException e) {
      throw SqlErrors.translate(action, e);
    }
  }

  private <T> T onConnection(
      Connection connection,
      StatementTimeout statementTimeout,
      SessionCallback<T> sessionCallback,
      boolean transaction)
      throws SQLException {
    int before = limitNetwork(connection, statementTimeout.networkMillis());
    try {
      return onConnection(
          new SqlSession(connection, this, statementTimeout), sessionCallback, transaction);
    } finally {
      limitNetwork(connection, before);
    }
  }

  private static <T> T onConnection(
      SqlSession session, SessionCallback<T> sessionCallback, boolean transaction)
      throws SQLException {
    session.dialect().requireDurableCommits(session);
    Connection connection = session.connection();
    boolean automatic = connection.getAutoCommit();
    if (automatic && !transaction && !session.needsTransaction()) {
      return sessionCallback.run(session);
    }
    if (automatic) {
      connection.setAutoCommit(false);
    }
    boolean open = true;
    try {
      session.limitPauses();
      T result = sessionCallback.run(session);
      session.endLockWaitLimit();
      connection.commit();
      open = false;
      return result;
    } finally {
      // Switching back to automatic commit commits an open transaction, so it must have ended.
      if (open) {
        open = !quietly("roll back", connection::rollback);
      }
      quietly("reset its lock wait", session::endLockWaitLimit);
      if (automatic && !open) {
        quietly("switch back to automatic commit", () -> connection.setAutoCommit(true));
      }
    }
  }

  /** Sets the network timeout and returns the previous one; -1 if the driver has none. */
  private static int limitNetwork(Connection connection, int millis) {
    if (millis < 0) {
      return millis;
    }
    try {
      int before = connection.getNetworkTimeout();
      if (before != millis) {
        connection.setNetworkTimeout(Runnable::run, millis);
      }
      return before;
    } catch (SQLException e) {
      LOG.debug("The network timeout was not set", e);
      return -1;
    }
  }

  private static boolean quietly(String action, Cleanup cleanup) {
    try {
      cleanup.run();
      return true;
    } catch (SQLException e) {
      LOG.debug("A connection did not {}", action, e);
      return false;
    }
  }

  @FunctionalInterface
  private interface Cleanup {
    void run() throws SQLException;
  }
}
