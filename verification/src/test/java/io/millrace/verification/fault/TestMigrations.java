package io.millrace.verification.fault;

import io.millrace.store.sql.Migrations;
import io.millrace.store.sql.SqlStore;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** Migrations for tests: a component of the tests, and the first files of the engine. */
final class TestMigrations {

  private static final List<String> FILES =
      List.of("V1__tables.sql", "V2__more_columns.sql", "V3__broken.sql");

  private static final Pattern FILE = Pattern.compile("(?m)^-- (V\\d+__\\w+\\.sql)$");

  private TestMigrations() {}

  /** Returns the first files of the component of the tests; the third one fails. */
  static Migrations of(int files) {
    return Migrations.of(
        "test",
        "the tables of the test",
        TestMigrations.class,
        "io/millrace/verification/fault/migrations/",
        FILES.subList(0, files));
  }

  /** Returns the first files of the engine. */
  static Migrations engine(String database, int files) {
    return Migrations.of(
        "engine",
        "the tables of Millrace",
        SqlStore.class,
        "io/millrace/store/sql/{database}/",
        FILE.matcher(SqlStore.printSchema(database))
            .results()
            .map((MatchResult found) -> found.group(1))
            .limit(files)
            .toList());
  }
}
