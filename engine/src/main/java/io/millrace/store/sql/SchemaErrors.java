package io.millrace.store.sql;

import io.millrace.store.StoreException;
import io.millrace.store.sql.SchemaHistory.AppliedMigration;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** The errors of creating, updating and checking tables, each with the way out. */
final class SchemaErrors {

  /** SQLStates of a missing right: PostgreSQL's, and H2's for a table, a schema and an admin. */
  private static final Set<String> MISSING_RIGHT = Set.of("42501", "90096", "90040");

  private SchemaErrors() {}

  private static StoreException refused(String message) {
    return new StoreException(message, true, null);
  }

  /** Returns the sentence on how an administrator makes the tables. */
  private static String print(Migrations migrations, String database) {
    String method = migrations.printMethod();
    return "let an administrator apply the SQL that 'millrace schema print --db "
        + database
        + "'"
        + (method == null ? "" : " or " + method + "(\"" + database + "\")")
        + " prints";
  }

  private static String capitalized(String text) {
    return Character.toUpperCase(text.charAt(0)) + text.substring(1);
  }

  static StoreException newer(Migrations migrations, int there, int here) {
    return refused(
        capitalized(migrations.tables())
            + " are of version "
            + there
            + ", which a newer program made; this program knows versions up to "
            + here
            + ". Start the newer program, or use another schema.");
  }

  static StoreException changed(
      Migrations migrations, Migration migration, AppliedMigration applied) {
    return refused(
        migration.file()
            + " is not the file with which "
            + migrations.tables()
            + " were made: its checksum is "
            + migration.checksum()
            + ", and "
            + SchemaHistory.TABLE
            + " has "
            + applied.checksum()
            + " for version "
            + migration.version()
            + " of component '"
            + migration.component()
            + "'. Start the program that made the tables, or use another schema.");
  }

  static StoreException skipped(Migrations migrations, Migration migration, int last) {
    return refused(
        migration.file()
            + " was not applied to "
            + migrations.tables()
            + ", although version "
            + last
            + " was: "
            + SchemaHistory.TABLE
            + " has no row for version "
            + migration.version()
            + " of component '"
            + migration.component()
            + "'. Let an administrator apply this part of the printed schema, or use another"
            + " schema.");
  }

  static StoreException due(
      Migrations migrations, String database, List<Migration> due, List<AppliedMigration> begun) {
    Migration first = due.getFirst();
    int from = first.version() - 1;
    String files = due.stream().map(Migration::file).collect(Collectors.joining(", "));
    return refused(
        capitalized(migrations.tables())
            + (from == 0
                ? " are missing."
                : " are older than this version: they are of version "
                    + from
                    + ", expected "
                    + migrations.list(database, first.component()).getLast().version()
                    + ".")
            + " Due are "
            + files
            + (begun.isEmpty() ? "" : ", which were begun and not finished")
            + ". Open the store with SchemaMode.CREATE (database.schema = create), or "
            + print(migrations, database)
            + (from == 0 ? "." : ", from the first of these files on."));
  }

  static StoreException incomplete(StoreException missing, Migrations migrations) {
    return new StoreException(
        capitalized(migrations.tables())
            + " are not as the migrations in "
            + SchemaHistory.TABLE
            + " made them: "
            + missing.getMessage()
            + " Restore what is missing from a backup, or drop all of these tables and delete the rows"
            + " of "
            + migrations.components().stream()
                .map(component -> "component '" + component + "'")
                .collect(Collectors.joining(", "))
            + " from "
            + SchemaHistory.TABLE
            + ", so that the next start creates them.",
        true,
        missing);
  }

  static StoreException former(String schema, String table) {
    return refused(
        "Schema '"
            + schema
            + "' has the table '"
            + table
            + "' and no row in "
            + SchemaHistory.TABLE
            + " for it: tables that were made before the first release, or by a part of a printed"
            + " schema, are not migrated; drop them or use another schema.");
  }

  static StoreException noSchema(SqlSession session, Migrations migrations) throws SQLException {
    String path =
        session
            .query(
                "SELECT CURRENT_SETTING('search_path') AS path",
                Params.none(),
                row -> row.getString("path"))
            .getFirst();
    return refused(
        "There is no schema for "
            + migrations.tables()
            + ": none of the connection's search_path ("
            + path
            + ") exists, or the user has no right to use it."
            + " Create it (CREATE SCHEMA), grant USAGE on it, or correct currentSchema in the URL.");
  }

  static StoreException mayNotCreate(
      Migrations migrations, String database, String user, String schema) {
    return refused(
        "User '"
            + user
            + "' lacks the right CREATE on schema '"
            + schema
            + "', which "
            + migrations.tables()
            + " are missing from. Grant it (GRANT CREATE ON SCHEMA "
            + schema
            + " TO "
            + user
            + "), or "
            + print(migrations, database)
            + ".");
  }

  static StoreException mayNotUse(StoreException cause, Dialect dialect, Migrations migrations) {
    return new StoreException(
        "The user of the database lacks a right on "
            + migrations.tables()
            + " or on "
            + SchemaHistory.TABLE
            + ": "
            + cause.getMessage()
            + " Grant "
            + dialect.neededRights()
            + ", or "
            + print(migrations, dialect.name())
            + ".",
        true,
        cause);
  }

  private static StoreException readOnly(
      StoreException cause, Dialect dialect, Migrations migrations) {
    return new StoreException(
        capitalized(migrations.tables())
            + " are missing or not up to date, and the database or the connection is read-only: "
            + cause.getMessage()
            + " Use the address of the primary and connections that may write, or "
            + print(migrations, dialect.name())
            + ".",
        true,
        cause);
  }

  static StoreException waited(
      Migrations migrations, Duration limit, String holder, String advice) {
    return new StoreException(
        capitalized(migrations.tables())
            + " were not brought up to date: for "
            + limit.toSeconds()
            + " s, the lock of the migrations was held by "
            + holder
            + ". "
            + advice,
        false,
        null);
  }

  /** Returns the error of a failed migration with the way out. */
  static StoreException explained(StoreException e, Dialect dialect, Migrations migrations) {
    if (!(e.getCause() instanceof SQLException cause)) {
      return e;
    }
    if (SqlErrors.isReadOnly(cause)) {
      return readOnly(e, dialect, migrations);
    }
    if (isMissingRight(e)) {
      return mayNotUse(e, dialect, migrations);
    }
    return new StoreException(
        capitalized(migrations.tables())
            + " were not brought up to date. "
            + e.getMessage()
            + (dialect.migratesInOneTransaction()
                ? " Nothing was changed."
                : " The statements before it remain; the next start repeats them and goes on."),
        e.rejected(),
        e);
  }

  static boolean isMissingRight(StoreException error) {
    return error.getCause() instanceof SQLException cause
        && cause.getSQLState() != null
        && MISSING_RIGHT.contains(cause.getSQLState());
  }
}
