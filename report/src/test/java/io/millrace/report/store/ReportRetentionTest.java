package io.millrace.report.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.report.ReportTestDatabase;
import io.millrace.report.kpi.KpiResult;
import io.millrace.report.source.ResultTable;
import io.millrace.report.store.ReportRetention.SweepResult;
import io.millrace.schedule.DataWindow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that results and reports are kept as long as their execution exists. */
class ReportRetentionTest {

  private static final Instant TIME = Instant.parse("2026-11-23T06:00:00Z");
  private static final DataWindow WINDOW = new DataWindow(TIME.minusSeconds(60), TIME);

  private static void keep(ReportTestDatabase database, long execution) {
    JdbcResultStore results = new JdbcResultStore(database.source());
    for (String kpi : List.of("a", "b")) {
      results.put(
          new ResultStore.Key(execution, "weekly", WINDOW),
          new KpiResult(
              kpi, 2.0, null, List.of(), new ResultTable(List.of(), List.of()), List.of()));
    }
    new ReportStore(database.source())
        .put(new StoredReport(execution, "mill", "weekly", "Week", "w.pdf", TIME, new byte[] {1}));
  }

  private static List<Long> left(ReportTestDatabase database) {
    List<Long> left = new ArrayList<>();
    for (long id = 1; id <= 6; id++) {
      int results = new JdbcResultStore(database.source()).find(id).size();
      boolean report = new ReportStore(database.source()).find(id).isPresent();
      assertThat(results).isEqualTo(report ? 2 : 0);
      if (report) {
        left.add(id);
      }
    }
    return left;
  }

  @ParameterizedTest
  @EnumSource
  void whatIsLeftOfExecutionsThatAreGoneIsDeletedBatchByBatch(ReportTestDatabase.Kind kind) {
    try (ReportTestDatabase database = ReportTestDatabase.open(kind)) {
      ReportSchema.create(database.source());
      for (long id = 1; id <= 6; id++) {
        keep(database, id);
      }
      database.execute("create table millrace_instance (id bigint primary key)");
      database.execute("create table millrace_archive_instance (id bigint primary key)");
      database.execute("insert into millrace_instance values (2), (6)");
      database.execute("insert into millrace_archive_instance values (4)");

      ReportRetention retention = new ReportRetention(database.source());
      assertThat(retention.sweep(0, 3)).isEqualTo(new SweepResult(3, 6, true));
      assertThat(left(database)).containsExactly(2L, 4L, 5L, 6L);
      assertThat(retention.sweep(3, 3)).isEqualTo(new SweepResult(6, 3, true));
      assertThat(retention.sweep(6, 3)).isEqualTo(new SweepResult(6, 0, false));
      assertThat(left(database)).containsExactly(2L, 4L, 6L);
      assertThat(retention.sweep(0, 100)).isEqualTo(new SweepResult(6, 0, false));
    }
  }

  /** Without the tables of the engine it is not known which executions exist. */
  @ParameterizedTest
  @EnumSource
  void inADatabaseWithoutTheEngineNothingIsDeleted(ReportTestDatabase.Kind kind) {
    try (ReportTestDatabase database = ReportTestDatabase.open(kind)) {
      ReportSchema.create(database.source());
      keep(database, 1);
      ReportRetention retention = new ReportRetention(database.source());
      assertThat(retention.sweep(0, 100)).isEqualTo(new SweepResult(0, 0, false));
      database.execute("create table millrace_instance (id bigint primary key)");
      assertThat(retention.sweep(0, 100)).isEqualTo(new SweepResult(0, 0, false));
      assertThat(left(database)).containsExactly(1L);
    }
  }
}
