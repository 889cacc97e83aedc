package io.millrace.report.store;

import io.millrace.report.kpi.KpiResult;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.Types;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/** Store of results in the table {@code millrace_report_result}. Thread-safe. */
public final class JdbcResultStore implements ResultStore {

  static final String NAME = "millrace_report_result";

  private static final String UPDATE =
      """
      update millrace_report_result
      set report = ?, window_from = ?, window_to = ?, kpi_value = ?, result = ?,
        stored_at = current_timestamp
      where execution_id = ? and kpi_id = ?\
      """;

  private static final String INSERT =
      """
      insert into millrace_report_result
        (report, window_from, window_to, kpi_value, result, execution_id, kpi_id, stored_at)
      values (?, ?, ?, ?, ?, ?, ?, current_timestamp)\
      """;

  private static final String FIND =
      """
      select result from millrace_report_result where execution_id = ? order by kpi_id\
      """;

  private final DataSource database;
  private final JdbcTables jdbcTables;

  public JdbcResultStore(DataSource database) {
    this(database, JdbcTables.LIMIT);
  }

  /**
   * Creates a store with another limit.
   *
   * @param limit how long the database may be silent
   */
  JdbcResultStore(DataSource database, Duration limit) {
    this.database = database;
    this.jdbcTables = new JdbcTables(database, limit);
  }

  @Override
  public void prepare() {
    ReportSchema.create(database);
  }

  @Override
  public void put(Key key, KpiResult result) {
    jdbcTables.replace(
        UPDATE,
        INSERT,
        row -> {
          row.setString(1, key.report());
          row.setObject(2, key.window().from().atOffset(ZoneOffset.UTC));
          row.setObject(3, key.window().to().atOffset(ZoneOffset.UTC));
          row.setObject(4, result.value(), Types.DOUBLE);
          row.setString(5, ResultJson.write(result));
          row.setLong(6, key.executionId());
          row.setString(7, result.kpiId());
        });
  }

  @Override
  public List<KpiResult> find(long executionId) {
    return jdbcTables.run(
        "The results of execution " + executionId + " cannot be read",
        connection -> {
          try (PreparedStatement statement = connection.prepareStatement(FIND)) {
            statement.setLong(1, executionId);
            List<KpiResult> found = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery()) {
              while (rows.next()) {
                found.add(ResultJson.read(rows.getString(1)));
              }
            }
            return found;
          }
        });
  }
}
