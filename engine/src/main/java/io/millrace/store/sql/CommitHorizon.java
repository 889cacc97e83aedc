package io.millrace.store.sql;

import io.millrace.lifecycle.EngineClock;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The watermark of a query up to which no open transaction can add a row. It advances at intervals:
 * the highest visible watermark is noted, then the open transactions. When these have ended, all
 * rows up to that watermark are visible. Transactions that start later draw higher values.
 * Thread-safe.
 */
final class CommitHorizon {

  private static final Logger LOG = LoggerFactory.getLogger(SqlRowReader.class);

  /**
   * Tolerance on PostgreSQL, where the server reads the clock for {@code now()} a moment before a
   * transaction shows as open.
   */
  private static final Duration OPENING = Duration.ofMillis(50);

  /** The wait for databases that do not show open transactions. */
  private static final Duration UNSEEN = Duration.ofSeconds(5);

  private static final Duration LONG = Duration.ofMinutes(1);

  /**
   * Query for open transactions. Every transaction holds a lock on its virtual id from its start
   * on; prepared ones have lost theirs. Sessions without a user are background processes such as
   * autovacuum, which write no rows of users.
   */
  private static final String OPEN =
      """
      SELECT l.virtualtransaction AS id,
        'process ' || a.pid || COALESCE(' (' || NULLIF(a.application_name, '') || ')', '') AS name
      FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
      WHERE l.locktype = 'virtualxid' AND l.mode = 'ExclusiveLock' AND l.granted
        AND a.datname = current_database() AND a.usesysid IS NOT NULL
        AND a.pid <> pg_backend_pid() AND (? OR a.backend_xid IS NOT NULL)
      """;

  private static final String PREPARED =
      """
      SELECT 'prepared ' || p.transaction AS id, 'prepared transaction ' || p.gid AS name
      FROM pg_prepared_xacts p WHERE p.database = current_database()
      """;

  private static final String STANDBY = "SELECT pg_is_in_recovery()";

  private final String description;
  private final Rule rule;
  private final EngineClock clock;
  private @Nullable Object complete;
  private @Nullable Mark mark;

  /**
   * The conditions under which the horizon advances.
   *
   * @param lag the time since a row was first seen; null for the default of the database
   */
  record Rule(@Nullable Duration lag, boolean writersOnly) {
    static final Rule DEFAULT = new Rule(null, false);

    Rule lag(Duration time) {
      return new Rule(time, writersOnly);
    }

    Rule waitForWritersOnly() {
      return new Rule(lag, true);
    }
  }

  /** A query for the highest watermark that is visible now. */
  @FunctionalInterface
  interface Highest {
    @Nullable Object read() throws SQLException;
  }

  /** A watermark that becomes the horizon, with the transactions it waits for. */
  private static final class Mark {
    final Object watermark;
    final long sinceNanos;
    final boolean showsTransactions;

    /** Open transactions by their ids; null before they were read. */
    @Nullable Map<String, String> open;

    /** True if the transactions that were open have ended or were prepared. */
    boolean prepared;

    boolean warned;

    Mark(Object watermark, long sinceNanos, boolean showsTransactions) {
      this.watermark = watermark;
      this.sinceNanos = sinceNanos;
      this.showsTransactions = showsTransactions;
    }
  }

  CommitHorizon(String description, Rule rule, EngineClock clock) {
    this.description = description;
    this.rule = rule;
    this.clock = clock;
  }

  /** Returns the watermark up to which all rows are visible; null if none is known. */
  synchronized @Nullable Object complete() {
    return complete;
  }

  synchronized boolean isWaiting() {
    return mark != null;
  }

  /**
   * Notes the highest watermark, or checks whether the noted one has become the horizon.
   *
   * @return true if the horizon has advanced
   */
  synchronized boolean advance(Connection connection, Highest highest) throws SQLException {
    Mark present = mark;
    if (present == null) {
      Object watermark = highest.read();
      if (watermark == null) {
        return false;
      }
      present = new Mark(watermark, clock.nanoTime(), showsTransactions(connection));
      mark = present;
    }
    if (!isPast(connection, present)) {
      return false;
    }
    complete = present.watermark;
    mark = null;
    return true;
  }

  private boolean isPast(Connection connection, Mark present) throws SQLException {
    Duration age = Duration.ofNanos(clock.nanoTime() - present.sinceNanos);
    Duration usual = present.showsTransactions ? OPENING : UNSEEN;
    if (age.compareTo(rule.lag == null ? usual : rule.lag) < 0) {
      return false;
    }
    if (!present.showsTransactions) {
      return true;
    }
    Map<String, String> before = present.open;
    Map<String, String> now = open(connection, present.prepared ? PREPARED : OPEN);
    if (before != null) {
      now.keySet().retainAll(before.keySet());
    }
    if (now.isEmpty() && !present.prepared) {
      // A transaction that was open a moment ago may be prepared now, and commit later.
      now = open(connection, PREPARED);
      present.prepared = true;
    }
    present.open = now;
    warn(present, now, age);
    return now.isEmpty();
  }

  private void warn(Mark present, Map<String, String> open, Duration age) {
    if (age.compareTo(LONG) > 0 && !present.warned && !open.isEmpty()) {
      present.warned = true;
      LOG.warn(
          "Rows wait for transactions that have been open for more than {} s: {} query=\"{}\". End them; or use"
              + " waitForWritersOnly() if they only read and the watermark is drawn when rows are"
              + " written.",
          LONG.toSeconds(),
          String.join(", ", open.values().stream().limit(5).toList()),
          description);
    }
  }

  private Map<String, String> open(Connection connection, String sql) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      if (sql.equals(OPEN)) {
        statement.setBoolean(1, !rule.writersOnly);
      }
      try (ResultSet result = statement.executeQuery()) {
        Map<String, String> open = new LinkedHashMap<>();
        while (result.next()) {
          open.put(result.getString("id"), result.getString("name"));
        }
        return open;
      }
    } finally {
      endSnapshot(connection);
    }
  }

  private static boolean showsTransactions(Connection connection) throws SQLException {
    if (!connection.getMetaData().getDatabaseProductName().equals("PostgreSQL")) {
      return false;
    }
    try (PreparedStatement statement = connection.prepareStatement(STANDBY);
        ResultSet result = statement.executeQuery()) {
      return result.next() && !result.getBoolean(1);
    } finally {
      endSnapshot(connection);
    }
  }

  /**
   * Ends the snapshot, so that the next statement sees what was committed, whatever the
   * connection's settings are.
   */
  static void endSnapshot(Connection connection) throws SQLException {
    if (!connection.getAutoCommit()) {
      connection.rollback();
    }
  }
}
