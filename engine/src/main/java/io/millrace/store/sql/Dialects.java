package io.millrace.store.sql;

import io.millrace.instance.InvalidRequestException;
import io.millrace.store.StoreException;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import javax.sql.DataSource;

/** The supported databases. */
final class Dialects {

  private static final int OLDEST_POSTGRES = 15;
  private static final int OLDEST_H2 = 2;
  private static final String SUPPORTED =
      "PostgreSQL " + OLDEST_POSTGRES + " or newer and H2 " + OLDEST_H2 + ".x";

  private static final List<Dialect> ALL = List.of(new PostgresDialect(), new H2Dialect());

  private Dialects() {}

  static Dialect detect(DataSource dataSource) {
    try (Connection connection = dataSource.getConnection()) {
      DatabaseMetaData database = connection.getMetaData();
      String product = database.getDatabaseProductName();
      int version = database.getDatabaseMajorVersion();
      if (product.equals("PostgreSQL") && version >= OLDEST_POSTGRES) {
        return named("postgresql");
      }
      if (product.equals("H2") && version >= OLDEST_H2) {
        return named("h2");
      }
      throw new StoreException(
          "The data source leads to "
              + product
              + " "
              + database.getDatabaseProductVersion()
              + "; supported are "
              + SUPPORTED
              + ".",
          true,
          null);
    } catch (SQLException e) {
      throw SqlErrors.translate("tell what it is", e);
    }
  }

  /** Returns the dialect with this name. */
  static Dialect named(String name) {
    return ALL.stream()
        .filter(dialect -> dialect.name().equals(name.toLowerCase(Locale.ROOT)))
        .findFirst()
        .orElseThrow(() ->
            new InvalidRequestException(
                "There is no schema for '"
                    + name
                    + "'; expected one of "
                    + ALL.stream().map(Dialect::name).toList()
                    + "."));
  }
}
