package io.millrace.report.store;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * Store of finished reports in the table {@code millrace_report_pdf}, by execution and name. A
 * report that an execution makes again replaces the earlier one. Thread-safe.
 */
public final class ReportStore {

  static final String NAME = "millrace_report_pdf";

  private static final String UPDATE =
      """
      update millrace_report_pdf
      set sequence_id = ?, title = ?, file_name = ?, created_at = ?, content = ?
      where execution_id = ? and report = ?\
      """;

  private static final String INSERT =
      """
      insert into millrace_report_pdf
        (sequence_id, title, file_name, created_at, content, execution_id, report)
      values (?, ?, ?, ?, ?, ?, ?)\
      """;

  private static final String SELECT =
      """
      select execution_id, sequence_id, report, title, file_name, created_at, content
      from millrace_report_pdf
      """;

  private static final String NEWEST_OF_EACH =
      """
      select execution_id, sequence_id, report, title, file_name, created_at,
        octet_length(content) as size
      from millrace_report_pdf
      where execution_id in
        (select max(execution_id) from millrace_report_pdf group by sequence_id)
      order by sequence_id, created_at, report\
      """;

  private final DataSource database;
  private final JdbcTables jdbcTables;

  public ReportStore(DataSource database) {
    this.database = database;
    this.jdbcTables = new JdbcTables(database, JdbcTables.LIMIT);
  }

  /** Creates or updates the tables of reports where that is due; may be called often. */
  public void prepare() {
    ReportSchema.create(database);
  }

  /** Stores a report in place of an earlier one of the same execution and name. */
  public void put(StoredReport report) {
    jdbcTables.replace(
        UPDATE,
        INSERT,
        row -> {
          row.setString(1, report.sequenceId());
          row.setString(2, report.title());
          row.setString(3, report.fileName());
          row.setObject(4, report.createdAt().atOffset(ZoneOffset.UTC));
          row.setBytes(5, report.content());
          row.setLong(6, report.executionId());
          row.setString(7, report.report());
        });
  }

  /** Returns the last report that an execution has made; empty when it has made none. */
  public Optional<StoredReport> find(long executionId) {
    return select(
        SELECT + "where execution_id = ? order by created_at desc, report desc",
        row -> row.setLong(1, executionId));
  }

  /** Returns the report of this name that an execution has made; empty when it has made none. */
  public Optional<StoredReport> find(long executionId, String report) {
    return select(
        SELECT + "where execution_id = ? and report = ?",
        row -> {
          row.setLong(1, executionId);
          row.setString(2, report);
        });
  }

  /** Returns the newest report of this name; empty when there is none. */
  public Optional<StoredReport> newest(String report) {
    return select(
        SELECT + "where report = ? order by created_at desc, execution_id desc",
        row -> row.setString(1, report));
  }

  /**
   * Returns, for every sequence, the reports of its newest execution that made any, ordered by
   * sequence and time.
   */
  public List<ReportFile> newestOfEach() {
    return jdbcTables.run(
        "The reports cannot be listed",
        connection -> {
          try (PreparedStatement statement = connection.prepareStatement(NEWEST_OF_EACH);
              ResultSet row = statement.executeQuery()) {
            List<ReportFile> found = new ArrayList<>();
            while (row.next()) {
              found.add(file(row));
            }
            return found;
          }
        });
  }

  private static ReportFile file(ResultSet row) throws SQLException {
    return new ReportFile(
        row.getLong(1),
        row.getString(2),
        row.getString(3),
        row.getString(4),
        row.getString(5),
        row.getObject(6, OffsetDateTime.class).toInstant(),
        row.getLong(7));
  }

  private Optional<StoredReport> select(String sql, JdbcTables.Binder binder) {
    return jdbcTables.run(
        "A report cannot be read",
        connection -> {
          try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setMaxRows(1);
            binder.bind(statement);
            try (ResultSet row = statement.executeQuery()) {
              return row.next() ? Optional.of(report(row)) : Optional.empty();
            }
          }
        });
  }

  private static StoredReport report(ResultSet row) throws SQLException {
    return new StoredReport(
        row.getLong(1),
        row.getString(2),
        row.getString(3),
        row.getString(4),
        row.getString(5),
        row.getObject(6, OffsetDateTime.class).toInstant(),
        row.getBytes(7));
  }
}
