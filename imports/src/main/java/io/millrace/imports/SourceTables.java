package io.millrace.imports;

import io.millrace.instance.InvalidRequestException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Names of the tables of the source. */
final class SourceTables {

  /** The tables that are read, each with a substitute if it may be missing. */
  enum Table {
    TYPE("INSIGHTS_WORKFLOW_TYPE", null),
    TASK("INSIGHTS_WORKFLOW_TASK", null),
    CONFIG("INSIGHTS_WORKFLOW_CONFIG", null),
    SEQUENCE("INSIGHTS_WORKFLOW_TASK_SEQUENCE", null),
    HISTORY(
        "INSIGHTS_WORKFLOW_EXECUTION_HISTORY",
        """
        (SELECT CAST(NULL AS varchar(255)) AS workflowid, CAST(NULL AS bigint) AS executionid,
          CAST(NULL AS bigint) AS starttime WHERE FALSE) AS history\
        """),
    ASSESSMENT(
        "INSIGHTS_ASSESSMENT_CONFIGURATION",
        """
        (SELECT CAST(NULL AS varchar(255)) AS workflowid, CAST(NULL AS bigint) AS startdate,
          CAST(NULL AS bigint) AS enddate WHERE FALSE) AS assessment\
        """);

    private final String tableName;
    private final @Nullable String substitute;

    Table(String tableName, @Nullable String substitute) {
      this.tableName = tableName;
      this.substitute = substitute;
    }
  }

  private final Map<Table, String> names = new EnumMap<>(Table.class);
  private final String schema;

  private SourceTables(String schema) {
    this.schema = schema;
  }

  /**
   * Finds the tables, in upper or lower case.
   *
   * @param wanted the schema; null for the one of the connection
   * @throws InvalidRequestException when a required table is missing
   */
  static SourceTables find(Connection connection, @Nullable String wanted) throws SQLException {
    String schema = wanted == null ? connection.getSchema() : wanted;
    SourceTables tables = new SourceTables(schema == null ? "" : schema);
    Set<String> elsewhere = new TreeSet<>();
    String quote = connection.getMetaData().getIdentifierQuoteString();
    try (ResultSet rows =
        connection
            .getMetaData()
            .getTables(
                connection.getCatalog(),
                null,
                "%",
                new String[] {"TABLE", "VIEW", "PARTITIONED TABLE", "BASE TABLE"})) {
      while (rows.next()) {
        tables.take(rows.getString("TABLE_SCHEM"), rows.getString("TABLE_NAME"), quote, elsewhere);
      }
    }
    tables.requireAll(elsewhere);
    return tables;
  }

  private void take(@Nullable String inSchema, String name, String quote, Set<String> elsewhere) {
    for (Table table : Table.values()) {
      if (!table.tableName.equalsIgnoreCase(name)) {
        continue;
      }
      if (inSchema != null && !inSchema.equals(schema)) {
        elsewhere.add(inSchema);
      } else {
        names.put(
            table, (inSchema == null ? "" : quoted(inSchema, quote) + ".") + quoted(name, quote));
      }
    }
  }

  private static String quoted(String name, String quote) {
    return quote + name.replace(quote, quote + quote) + quote;
  }

  private void requireAll(Set<String> elsewhere) {
    List<String> missing = new ArrayList<>();
    for (Table table : Table.values()) {
      if (table.substitute == null && !names.containsKey(table)) {
        missing.add(table.tableName);
      }
    }
    if (!missing.isEmpty()) {
      throw new InvalidRequestException(
          "The source has no table "
              + String.join(", ", missing)
              + " in schema '"
              + schema
              + "'. "
              + (elsewhere.isEmpty()
                  ? "Check that --url names the database of the workflow framework, and that --user may read it."
                  : "Tables of this kind are in "
                      + elsewhere
                      + ": name one of these with --schema."));
    }
  }

  /** Returns the schema of the tables. */
  String schema() {
    return schema;
  }

  /**
   * Returns a statement with the placeholders, such as {@code {config}}, replaced by table names.
   */
  String in(String statement) {
    String text = statement;
    for (Table table : Table.values()) {
      String name = names.get(table);
      text =
          text.replace(
              "{" + table.name().toLowerCase(Locale.ROOT) + "}",
              name == null ? String.valueOf(table.substitute) : name);
    }
    return text;
  }
}
