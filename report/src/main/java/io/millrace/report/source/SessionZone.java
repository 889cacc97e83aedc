package io.millrace.report.source;

import static io.millrace.report.source.GuardedConnection.quietly;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/**
 * The time zone of a database session, which decides where days begin in a query. It is set in
 * PostgreSQL and H2; other databases keep their own.
 */
final class SessionZone {

  private static final String H2_ZONE =
      "SELECT setting_value FROM information_schema.settings WHERE setting_name = 'TIME ZONE'";

  private final Connection connection;
  private final @Nullable String before;

  private SessionZone(Connection connection, @Nullable String before) {
    this.connection = connection;
    this.before = before;
  }

  /** Sets the zone for the present transaction, until it is restored. */
  static SessionZone set(Connection connection, ZoneId zone) throws SQLException {
    String before = null;
    switch (connection.getMetaData().getDatabaseProductName()) {
      case "PostgreSQL" -> execute(connection, "SET LOCAL TIME ZONE " + postgres(zone));
      case "H2" -> {
        before = h2Zone(connection);
        execute(connection, "SET TIME ZONE '" + id(zone) + "'");
      }
      default -> {}
    }
    return new SessionZone(connection, before);
  }

  /**
   * Returns the id of a zone without the letters before an offset, which PostgreSQL reads with the
   * opposite sign.
   */
  static String id(ZoneId zone) {
    ZoneId normalized = zone.normalized();
    return normalized.equals(ZoneOffset.UTC) ? "UTC" : normalized.getId();
  }

  private static String postgres(ZoneId zone) {
    String id = "'" + id(zone) + "'";
    return zone.normalized() instanceof ZoneOffset && !id.equals("'UTC'")
        ? "INTERVAL " + id + " HOUR TO MINUTE"
        : id;
  }

  private static @Nullable String h2Zone(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(H2_ZONE)) {
      return rows.next() ? rows.getString(1) : null;
    }
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** Restores the zone where the end of the transaction does not restore it. */
  void restore() {
    if (before != null) {
      quietly(
          "get its time zone back", () -> execute(connection, "SET TIME ZONE '" + before + "'"));
    }
  }
}
