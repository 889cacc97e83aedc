package io.millrace.report;

import io.millrace.report.store.StoredReport;
import io.millrace.schedule.DataWindow;
import io.millrace.sequence.FakeTaskContext;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Map;
import org.h2.jdbcx.JdbcDataSource;

/** Program that writes the weekly report of a repository into a file, for inspection. */
public final class WeeklyReportMain {

  private WeeklyReportMain() {}

  /**
   * Writes the report. The arguments are the repository, the first day after the week such as
   * {@code 2026-11-23}, the file, and the title.
   */
  public static void main(String[] args) throws Exception {
    JdbcDataSource database = new JdbcDataSource();
    database.setURL("jdbc:h2:mem:weekly;DB_CLOSE_DELAY=-1");
    ReportComponent component =
        ReportComponent.on(database).weeklyReport(Path.of(args[0]), args[3], null).build();
    LocalDate end = LocalDate.parse(args[1]);
    DataWindow week =
        new DataWindow(
            end.minusDays(7).atStartOfDay().toInstant(ZoneOffset.UTC),
            end.atStartOfDay().toInstant(ZoneOffset.UTC));
    FakeTaskContext task =
        new FakeTaskContext(1795231348784L, week, Map.of("report", "weekly-report"));
    component.tasks().get(ReportComponent.KPI).execute(task);
    component.tasks().get(ReportComponent.PDF).execute(task);
    StoredReport report = component.reports().find(task.executionId()).orElseThrow();
    Files.write(Path.of(args[2]), report.content());
  }
}
