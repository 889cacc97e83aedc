package io.millrace.server.security;

import io.millrace.instance.MillraceException;
import io.millrace.store.sql.SqlStore;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The tables of accounts, which are the same for every database. */
final class AccountSchema {

  static final String HISTORY = "millrace_server_schema_history";

  private static final String FOLDER = "io/millrace/server/security/tables/";
  private static final List<String> FILES =
      List.of(
          "V1__accounts.sql", "V2__key_owner.sql", "V3__server_secret.sql", "V4__login_link.sql");

  /**
   * Upper limit of the attempts. Nodes that start at the same time with an empty schema can disturb
   * each other before Flyway takes its lock.
   */
  private static final int TRIES = 5;

  /** A query that fails unless all tables and columns of the newest migration exist. */
  private static final String PROBE =
      """
      SELECT COUNT(millrace_api_key.owner)
      FROM millrace_user, millrace_api_key, millrace_session, millrace_oidc_login,
        millrace_server_secret, millrace_login_link
      WHERE 1 = 0
      """;

  private static final Logger LOG = LoggerFactory.getLogger(AccountSchema.class);

  private AccountSchema() {}

  /** Creates or updates the tables; several nodes may do so at the same time. */
  static void migrate(DataSource dataSource) {
    for (int tries = 1; !isCurrent(dataSource); tries++) {
      try {
        Flyway.configure(AccountSchema.class.getClassLoader())
            .dataSource(SqlStore.withoutTimeouts(dataSource))
            .locations("classpath:" + FOLDER)
            .table(HISTORY)
            .baselineOnMigrate(true)
            .baselineVersion("0")
            .createSchemas(false)
            .load()
            .migrate();
      } catch (FlywayException e) {
        if (tries == TRIES) {
          throw new MillraceException(
              "The tables of the accounts were not brought up to date: "
                  + e.getMessage()
                  + " Give the user of the database the right to create tables, or apply what"
                  + " 'millrace schema print' shows.",
              e);
        }
        LOG.debug("Another node may be making the tables, looking again", e);
      }
    }
  }

  /** Fails if the tables are missing or not up to date. */
  static void check(DataSource dataSource) {
    if (!isCurrent(dataSource)) {
      throw new MillraceException(
          "The tables of the accounts are missing. Let the server make them, or apply what 'millrace"
              + " schema print' shows.");
    }
  }

  private static boolean isCurrent(DataSource dataSource) {
    try (var connection = dataSource.getConnection();
        var statement = connection.createStatement();
        var rows = statement.executeQuery(PROBE)) {
      return rows.next();
    } catch (SQLException e) {
      LOG.debug("The tables of the accounts are not there yet", e);
      return false;
    }
  }

  /** Returns all statements as one text. */
  static String print() {
    return FILES.stream().map(AccountSchema::print).collect(Collectors.joining("\n"));
  }

  private static String print(String file) {
    try (InputStream in = AccountSchema.class.getClassLoader().getResourceAsStream(FOLDER + file)) {
      if (in == null) {
        throw new IllegalStateException(FOLDER + file + " is not on the class path");
      }
      return "-- " + file + "\n" + new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
