package io.millrace.report.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;

/**
 * Deletes results and reports of executions that exist neither in the engine nor in its archive.
 * Thread-safe.
 */
public final class ReportRetention {

  /**
   * Query of the next executions. Both parts have a limit, so that no more rows are read than asked
   * for.
   */
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
          select 1 from millrace_instance i where i.id = TABLE.execution_id)
        and not exists (
          select 1 from millrace_archive_instance a where a.id = TABLE.execution_id)\
      """;

  private static final List<String> TABLES = List.of(JdbcResultStore.NAME, ReportStore.NAME);

  private final JdbcTables jdbcTables;

  /**
   * Creates a retention for the tables in this database.
   *
   * @param database has also the tables of the engine that ran these executions; nothing is deleted
   *     where it has none
   */
  public ReportRetention(DataSource database) {
    this.jdbcTables = new JdbcTables(database, JdbcTables.LIMIT);
  }

  /**
   * Result of one sweep.
   *
   * @param last the largest execution id of the sweep; the next call continues after it
   * @param deleted the number of deleted results and reports
   * @param more false when there were no more executions
   */
  public record SweepResult(long last, int deleted, boolean more) {}

  /**
   * Reads the executions with the next larger ids, and deletes the results and reports of those
   * that no longer exist.
   *
   * @param after an execution id; 0 to start
   * @param limit the largest number of executions to read
   * @throws io.millrace.report.source.SourceException when the database fails
   */
  public SweepResult sweep(long after, int limit) {
    return jdbcTables.run(
        "What is left of executions that are gone cannot be deleted",
        connection -> {
          if (!JdbcTables.exists(connection, "millrace_instance", "id")
              || !JdbcTables.exists(connection, "millrace_archive_instance", "id")) {
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
