package io.millrace.store.sql;

import io.millrace.store.StoreException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The tables: creates, checks and prints them. */
final class Schema {

  static final String HISTORY = "millrace_schema_history";

  private static final String FOLDER = "io/millrace/store/sql/";

  /** Migrations in the order of their numbers. */
  static final List<String> MIGRATIONS =
      List.of(
          "V1__core.sql",
          "V2__sequences.sql",
          "V3__groups.sql",
          "V4__always_on.sql",
          "V5__data.sql",
          "V6__nodes.sql",
          "V7__indexes.sql",
          "V8__loops.sql",
          "V9__unknown_tasks.sql",
          "V10__executor_token.sql",
          "V11__trigger_memory.sql",
          "V12__removals.sql",
          "V13__forgotten_records.sql",
          "V14__tasks_not_begun.sql",
          "V15__named_removals.sql",
          "V16__old_records.sql",
          "V17__next_run_offset.sql");

  /** Query that fails unless all parts of the newest migration exist. */
  private static final String PROBE =
      """
      SELECT COUNT(*) AS rows_found
      FROM millrace_workflow_definition, millrace_executor, millrace_workflow_action,
        millrace_workflow_variable, millrace_workflow_signal, millrace_workflow_step,
        millrace_workflow_log, millrace_archive_step, millrace_audit, millrace_change, millrace_mark,
        millrace_statistics, millrace_workflow_type, millrace_workflow_task, millrace_sequence_shape,
        millrace_sequence_state, millrace_schedule, millrace_workflow_task_sequence,
        millrace_schedule_fire, millrace_outbox, millrace_workflow_config,
        millrace_workflow_execution_history, millrace_always_on, millrace_always_on_event,
        millrace_trigger_event, millrace_trigger_memory, millrace_always_on_status,
        millrace_key_value, millrace_fire_ledger, millrace_reduce_group, millrace_reduce_record,
        millrace_removal, millrace_named_removal
      WHERE 1 = 0 AND millrace_schedule.executor_group = '' AND millrace_workflow_task.reshaped = 0
        AND millrace_executor.loop_failures = '' AND millrace_executor.incarnation = ''
        AND millrace_reduce_group.deleted_seq = 0 AND millrace_schedule.next_run_offset = 0
      """;

  /** Query on the schema that Flyway would use, and not on another one in the search path. */
  private static final String APPLIED =
      """
      SELECT "version" FROM SCHEMA."millrace_schema_history"
      WHERE "version" = :newest AND "success" = TRUE
      """;

  private static final String VERSIONS =
      """
      SELECT "version" FROM "millrace_schema_history" WHERE "success" = TRUE
      """;

  /**
   * Maximum number of tries: nodes that start at the same time with an empty schema disturb each
   * other before Flyway's lock.
   */
  private static final int TRIES = 5;

  private static final String ADVICE =
      " Give the user of the data source the right to create tables in an existing schema, or apply"
          + " the printed schema and open the store without migration.";

  private static final Pattern INDEX =
      Pattern.compile("CREATE (?:UNIQUE )?INDEX (?:IF NOT EXISTS )?(\\w+)");

  private static final Logger LOG = LoggerFactory.getLogger(Schema.class);

  private Schema() {}

  /**
   * Brings the tables up to date. Several nodes may do so at the same time; one does it and the
   * others wait.
   */
  static void migrate(DataSource dataSource, Jdbc jdbc) {
    for (int tries = 1; !isCurrent(jdbc); tries++) {
      TableConflictCheck.check(jdbc);
      try {
        tryMigrating(dataSource, jdbc);
      } catch (StoreException e) {
        if (tries == TRIES) {
          throw e;
        }
        LOG.debug("Another node may be making the tables, looking again", e);
      }
    }
  }

