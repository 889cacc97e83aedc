package io.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;

/** The PostgreSQL database for tests. */
final class Postgres {

  private static final String VARIABLE = "MILLRACE_TEST_POSTGRES_URL";

  private Postgres() {}

  static boolean isGiven() {
    return System.getenv(VARIABLE) != null;
  }

  /** Returns the URL of an empty schema. */
  static String freshSchema(String name) throws SQLException {
    String url = System.getenv(VARIABLE);
    assertThat(url)
        .as(VARIABLE + " names a PostgreSQL database for tests; script/test starts one")
        .isNotNull();
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute("DROP SCHEMA IF EXISTS " + name + " CASCADE");
      statement.execute("CREATE SCHEMA " + name);
    }
    return url + (url.contains("?") ? "&" : "?") + "currentSchema=" + name;
  }
}
