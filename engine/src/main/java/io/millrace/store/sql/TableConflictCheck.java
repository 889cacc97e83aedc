package io.millrace.store.sql;

import io.millrace.store.StoreException;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A check for tables of other programs under the names of the store's own. */
final class TableConflictCheck {

  private static final String ADVICE =
      "Use another schema (currentSchema in the URL of PostgreSQL, SCHEMA in that of H2), or rename"
          + " or drop that table.";

  private static final Pattern TABLE =
      Pattern.compile("(?m)^CREATE TABLE (?:IF NOT EXISTS )?(\\w+)\\s+\\(([^;]*?)\\)[^);]*;");

  private static final Pattern VIEW =
      Pattern.compile("(?m)^CREATE (?:OR REPLACE )?VIEW (?:IF NOT EXISTS )?(\\w+)");

  private static final Pattern COMMENT = Pattern.compile("--[^\\n]*");
  private static final Pattern COPIED = Pattern.compile("LIKE (\\w+)");

  private static final Pattern COLUMN = Pattern.compile("(?m)^  ([a-z]\\w*) ");

  /** Columns of Flyway's history. */
  private static final List<String> HISTORY =
      List.of("installed_rank", "version", "description", "script", "checksum", "success");

  private TableConflictCheck() {}

  /** A table or view as the database describes it. */
  private record Found(String name, String type, Set<String> columns) {
    boolean isView() {
      return type.contains("VIEW");
    }
  }

  /**
   * Fails if the schema of the connections has a table of another program.
   *
   * @throws StoreException with the name of the table, and the columns that it would need
   */
  static void check(Jdbc jdbc) {
    Optional<String> problem = problem(jdbc);
    if (problem.isPresent()) {
      throw new StoreException(problem.get() + " " + ADVICE, true, null);
    }
  }

  /** Returns a sentence on the first table of another program; empty if there is none. */
  static Optional<String> problem(Jdbc jdbc) {
    return jdbc.run(
        "show its tables",
        session -> {
          String schema = session.connection().getSchema();
          return schema == null
              ? Optional.<String>empty()
              : problem(
                  session.connection().getMetaData(),
                  schema,
                  Schema.print(session.dialect().name()));
        });
  }

  static String advice() {
    return ADVICE;
  }

  private static Optional<String> problem(
      DatabaseMetaData database, String schema, String commented) throws SQLException {
    String ddl = COMMENT.matcher(commented).replaceAll("");
    Map<String, Set<String>> tables = tables(ddl);
    Set<String> views = views(ddl);
    for (Found found : found(database, schema, tables, views)) {
      String name = found.name.toLowerCase(Locale.ROOT);
      Set<String> expected = tables.get(name);
      String difference = expected == null ? viewProblem(found) : lack(found, expected);
      if (difference != null) {
        return Optional.of(
            "Schema '%s' has a table '%s' that does not belong to Millrace, so nothing was made or changed: %s."
                .formatted(schema, found.name, difference));
      }
    }
    return Optional.empty();
  }

  private static @Nullable String viewProblem(Found found) {
    return found.isView() ? null : "expected a view with this name";
  }

  private static @Nullable String lack(Found found, Set<String> expected) {
    if (found.isView()) {
      return "it is a view, expected a table";
    }
    Set<String> missing = new LinkedHashSet<>(expected);
    missing.removeAll(found.columns);
    return missing.isEmpty()
        ? null
        : "it has the columns " + found.columns + ", expected also " + missing;
  }

  /** Returns the columns of each table as its first migration creates it. */
  private static Map<String, Set<String>> tables(String ddl) {
    Map<String, Set<String>> tables = new LinkedHashMap<>();
    Matcher table = TABLE.matcher(ddl);
    while (table.find()) {
      Matcher copied = COPIED.matcher(table.group(2));
      tables.put(
          table.group(1),
          copied.find() ? tables.getOrDefault(copied.group(1), Set.of()) : columns(table.group(2)));
    }
    tables.put(Schema.HISTORY, new LinkedHashSet<>(HISTORY));
    return tables;
  }

  private static Set<String> columns(String body) {
    Set<String> columns = new LinkedHashSet<>();
    COLUMN.matcher(body).results().forEach(column -> columns.add(column.group(1)));
    return columns;
  }

  private static Set<String> views(String ddl) {
    Set<String> views = new LinkedHashSet<>();
    VIEW.matcher(ddl).results().forEach(view -> views.add(view.group(1)));
    return views;
  }

  private static List<Found> found(
      DatabaseMetaData database, String schema, Map<String, Set<String>> tables, Set<String> views)
      throws SQLException {
    Map<String, String> types = new TreeMap<>();
    try (ResultSet rows = database.getTables(null, schema, null, null)) {
      while (rows.next()) {
        String name = rows.getString("TABLE_NAME");
        String type = rows.getString("TABLE_TYPE");
        String known = name.toLowerCase(Locale.ROOT);
        boolean relation = type.contains("TABLE") || type.contains("VIEW");
        if (relation
            && schema.equals(rows.getString("TABLE_SCHEM"))
            && (tables.containsKey(known) || views.contains(known))) {
          types.put(name, type);
        }
      }
    }
    List<Found> found = new ArrayList<>();
    for (Map.Entry<String, String> one : types.entrySet()) {
      Set<String> columns = columns(database, schema, one.getKey());
      // No columns are visible while another node creates the table.
      if (!columns.isEmpty()) {
        found.add(new Found(one.getKey(), one.getValue(), columns));
      }
    }
    return found;
  }

  private static Set<String> columns(DatabaseMetaData database, String schema, String table)
      throws SQLException {
    Set<String> columns = new LinkedHashSet<>();
    try (ResultSet rows = database.getColumns(null, schema, table, null)) {
      while (rows.next()) {
        // An underscore in the pattern matches any character.
        if (table.equals(rows.getString("TABLE_NAME"))
            && schema.equals(rows.getString("TABLE_SCHEM"))) {
          columns.add(rows.getString("COLUMN_NAME").toLowerCase(Locale.ROOT));
        }
      }
    }
    return columns;
  }
}
