package io.millrace.report.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;

/**
 * Deletes results and reports whose execution is neither there nor in the archive any more.
 * Thread-safe.
 */
public final class ReportRetention {

  /** Each side is bounded for itself, so that no more is read than asked for. */
  private static final String NEXT =
      """
      select execution_id from (
        (select distinct execution_id from millrace_report_result
          where execution_id > ? order by execution_id limit ?)
        union
        (select distinct execution_id from millrace_report_pdf
          where execution_id > ? order by execution_id limit ?)
      ) kept
      order by execution_id limit ?\
      """;

  private static final String DELETE =
      """
      delete from TABLE
      where execution_id > ? and execution_id <= ?
        and not exists (
          select 1 from millrace_workflow w where w.id = TABLE.execution_id)
        and not exists (
          select 1 from millrace_archive_workflow a where a.id = TABLE.execution_id)\
      """;

  private static final List<String> TABLES = List.of(JdbcResultStore.NAME, ReportStore.NAME);

  private final JdbcTables jdbcTables;

  /**
   * Of the tables in this database.
   *
   * @param database has the tables of the engine, too, whose executions these are; where it has
   *     none of an engine, nothing is deleted
   */
  public ReportRetention(DataSource database) {
    this.jdbcTables = new JdbcTables(database);
  }

  /**
   * What became of some executions.
   *
   * @param last the one with the largest id; the next call begins behind it
   * @param deleted how many results and reports
   * @param more false when there were no more executions to look at
   */
  public record SweepResult(long last, int deleted, boolean more) {}

  /**
   * Looks at the executions with the next larger ids, and deletes what those have left that are
   * gone.
   *
   * @param after an id of an execution; 0 to begin
   * @param limit the most executions to look at
   * @throws io.millrace.report.source.SourceException when the database fails
   */
  public SweepResult sweep(long after, int limit) {
    return jdbcTables.run(
        "What is left of executions that are gone cannot be deleted",
        connection -> {
          if (!JdbcTables.exists(connection, "millrace_workflow", "id")
              || !JdbcTables.exists(connection, "millrace_archive_workflow", "id")) {
            return new SweepResult(after, 0, false);
          }
          long last = after;
          int executions = 0;
          try (PreparedStatement next = connection.prepareStatement(NEXT)) {
            next.setLong(1, after);
            next.setInt(2, limit);
            next.setLong(3, after);
            next.setInt(4, limit);
            next.setInt(5, limit);
            try (ResultSet row = next.executeQuery()) {
              for (; row.next(); executions++) {
                last = row.getLong(1);
              }
            }
          }
          return new SweepResult(last, delete(connection, after, last), executions == limit);
        });
  }

  private static int delete(Connection connection, long after, long last) throws SQLException {
    int deleted = 0;
    for (String table : TABLES) {
      deleted +=
          JdbcTables.change(
              connection,
              DELETE.replace("TABLE", table),
              row -> {
                row.setLong(1, after);
                row.setLong(2, last);
              });
    }
    return deleted;
  }
}
