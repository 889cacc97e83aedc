package io.millrace.store.sql;

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

/**
 * The tables and views in a schema that have names of the components' own: those of other programs,
 * and those of a former version.
 */
final class TableConflictCheck {

  private static final String ADVICE =
      "Use another schema (currentSchema in the URL of PostgreSQL, SCHEMA in that of H2), or rename"
          + " or drop that table.";

  private static final Pattern TABLE =
      Pattern.compile("(?m)^CREATE TABLE (?:IF NOT EXISTS )?(\\w+)\\s+\\(([^;]*?)\\)[^);]*;");

  private static final Pattern VIEW =
      Pattern.compile("(?m)^CREATE (?:OR REPLACE )?VIEW (?:IF NOT EXISTS )?(\\w+)");

  private static final Pattern DROPPED =
      Pattern.compile("(?m)^DROP (?:TABLE|VIEW) (?:IF EXISTS )?(\\w+)");

  private static final Pattern COMMENT = Pattern.compile("--[^\\n]*");
  private static final Pattern COPIED = Pattern.compile("LIKE (\\w+)");

  private static final Pattern COLUMN = Pattern.compile("(?m)^  ([a-z]\\w*) ");

  /** Histories of the migrations before the first release. */
  private static final Set<String> FORMER_HISTORIES =
      Set.of("millrace_schema_history", "millrace_server_schema_history");

  private final String schema;
  private final Map<String, Set<String>> tables;
  private final List<Found> found;

  private TableConflictCheck(String schema, Map<String, Set<String>> tables, List<Found> found) {
    this.schema = schema;
    this.tables = tables;
    this.found = found;
  }

  /** A table or view as the database describes it. */
  private record Found(String name, String type, Set<String> columns) {
    boolean isView() {
      return type.contains("VIEW");
    }

    String key() {
      return name.toLowerCase(Locale.ROOT);
    }
  }

  /** Reads which of the components' names exist in the schema. */
  static TableConflictCheck of(SqlSession session, String schema, Migrations migrations)
      throws SQLException {
    String ddl = COMMENT.matcher(migrations.text(session.dialect().name())).replaceAll("");
    Map<String, Set<String>> tables = tables(ddl);
    tables.put(SchemaHistory.TABLE, SchemaHistory.COLUMNS);
    Set<String> names = new LinkedHashSet<>(tables.keySet());
    names.addAll(views(ddl));
    names.addAll(FORMER_HISTORIES);
    return new TableConflictCheck(
        schema, tables, found(session.connection().getMetaData(), schema, names));
  }

  /** Returns the names of the tables and views that exist after all migrations. */
  static Set<String> relations(String text) {
    String ddl = COMMENT.matcher(text).replaceAll("");
    Set<String> relations = new LinkedHashSet<>(tables(ddl).keySet());
    relations.addAll(views(ddl));
    DROPPED.matcher(ddl).results().forEach(dropped -> relations.remove(dropped.group(1)));
    return relations;
  }

  /**
   * Returns a sentence on the first table of another program, with the columns that it would need;
   * empty if there is none.
   */
  Optional<String> foreign() {
    if (formerHistory().isPresent()) {
      return Optional.empty();
    }
    for (Found one : found) {
      Set<String> expected = tables.get(one.key());
      String difference = expected == null ? viewProblem(one) : lack(one, expected);
      if (difference != null) {
        return Optional.of(
            "Schema '%s' has a table '%s' that does not belong to Millrace, so nothing was made or changed: %s. %s"
                .formatted(schema, one.name, difference, ADVICE));
      }
    }
    return Optional.empty();
  }

  /**
   * Returns the name of a table that a former version made, if there is no row of history for any
   * of the migrations.
   */
  Optional<String> former(List<Migration> migrations) {
    String ddl = COMMENT.matcher(Migrations.text(migrations)).replaceAll("");
    Set<String> names = new LinkedHashSet<>(tables(ddl).keySet());
    names.addAll(views(ddl));
    return formerHistory()
        .or(() ->
            found.stream().filter(one -> names.contains(one.key())).map(Found::name).findFirst());
  }

  private Optional<String> formerHistory() {
    return found.stream()
        .filter(one -> FORMER_HISTORIES.contains(one.key()))
        .map(Found::name)
        .findFirst();
  }

  boolean hasHistory() {
    return found.stream().anyMatch(one -> one.key().equals(SchemaHistory.TABLE));
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

  private static List<Found> found(DatabaseMetaData database, String schema, Set<String> names)
      throws SQLException {
    Map<String, String> types = new TreeMap<>();
    try (ResultSet rows = database.getTables(null, schema, null, null)) {
      while (rows.next()) {
        String name = rows.getString("TABLE_NAME");
        String type = rows.getString("TABLE_TYPE");
        String known = name.toLowerCase(Locale.ROOT);
        boolean relation = type.contains("TABLE") || type.contains("VIEW");
        if (relation && schema.equals(rows.getString("TABLE_SCHEM")) && names.contains(known)) {
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
