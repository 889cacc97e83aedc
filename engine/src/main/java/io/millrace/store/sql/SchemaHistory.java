package io.millrace.store.sql;

import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** The table {@code millrace_schema}: which migrations of which component were applied. */
final class SchemaHistory {

  static final String TABLE = "millrace_schema";

  /** Columns of the table, in lower case. */
  static final Set<String> COLUMNS =
      Set.of("component", "version", "description", "checksum", "applied_at", "applied_by");

  /** Statement that creates the table. The time is empty while a migration of H2 is applied. */
  static final String CREATE =
      """
      CREATE TABLE IF NOT EXISTS millrace_schema (
        component   varchar(50) NOT NULL,
        version     integer NOT NULL,
        description varchar(200) NOT NULL,
        checksum    varchar(64) NOT NULL,
        applied_at  timestamp(6) with time zone,
        applied_by  varchar(200) NOT NULL,
        CONSTRAINT millrace_schema_key PRIMARY KEY (component, version)
      )\
      """;

  static final String INSERT =
      """
      INSERT INTO millrace_schema
        (component, version, description, checksum, applied_at, applied_by)
      VALUES (:component, :version, :description, :checksum, CURRENT_TIMESTAMP, CURRENT_USER)
      """;

  private static final String READ =
      """
      SELECT component, version, description, checksum, applied_by,
        CASE WHEN applied_at IS NULL THEN 1 ELSE 0 END AS begun
      FROM millrace_schema WHERE component = ANY(CAST(:components AS varchar ARRAY))
      """;

  private static final String OTHERS =
      """
      SELECT DISTINCT component FROM millrace_schema WHERE component LIKE :prefix
        AND NOT component = ANY(CAST(:components AS varchar ARRAY)) AND\
      """;

  /**
   * A row of the table.
   *
   * @param begun true if the migration has not been finished
   */
  record AppliedMigration(
      String component,
      int version,
      String description,
      String checksum,
      String appliedBy,
      boolean begun) {}

  private SchemaHistory() {}

  /**
   * Reads the rows of some components from the table in the current schema. Fails if the table, or
   * one of {@code relations}, does not exist or may not be read.
   */
  static List<AppliedMigration> read(
      SqlSession session, List<String> components, Set<String> relations) throws SQLException {
    return session.query(
        READ
            + "AND "
            + session.dialect().historyInCurrentSchema()
            + probe(relations)
            + " ORDER BY component, version",
        Params.none().texts("components", components, name -> name),
        row ->
            new AppliedMigration(
                row.getString("component"),
                row.getInt("version"),
                row.getString("description"),
                row.getString("checksum"),
                row.getString("applied_by"),
                row.getInt("begun") == 1));
  }

  /** Returns the components with a prefix but for {@code components}, from the current schema. */
  static List<String> others(SqlSession session, String prefix, List<String> components)
      throws SQLException {
    return session.query(
        OTHERS + " " + session.dialect().historyInCurrentSchema() + " ORDER BY component",
        Params.of("prefix", prefix + "%").texts("components", components, name -> name),
        row -> row.getString("component"));
  }

  /** Returns a condition that is always true, and that cannot be asked if a relation is missing. */
  private static String probe(Set<String> relations) {
    return relations.isEmpty()
        ? ""
        : relations.stream()
            .sorted()
            .collect(Collectors.joining(", ", " AND NOT EXISTS (SELECT 1 FROM ", " WHERE 1 = 0)"));
  }

  static Params row(Migration migration) {
    return Params.of("component", migration.component())
        .set("version", migration.version())
        .set("description", migration.description())
        .set("checksum", migration.checksum());
  }

  /** Returns the statement that records a migration, for a script. */
  static String print(Migration migration) {
    return """
    INSERT INTO millrace_schema
      (component, version, description, checksum, applied_at, applied_by)
    VALUES ('%s', %s, '%s',
      '%s', CURRENT_TIMESTAMP, CURRENT_USER);
    """
        .formatted(
            migration.component(),
            migration.version(),
            migration.description(),
            migration.checksum());
  }
}
