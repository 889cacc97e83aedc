package io.millrace.store.sql;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The tables of the engine. */
final class Schema {

  /** Migrations in the order of their numbers. */
  static final List<String> MIGRATIONS =
      List.of("V1__core.sql", "V2__data.sql", "V3__sequences.sql", "V4__continuous.sql");

  static final Migrations ENGINE =
      Migrations.of(
              "engine",
              "the tables of Millrace",
              Schema.class,
              "io/millrace/store/sql/{database}/",
              MIGRATIONS)
          .printedBy("SqlStore.printSchema");

  private static final Pattern INDEX =
      Pattern.compile("CREATE (?:UNIQUE )?INDEX (?:IF NOT EXISTS )?(\\w+)");

  private Schema() {}

  /** Returns the names of the indexes that the migrations create, in a new mutable set. */
  static Set<String> indexes(String database) {
    return INDEX
        .matcher(ENGINE.text(database))
        .results()
        .map(found -> found.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
