package io.millrace.store.sql;

import static io.millrace.instance.InvalidRequestException.requirePresent;

import io.millrace.instance.InvalidRequestException;
import io.millrace.lifecycle.EngineClock;
import io.millrace.store.RowReader;
import io.millrace.store.StoreException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A reader of the rows of a query that have been added or changed since the last read, in the order
 * of a column that grows (the watermark), and of the key where that is equal. Rows without one of
 * the two are skipped.
 *
 * <p>Transactions commit in another order than they draw numbers or read the clock. On PostgreSQL a
 * row is therefore returned only after all transactions of its database that were open when it was
 * first seen have ended, including prepared ones. Other databases, and standbys of PostgreSQL, do
 * not show open transactions. There a row is returned 5 seconds after it was first seen, and a
 * transaction that takes longer than that needs a longer {@link #lag}.
 *
 * <p>The watermark must come from the database, within the transaction that writes the row: a
 * sequence, an identity column, {@code now()} or {@code clock_timestamp()}. Values of application
 * clocks and blocks of numbers handed out in advance need a {@link #lag}.
 */
public final class SqlRowReader implements RowReader {

  private static final int SECONDS = 30;
  private static final int MAX_ID = 150;

  private final DataSource dataSource;
  private final String query;
  private final String key;
  private final String watermark;
  private final CommitHorizon.Rule rule;
  private final CommitHorizon horizon;

  private SqlRowReader(
      DataSource dataSource, String query, String key, String watermark, CommitHorizon.Rule rule) {
    this.dataSource = dataSource;
    this.query = query;
    this.key = key;
    this.watermark = watermark;
    this.rule = rule;
    this.horizon = new CommitHorizon(describe(), rule, EngineClock.system());
  }

  /**
   * Returns a reader of the rows of a query.
   *
   * @param query a select without order and without parameters
   * @param key the column that identifies a row; numbers, texts, UUIDs or times
   * @param watermark the column that grows, of the same kinds; it may be the key
   */
  public static SqlRowReader of(DataSource dataSource, String query, String key, String watermark) {
    return new SqlRowReader(
        requirePresent(dataSource, "The data source of rows"),
        requirePresent(query, "The query of rows").strip().replaceAll(";$", ""),
        requirePresent(key, "The key column of rows"),
        requirePresent(watermark, "The watermark column of rows"),
        CommitHorizon.Rule.DEFAULT);
  }

  /**
   * Returns a copy that returns a row only when this time has passed since it was first seen, on
   * PostgreSQL in addition to waiting for open transactions.
   *
   * @param lag zero or more; zero is safe on PostgreSQL only, or with a single writer
   */
  public SqlRowReader lag(Duration lag) {
    if (requirePresent(lag, "The lag of rows").isNegative()) {
      throw new InvalidRequestException(
          "The lag of rows is " + lag + "; expected zero or more, such as PT5S.");
    }
    return new SqlRowReader(dataSource, query, key, watermark, rule.lag(lag));
  }

  /**
   * Returns a copy that on PostgreSQL does not wait for transactions that have written nothing yet,
   * such as long reports and backups. Correct if the watermark is drawn when the row is written,
   * like an identity column, a sequence or {@code clock_timestamp()}; not for {@code now()}, which
   * is the start of the transaction.
   */
  public SqlRowReader waitForWritersOnly() {
    return new SqlRowReader(dataSource, query, key, watermark, rule.waitForWritersOnly());
  }

  @Override
  public String describe() {
    return "rows of " + (query.length() <= 200 ? query : query.substring(0, 200) + "...");
  }

  @Override
  public List<Row> read(@Nullable String after, int limit) {
    try {
      return new PooledConnections(dataSource)
          .runOnce(connection -> read(connection, after, limit));
    } catch (SQLException e) {
      throw new StoreException(
          "The " + describe() + " cannot be read: " + e.getMessage(), false, e);
    }
  }

  private List<Row> read(Connection connection, @Nullable String after, int limit)
      throws SQLException {
    SqlPosition from = after == null ? null : SqlPosition.of(after);
    Columns columns = columns(connection);
    Object complete = horizon.complete();
    List<Row> rows =
        complete == null ? List.of() : rows(connection, columns, from, complete, limit);
    if (rows.isEmpty() && horizon.advance(connection, () -> highest(connection, columns, from))) {
      rows = rows(connection, columns, from, horizon.complete(), limit);
    }
    return rows;
  }

  @Override
  public boolean isWaiting() {
    return horizon.isWaiting();
  }

  private List<Row> rows(
      Connection connection,
      Columns columns,
      @Nullable SqlPosition from,
      @Nullable Object complete,
      int limit)
      throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(columns.select(query, from != null))) {
      statement.setQueryTimeout(SECONDS);
      statement.setMaxRows(limit);
      bind(statement, from);
      statement.setObject(from == null ? 1 : 4, complete);
      try (ResultSet result = statement.executeQuery()) {
        List<Row> rows = new ArrayList<>();
        while (result.next()) {
          rows.add(columns.row(result));
        }
        return rows;
      }
    } finally {
      CommitHorizon.endSnapshot(connection);
    }
  }

  /** Returns the highest watermark after a position; null if there is no row. */
  private @Nullable Object highest(
      Connection connection, Columns columns, @Nullable SqlPosition from) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(columns.selectHighest(query, from != null))) {
      statement.setQueryTimeout(SECONDS);
      bind(statement, from);
      try (ResultSet result = statement.executeQuery()) {
        return result.next() ? SqlPosition.value(result, columns.watermark, watermark) : null;
      }
    } finally {
      CommitHorizon.endSnapshot(connection);
    }
  }

  private static void bind(PreparedStatement statement, @Nullable SqlPosition from)
      throws SQLException {
    if (from != null) {
      statement.setObject(1, from.watermark());
      statement.setObject(2, from.watermark());
      statement.setObject(3, from.key());
    }
  }

  private Columns columns(Connection connection) throws SQLException {
    try (PreparedStatement statement =
            connection.prepareStatement("SELECT * FROM (" + query + ") millrace_rows WHERE 1 = 0");
        ResultSet none = statement.executeQuery()) {
      ResultSetMetaData data = none.getMetaData();
      List<String> names = new ArrayList<>();
      for (int i = 1; i <= data.getColumnCount(); i++) {
        names.add(data.getColumnLabel(i));
      }
      return new Columns(names, find(names, key, "key"), find(names, watermark, "watermark"));
    } finally {
      CommitHorizon.endSnapshot(connection);
    }
  }

  /** Returns the index of a column, from 1 on. */
  private int find(List<String> names, String wanted, String what) {
    for (int i = 0; i < names.size(); i++) {
      if (names.get(i).equalsIgnoreCase(wanted)) {
        return i + 1;
      }
    }
    throw new InvalidRequestException(
        "The %s have the columns %s; expected the %s column '%s' among them."
            .formatted(describe(), names, what, wanted));
  }

  private record Columns(List<String> names, int key, int watermark) {

    String select(String query, boolean further) {
      return "SELECT * FROM (%1$s) millrace_rows WHERE %2$s AND %3$s <= ? ORDER BY %3$s, %4$s"
          .formatted(query, condition(further), quoted(watermark), quoted(key));
    }

    String selectHighest(String query, boolean further) {
      return "SELECT * FROM (%1$s) millrace_rows WHERE %2$s ORDER BY %3$s DESC LIMIT 1"
          .formatted(query, condition(further), quoted(watermark));
    }

    private String condition(boolean further) {
      String grows = quoted(watermark);
      String id = quoted(key);
      String present = "%s IS NOT NULL AND %s IS NOT NULL".formatted(grows, id);
      return further
          ? present + " AND (%1$s > ? OR (%1$s = ? AND %2$s > ?))".formatted(grows, id)
          : present;
    }

    private String quoted(int column) {
      return '"' + names.get(column - 1).replace("\"", "\"\"") + '"';
    }

    Row row(ResultSet result) throws SQLException {
      SqlPosition position =
          new SqlPosition(
              SqlPosition.value(result, watermark, names.get(watermark - 1)),
              SqlPosition.value(result, key, names.get(key - 1)));
      Map<String, @Nullable Object> values = new LinkedHashMap<>();
      for (int i = 1; i <= names.size(); i++) {
        values.put(names.get(i - 1), SqlPosition.plain(result, i));
      }
      return new Row(id(position), position.text(), values);
    }

    private String id(SqlPosition position) {
      String id =
          key == watermark
              ? position.key().toString()
              : position.key() + "|" + position.watermark();
      return id.length() <= MAX_ID ? id : hash(id);
    }
  }

  private static String hash(String text) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JVM has SHA-256", e);
    }
  }
}
