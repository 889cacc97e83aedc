package io.millrace.store.sql;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The tables of the engine. */
final class Schema {

  /** Component of the core; those of features begin with it. */
  static final String COMPONENT = "engine";

  private static final Migrations CORE =
      migrations(COMPONENT, "V1__core.sql").printedBy("SqlStore.printSchema");

  private static final Pattern INDEX =
      Pattern.compile("CREATE (?:UNIQUE )?INDEX (?:IF NOT EXISTS )?(\\w+)");

  private Schema() {}

  /** Returns the migrations of a component of the engine. */
  static Migrations migrations(String component, String file) {
    return Migrations.of(
        component,
        "the tables of Millrace",
        Schema.class,
        "io/millrace/store/sql/{database}/",
        List.of(file));
  }

  /** Returns the migrations of the core and of some features. */
  static Migrations with(List<SqlExtension> features) {
    SqlExtension.check(features);
    return CORE.with(
        features.stream()
            .sorted(SqlExtension.CREATION_ORDER)
            .map(SqlExtension::migrations)
            .toList());
  }

  /** Returns the names of the indexes that the migrations create, in a new mutable set. */
  static Set<String> indexes(Migrations migrations, String database) {
    return INDEX
        .matcher(migrations.text(database))
        .results()
        .map(found -> found.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
