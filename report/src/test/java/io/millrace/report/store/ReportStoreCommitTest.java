package io.millrace.report.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.report.ReportTestDatabase;
import io.millrace.report.kpi.KpiResult;
import io.millrace.report.source.ResultTable;
import io.millrace.report.source.SilencingProxy;
import io.millrace.report.source.SingleConnection;
import io.millrace.report.source.SourceException;
import io.millrace.schedule.DataWindow;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that a stored report or result is durable, or that storing it fails. */
class ReportStoreCommitTest {

  private static final Instant TIME = Instant.parse("2026-11-23T06:00:00Z");
  private static final ResultStore.Key KEY =
      new ResultStore.Key(7, "weekly", new DataWindow(TIME.minusSeconds(60), TIME));
  private static final KpiResult RESULT =
      new KpiResult("a", 2.0, null, List.of(), new ResultTable(List.of(), List.of()), List.of());

  @ParameterizedTest
  @EnumSource
  void aPoolThatLeavesCommitsToOthersKeepsEverything(ReportTestDatabase.Kind kind)
      throws Exception {
    try (ReportTestDatabase database = ReportTestDatabase.open(kind);
        Connection connection = database.source().getConnection()) {
      connection.setAutoCommit(false);
      DataSource pool = SingleConnection.of(connection);
      ReportSchema.create(pool);
      new JdbcResultStore(pool).put(KEY, RESULT);
      new ReportStore(pool)
          .put(new StoredReport(7, "mill", "weekly", "Week", "w.pdf", TIME, new byte[] {1}));

      assertThat(connection.getAutoCommit()).as("is as before").isFalse();
      assertThat(new JdbcResultStore(database.source()).find(7)).hasSize(1);
      assertThat(new ReportStore(database.source()).find(7)).isPresent();
      assertThat(new ReportStore(pool).newestOfEach()).hasSize(1);
    }
  }

  @Tag("races")
  @Test
  void aResultThatMeetsSilenceIsAnErrorAndNoWaitForEver() throws Exception {
    try (ReportTestDatabase database = ReportTestDatabase.open(ReportTestDatabase.Kind.POSTGRESQL);
        SilencingProxy relay =
            new SilencingProxy(ReportTestDatabase.server(), "update millrace_report_result")) {
      ReportSchema.create(database.source());
      JdbcResultStore store =
          new JdbcResultStore(relay.database(database.schema()), Duration.ofSeconds(1));
      assertThat(store.find(7)).isEmpty();
      assertThatThrownBy(() -> store.put(KEY, RESULT))
          .isInstanceOf(SourceException.class)
          .hasMessageContaining("A row cannot be stored in the database")
          .hasMessageContaining("I/O error");
      assertThat(relay.isSilent()).isTrue();
    }
  }
}
