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
import java.sql.SQLTimeoutException;
import java.sql.Types;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A database over JDBC. Connections are read-only, days begin in the zone of the query, and a
 * placeholder becomes a parameter of the type {@code timestamp with time zone}. Thread-safe.
 */
public final class JdbcSource implements QuerySource {

  private static final Logger LOG = LoggerFactory.getLogger(JdbcSource.class);

  /** SQL states: a canceled query, and the classes of a lost connection and a refused login. */
  private static final String CANCELED = "57014";

  private static final String CONNECTION = "08";
  private static final String LOGIN = "28";

  private final String name;
  private final DataSource database;

  /**
   * Creates a source.
   *
   * @param name the name for messages
   */
  public JdbcSource(String name, DataSource database) {
    this.name = name;
    this.database = database;
  }

  @Override
  public ResultTable read(SourceQuery query) {
    Bound bound =
        Placeholders.bind(Placeholders.QueryLanguage.SQL, query.text(), placeholder -> "?");
    try {
      return GuardedConnection.use(
          database, query.timeout(), connection -> readOnly(connection, query, bound));
    } catch (SQLException e) {
      String state = String.valueOf(e.getSQLState());
      if (e instanceof SQLTimeoutException || state.equals(CANCELED)) {
        throw tooSlow(query, e);
      }
      if (state.startsWith(CONNECTION) || state.startsWith(LOGIN)) {
        throw new SourceException(
            "There is no connection to the database '"
                + name
                + "': "
                + Placeholders.shorten(String.valueOf(e.getMessage()))
                + ". The query was not answered. Check that the database runs, and its address, user"
                + " and password.",
            e);
      }
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

  /**
   * Returns the failure of a query that took too long. The driver's message would say that the user
   * canceled it.
   */
  private SourceException tooSlow(SourceQuery query, SQLException cause) {
    return new SourceException(
        "The database '"
            + name
            + "' did not answer a query within "
            + Math.max(1, query.timeout().toSeconds())
            + " s, so it was canceled. Ask about a shorter window, or for less. The query is: "
            + Placeholders.shorten(query.text()),
        cause);
  }

  private ResultTable readOnly(Connection connection, SourceQuery query, Bound bound)
      throws SQLException {
    boolean before = connection.isReadOnly();
    connection.setReadOnly(true);
    try {
      return run(connection, query, bound);
    } finally {
      quietly("become writable again", () -> connection.setReadOnly(before));
    }
  }

  private ResultTable run(Connection connection, SourceQuery query, Bound bound)
      throws SQLException {
    boolean autoCommit = connection.getAutoCommit();
    connection.setAutoCommit(false);
    try {
      return inZone(connection, query, bound);
    } finally {
      if (quietly("roll back", connection::rollback)) {
        quietly("commit as before", () -> connection.setAutoCommit(autoCommit));
      }
    }
  }

  private ResultTable inZone(Connection connection, SourceQuery query, Bound bound)
      throws SQLException {
    SessionZone zone = SessionZone.set(connection, query.zone());
    try (PreparedStatement statement = connection.prepareStatement(bound.text())) {
      statement.setQueryTimeout((int) Math.max(1, query.timeout().toSeconds()));
      statement.setMaxRows(query.maxRows() + 1);
      for (int i = 0; i < bound.placeholders().size(); i++) {
        statement.setObject(
            i + 1, bound.placeholders().get(i).value(query, t -> t.atOffset(ZoneOffset.UTC)));
      }
      try (ResultSet rows = statement.executeQuery()) {
        return table(query, rows);
      }
    } finally {
      zone.restore();
    }
  }

  private ResultTable table(SourceQuery query, ResultSet rows) throws SQLException {
    ResultSetMetaData meta = rows.getMetaData();
    List<String> columns = new ArrayList<>();
    List<@Nullable Class<?>> times = new ArrayList<>();
    for (int i = 1; i <= meta.getColumnCount(); i++) {
      columns.add(meta.getColumnLabel(i));
      times.add(timeType(meta, i));
    }
    List<List<@Nullable Object>> all = new ArrayList<>();
    while (rows.next()) {
      if (all.size() == query.maxRows()) {
        throw query.tooManyRows("the database '" + name + "'");
      }
      List<@Nullable Object> row = new ArrayList<>();
      for (int i = 1; i <= columns.size(); i++) {
        row.add(cell(rows, i, times.get(i - 1)));
      }
      all.add(row);
    }
    return new ResultTable(columns, all);
  }

  /**
   * Returns the type that keeps a time as it is stored, whatever Java's zone is; null if the column
   * has no time.
   */
  private static @Nullable Class<?> timeType(ResultSetMetaData meta, int column)
      throws SQLException {
    String name = String.valueOf(meta.getColumnTypeName(column)).toLowerCase(Locale.ROOT);
    return switch (meta.getColumnType(column)) {
      case Types.TIMESTAMP_WITH_TIMEZONE -> OffsetDateTime.class;
      case Types.TIMESTAMP ->
          name.equals("timestamptz") ? OffsetDateTime.class : LocalDateTime.class;
      case Types.DATE -> LocalDate.class;
      default -> null;
    };
  }

  private static @Nullable Object cell(ResultSet rows, int column, @Nullable Class<?> time)
      throws SQLException {
    if (time != null) {
      try {
        Object value = rows.getObject(column, time);
        return value == null ? null : value.toString();
      } catch (SQLException | UnsupportedOperationException | AbstractMethodError e) {
        LOG.debug("The driver gives no {}", time, e);
      }
    }
    return cell(rows.getObject(column));
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
