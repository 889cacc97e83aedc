package io.millrace.report.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * Keeps finished reports in the table {@code millrace_report_pdf}, one for each execution. Making
 * the report of an execution again replaces it. Thread-safe.
 */
public final class ReportStore {

  private static final String TABLE =
      """
      create table if not exists millrace_report_pdf (
        execution_id bigint not null primary key,
        report varchar(100) not null,
        title varchar(300) not null,
        file_name varchar(200) not null,
        created_at timestamp with time zone not null,
        content BYTES not null
      )\
      """;

  private static final String UPDATE =
      """
      update millrace_report_pdf
      set report = ?, title = ?, file_name = ?, created_at = ?, content = ?
      where execution_id = ?\
      """;

  private static final String INSERT =
      """
      insert into millrace_report_pdf
        (report, title, file_name, created_at, content, execution_id)
      values (?, ?, ?, ?, ?, ?)\
      """;

  private static final String SELECT =
      """
      select execution_id, report, title, file_name, created_at, content
      from millrace_report_pdf
      """;

  private final Tables tables;

  public ReportStore(DataSource database) {
    this.tables = new Tables(database);
  }

  /** Makes the table if there is none; may be called often. */
  public void prepare() {
    tables.create("millrace_report_pdf", TABLE);
  }

  /** Keeps a report in place of an earlier one of the same execution. */
  public void put(StoredReport report) {
    tables.replace(
        UPDATE,
        INSERT,
        row -> {
          row.setString(1, report.report());
          row.setString(2, report.title());
          row.setString(3, report.fileName());
          row.setObject(4, report.createdAt().atOffset(ZoneOffset.UTC));
          row.setBytes(5, report.content());
          row.setLong(6, report.executionId());
        });
  }

  /** The report of an execution; empty when it has made none. */
  public Optional<StoredReport> find(long executionId) {
    return select(SELECT + "where execution_id = ?", row -> row.setLong(1, executionId));
  }

  /** The newest report of this name; empty when there is none. */
  public Optional<StoredReport> newest(String report) {
    return select(
        SELECT + "where report = ? order by created_at desc, execution_id desc",
        row -> row.setString(1, report));
  }

  private Optional<StoredReport> select(String sql, Tables.Binder binder) {
    try (Connection connection = tables.connection();
        PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setMaxRows(1);
      binder.bind(statement);
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? Optional.of(report(row)) : Optional.empty();
      }
    } catch (SQLException e) {
      throw Tables.failed("A report cannot be read", e);
    }
  }

  private static StoredReport report(ResultSet row) throws SQLException {
    return new StoredReport(
        row.getLong(1),
        row.getString(2),
        row.getString(3),
        row.getString(4),
        row.getObject(5, OffsetDateTime.class).toInstant(),
        row.getBytes(6));
  }
}
