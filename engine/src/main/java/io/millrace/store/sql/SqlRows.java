package io.millrace.store.sql;

import static io.millrace.instance.InvalidRequestException.given;

import io.millrace.instance.InvalidRequestException;
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
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a query that have grown since the last read: by a column whose values only ever grow,
 * and where it is equal by the key. Rows without one of the two are passed over. A row whose
 * transaction commits after one with a higher value was read is not seen; a value that is given at
 * the commit, or a query that leaves the last seconds out, does not have that.
 */
public final class SqlRows implements RowReader {

  private static final int SECONDS = 30;
  private static final int LONGEST_ID = 150;

  private final DataSource dataSource;
  private final String query;
  private final String key;
  private final String watermark;

  private SqlRows(DataSource dataSource, String query, String key, String watermark) {
    this.dataSource = given(dataSource, "The data source of rows");
    this.query = given(query, "The query of rows").strip().replaceAll(";$", "");
    this.key = given(key, "The key column of rows");
    this.watermark = given(watermark, "The watermark column of rows");
  }

  /**
   * The rows of a query.
   *
   * @param query a select without order and without parameters
   * @param key the column that names a row; numbers, texts, UUIDs or times
   * @param watermark the column that grows, of the same kinds; it may be the key
   */
  public static SqlRows of(DataSource dataSource, String query, String key, String watermark) {
    return new SqlRows(dataSource, query, key, watermark);
  }

  @Override
  public String describe() {
    return "rows of " + (query.length() <= 200 ? query : query.substring(0, 200) + "...");
  }

  @Override
  public List<Row> read(@Nullable String after, int limit) {
    try (Connection connection = dataSource.getConnection()) {
      Columns columns = columns(connection);
      SqlPosition from = after == null ? null : SqlPosition.of(after);
      try (PreparedStatement statement =
          connection.prepareStatement(columns.select(query, from != null))) {
        statement.setQueryTimeout(SECONDS);
        statement.setMaxRows(limit);
        if (from != null) {
          statement.setObject(1, from.watermark());
          statement.setObject(2, from.watermark());
          statement.setObject(3, from.key());
        }
        try (ResultSet result = statement.executeQuery()) {
          List<Row> rows = new ArrayList<>();
          while (result.next()) {
            rows.add(columns.row(result));
          }
          return rows;
        }
      } finally {
        if (!connection.getAutoCommit()) {
          connection.rollback();
        }
      }
    } catch (SQLException e) {
      throw new StoreException(
          "The " + describe() + " cannot be read: " + e.getMessage(), false, e);
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
    }
  }

  /** From 1 on. */
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
      String id = quoted(key);
      String grows = quoted(watermark);
      String from =
          further ? " AND (%1$s > ? OR (%1$s = ? AND %2$s > ?))".formatted(grows, id) : "";
      return "SELECT * FROM (%s) millrace_rows WHERE %s IS NOT NULL AND %s IS NOT NULL%s ORDER BY %s, %s"
          .formatted(query, grows, id, from, grows, id);
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
      return id.length() <= LONGEST_ID ? id : hash(id);
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
