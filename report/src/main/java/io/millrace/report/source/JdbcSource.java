package io.millrace.report.source;

import static io.millrace.report.source.GuardedConnection.quietly;

import io.millrace.report.source.Placeholders.Bound;
import java.math.BigDecimal;
import java.sql.Clob;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A database over JDBC. Connections are read-only, and a placeholder becomes a parameter of the
 * type {@code timestamp with time zone}. Thread-safe.
 */
public final class JdbcSource implements QuerySource {

  private final String name;
  private final DataSource database;

  /**
   * A source.
   *
   * @param name for messages
   */
  public JdbcSource(String name, DataSource database) {
    this.name = name;
    this.database = database;
  }

  @Override
  public Table read(Query query) {
    Bound bound = Placeholders.bind(Placeholders.Dialect.SQL, query.text(), placeholder -> "?");
    try {
      return GuardedConnection.use(
          database, query.timeout(), connection -> readOnly(connection, query, bound));
    } catch (SQLException e) {
      throw new SourceException(
          "The database '"
              + name
              + "' refused a query: "
              + Placeholders.shorten(String.valueOf(e.getMessage()))
              + ". The query is: "
              + Placeholders.shorten(query.text()),
          e);
    }
  }

  private Table readOnly(Connection connection, Query query, Bound bound) throws SQLException {
    boolean before = connection.isReadOnly();
    connection.setReadOnly(true);
    try {
      return run(connection, query, bound);
    } finally {
      quietly("become writable again", () -> connection.setReadOnly(before));
    }
  }

  private Table run(Connection connection, Query query, Bound bound) throws SQLException {
    boolean autoCommit = connection.getAutoCommit();
    connection.setAutoCommit(false);
    try (PreparedStatement statement = connection.prepareStatement(bound.text())) {
      statement.setQueryTimeout((int) Math.max(1, query.timeout().toSeconds()));
      statement.setMaxRows(query.maxRows() + 1);
      for (int i = 0; i < bound.placeholders().size(); i++) {
        statement.setObject(
            i + 1,
            bound.placeholders().get(i).value(query.window(), t -> t.atOffset(ZoneOffset.UTC)));
      }
      try (ResultSet rows = statement.executeQuery()) {
        return table(query, rows);
      }
    } finally {
      if (quietly("roll back", connection::rollback)) {
        quietly("commit as before", () -> connection.setAutoCommit(autoCommit));
      }
    }
  }

  private Table table(Query query, ResultSet rows) throws SQLException {
    ResultSetMetaData meta = rows.getMetaData();
    List<String> columns = new ArrayList<>();
    for (int i = 1; i <= meta.getColumnCount(); i++) {
      columns.add(meta.getColumnLabel(i));
    }
    List<List<@Nullable Object>> all = new ArrayList<>();
    while (rows.next()) {
      if (all.size() == query.maxRows()) {
        throw query.tooManyRows("the database '" + name + "'");
      }
      List<@Nullable Object> row = new ArrayList<>();
      for (int i = 1; i <= columns.size(); i++) {
        row.add(cell(rows.getObject(i)));
      }
      all.add(row);
    }
    return new Table(columns, all);
  }

  private static @Nullable Object cell(@Nullable Object value) throws SQLException {
    return switch (value) {
      case null -> null;
      case BigDecimal exact -> exact.stripTrailingZeros().scale() <= 0 ? whole(exact) : exact;
      case Number number -> number;
      case Boolean flag -> flag;
      case Clob text -> text.getSubString(1, (int) Math.min(text.length(), 10_000));
      case byte[] bytes -> bytes.length + " bytes";
      default -> value.toString();
    };
  }

  private static Number whole(BigDecimal exact) {
    return exact.precision() - exact.scale() <= 18 ? (Number) exact.longValue() : exact;
  }
}