  private static void tryMigrating(DataSource dataSource, Jdbc jdbc) {
    try {
      migrate(dataSource, jdbc.dialect());
    } catch (StoreException e) {
      if (!isExhausted(e)) {
        throw e;
      }
      LOG.warn(
          "The pool gave no second connection to make the tables with, so one has to do. Give it at"
              + " least four connections: {}",
          e.getMessage());
      try (Connection only = jdbc.demand().connect(dataSource)) {
        migrate(SingleConnectionDataSource.of(only), jdbc.dialect());
      } catch (SQLException failure) {
        throw SqlErrors.translate("make the tables", failure);
      }
    }
  }

  /**
   * Returns true if the tables are up to date. Called before Flyway, which needs two connections at
   * the same time.
   */
  private static boolean isCurrent(Jdbc jdbc) {
    try {
      return jdbc.run(
              "show which tables it has",
              session -> {
                String schema = session.connection().getSchema();
                return schema == null
                    ? List.<String>of()
                    : session.query(
                        APPLIED.replace("SCHEMA", '"' + schema.replace("\"", "\"\"") + '"'),
                        Params.of("newest", newest()),
                        row -> row.getString(1));
              })
          .contains(newest());
    } catch (StoreException e) {
      if (e.refused()) {
        return false;
      }
      throw e;
    }
  }

  static String newest() {
    String file = MIGRATIONS.getLast();
    return file.substring(1, file.indexOf("__"));
  }

  /** Returns the version of tables that a newer program has created; null if there are none. */
  static @Nullable String newer(Jdbc jdbc) {
    try {
      return jdbc
          .run(
              "show which tables it has",
              session -> session.query(VERSIONS, Params.none(), row -> row.getString("version")))
          .stream()
          .filter(version -> version != null && number(version) > number(newest()))
          .findFirst()
          .orElse(null);
    } catch (StoreException e) {
      return null; // made by hand, or not at all
    }
  }

  private static int number(String version) {
    try {
      return Integer.parseInt(version);
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  private static boolean isExhausted(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof SQLTransientConnectionException) {
        return true;
      }
    }
    return false;
  }

  private static void migrate(DataSource dataSource, Dialect dialect) {
    try {
      Flyway flyway =
          Flyway.configure(Schema.class.getClassLoader())
              .dataSource(NoTimeoutDataSource.of(dataSource))
              .locations("classpath:" + FOLDER + dialect.name())
              .table(HISTORY)
              .baselineOnMigrate(true)
              .baselineVersion("0")
              .createSchemas(false)
              .load();
      LogFactory.setLogCreator(FlywayLog::of);
      if (dialect.embedded()) {
        // An interrupted migration is repeated, statement by statement.
        flyway.repair();
      }
      flyway.migrate();
    } catch (FlywayException e) {
      throw new StoreException(
          "The tables of Millrace were not brought up to date: " + e.getMessage() + ADVICE,
          false,
          e);
    } finally {
      // The log is shared by the whole process, which may have migrations of its own.
      LogFactory.setLogCreator(null);
    }
  }

  /** Fails if the tables are missing or old. */
  static void check(Jdbc jdbc) {
    try {
      jdbc.run(
          "show its tables",
          session -> session.query(PROBE, Params.none(), row -> row.getLong("rows_found")));
    } catch (StoreException e) {
      if (!e.refused()) {
        throw e;
      }
      TableConflictCheck.check(jdbc);
      throw new StoreException(
          "The tables of Millrace are missing or older than this version: "
              + e.getMessage()
              + " Open the store with migration, or apply the printed schema ("
              + jdbc.dialect().name()
              + "). Tables of a version before its release are not brought up to date: drop them.",
          true,
          e);
    }
  }

  /** Returns all migrations of a database as one text. */
  static String print(String database) {
    return MIGRATIONS.stream()
        .map(file -> "-- " + file + "\n" + read(FOLDER + database + "/" + file))
        .collect(Collectors.joining("\n"));
  }

  /** Returns the names of the indexes that the migrations create, in a new mutable set. */
  static Set<String> indexes(String database) {
    return INDEX
        .matcher(print(database))
        .results()
        .map(found -> found.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static String read(String path) {
    try (InputStream in = Schema.class.getClassLoader().getResourceAsStream(path)) {
      if (in == null) {
        throw new IllegalStateException(path + " is not on the class path");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
