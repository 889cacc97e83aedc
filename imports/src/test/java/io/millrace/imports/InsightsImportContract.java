package io.millrace.imports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.imports.ImportEntry.Kind;
import io.millrace.imports.ImportEntry.Outcome;
import io.millrace.instance.InvalidRequestException;
import io.millrace.instance.MillraceException;
import io.millrace.instance.OperatorAction;
import io.millrace.schedule.Frequency;
import io.millrace.schedule.Schedule;
import io.millrace.sequence.ScheduledSequence;
import io.millrace.sequence.Task;
import io.millrace.sequence.TaskSequence;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Contract tests of valid rows, and of the point from which imported workflows continue. */
abstract class InsightsImportContract extends ImportContract {

  private static final OperatorAction BY_ANN = OperatorAction.by("ann", "because");

  InsightsImportContract(boolean postgres) {
    super(postgres);
  }

  @Test
  void everythingIsAddedAndGoesOnWhereItStands() throws SQLException {
    source.reportTasks(KPI);
    source.workflow(
        "Report_1",
        "WEEKLY",
        "COMPLETED",
        "2026-01-11T00:00:01Z",
        "2026-01-04T00:00:05Z",
        true,
        1,
        2,
        3);
    ImportReport report = run();
    assertThat(report.ok()).as(report.text()).isTrue();
    assertThat(target().tasks().types()).containsExactly("Report");
    assertThat(target().tasks().list())
        .extracting(t -> t.task().name())
        .containsExactly("REPORT_KPI_Execute", "REPORT_PDF_Execute", "REPORT_EMAIL_Execute");
    Task kpi = target().tasks().find("REPORT_KPI_Execute").orElseThrow().task();
    assertThat(kpi.component()).isEqualTo(KPI);
    assertThat(kpi.channel()).isEqualTo("WORKFLOW.TASK.KPI");
    assertThat(kpi.options().dependency()).isEqualTo(1);
    ScheduledSequence added = target().get("Report_1");
    assertThat(added.sequence())
        .isEqualTo(
            TaskSequence.of("Report_1", "Report", Schedule.of(Frequency.WEEKLY))
                .task("REPORT_KPI_Execute")
                .task("REPORT_PDF_Execute")
                .task("REPORT_EMAIL_Execute"));
    assertThat(added.times().nextRun()).isEqualTo("2026-01-11T00:00:01Z");
    assertThat(added.times().due()).isEqualTo("2026-01-11T00:00:01Z");
    assertThat(added.times().lastEnded()).isEqualTo("2026-01-04T00:00:05Z");
    assertThat(workflow(report, "Report_1").notes()).isEmpty();
    assertThat(entry(report, Kind.TASK, "1 REPORT_KPI_Execute").notes())
        .anyMatch(note -> note.startsWith("This server cannot run it yet.") && note.contains(KPI));
  }

  @Test
  void aDryRunSaysWhatTheRealOneDoesAndAnotherOneAddsNothing() throws SQLException {
    source.reportTasks(KPI);
    source.type("bad type");
    source.task(4, "odd name!", null, KPI, "Report");
    source.workflow("Report_1", "DAILY", "NOT_STARTED", "2026-01-08T00:00:01Z", 1, 2);
    source.workflow("Report_2", "MONTHLY", "ABORTED", "2025-11-01T00:00:01Z", 1, 1, 3);
    source.workflow("Report_3", "FORTNIGHTLY", "COMPLETED", null, 1);
    source.workflow("Report_4", "DAILY", "RESTART", "2026-01-07T00:00:01Z", 4);
    source.ran("Report_1", 1, "2026-01-06T00:00:01Z");
    List<String> before = source.content();
    List<String> empty = targetContent();

    ImportReport dry = run(true, false);
    assertThat(targetContent()).isEqualTo(empty);
    ImportReport real = run();
    Map<String, Object> wouldBe = new HashMap<>(dry.values());
    assertThat(wouldBe.put("dryRun", false)).isEqualTo(true);
    assertThat(wouldBe).isEqualTo(real.values());
    assertThat(dry.text().replace(". Dry run: nothing was changed.", ".")).isEqualTo(real.text());

    List<String> once = targetContent();
    assertThat(once).hasSizeGreaterThan(empty.size());
    ImportReport again = run();
    assertThat(targetContent()).isEqualTo(once);
    assertThat(again.entries())
        .extracting(ImportEntry::outcome)
        .containsOnly(Outcome.EQUAL, Outcome.REFUSED);
    assertThat(again.count(Kind.WORKFLOW, Outcome.EQUAL)).isEqualTo(2);
    assertThat(source.content()).isEqualTo(before);
  }

  @Test
  void eachStatusGoesOnInItsOwnWay() throws SQLException {
    source.reportTasks(KPI);
    String owed = "2026-01-05T00:00:01Z";
    for (String status :
        List.of(
            "NOT_STARTED",
            "IN_PROGRESS",
            "ERROR",
            "TASK_INITIALIZE_ERROR",
            "RESTART",
            "ABORTED",
            " completed ",
            "Done!")) {
      source.workflow("W_" + status.strip().replace("!", ""), "DAILY", status, owed, 1);
    }
    source.ran("W_IN_PROGRESS", 1, owed);
    ImportReport report = run();
    assertThat(report.ok()).as(report.text()).isTrue();
    for (ImportEntry importEntry : report.entries()) {
      if (importEntry.kind() == Kind.WORKFLOW) {
        assertThat(target().get(importEntry.id()).times().nextRun())
            .as(importEntry.id())
            .isEqualTo(owed);
      }
    }
    assertThat(target().get("W_ABORTED").flags().pausedBy()).isEqualTo("import");
    assertThat(target().get("W_ABORTED").times().due()).isNull();
    assertThat(workflow(report, "W_ABORTED").notes().toString()).contains("resume W_ABORTED");
    assertThat(target().get("W_Done").flags().pauseReason()).contains("'Done!'");
    assertThat(target().get("W_RESTART").flags().runRequested()).isTrue();
    assertThat(target().get("W_completed").flags().pausedBy()).isNull();
    assertThat(workflow(report, "W_IN_PROGRESS").notes().toString())
        .contains("execution " + Instant.parse(owed).toEpochMilli());
    assertThat(target().get("W_ERROR").times().due()).isEqualTo(owed);
    assertThat(workflow(report, "W_NOT_STARTED").notes())
        .hasSize(1)
        .first()
        .asString()
        .startsWith("3 of its runs are overdue");
  }

  @Test
  void whatHasRunAndDoesNotRecurDoesNotRunAgain() throws SQLException {
    source.reportTasks(KPI);
    source.workflow("Once_done", "ONETIME", "COMPLETED", null, "2026-01-02T00:00:05Z", true, 1);
    source.dates("Once_done", "2025-12-01T00:00:01Z", "2025-12-30T23:59:59Z");
    source.workflow("Once_owed", "ONETIME", "NOT_STARTED", null, null, false, 1);
    source.dates("Once_owed", "2025-12-01T00:00:01Z", "2025-12-30T23:59:59Z");
    source.workflow("Weekly_done", "WEEKLY", "COMPLETED", "2026-01-11T00:00:01Z", null, false, 1);
    ImportReport report = run();
    assertThat(report.ok()).as(report.text()).isTrue();
    assertThat(target().get("Once_done").times().nextRun()).isNull();
    assertThat(target().get("Once_done").times().due()).isNull();
    assertThat(workflow(report, "Once_done").notes().toString()).contains("here it runs once");
    assertThat(target().get("Once_owed").times().nextRun()).isEqualTo("2025-12-31T00:00:01Z");
    assertThat(target().get("Once_owed").sequence().schedule())
        .isEqualTo(
            Schedule.of(Frequency.ONETIME, LocalDate.of(2025, 12, 1), LocalDate.of(2025, 12, 30))
                .once());
    assertThat(target().get("Weekly_done").times().nextRun()).isNull();
    assertThat(run().count(Kind.WORKFLOW, Outcome.EQUAL)).isEqualTo(3);
  }

  @Test
  void aDailyWorkflowDoesNotReportItsFirstDayTwice() throws SQLException {
    source.reportTasks(KPI);
    String next = "2026-01-06T00:00:01Z";
    source.workflow("First", "DAILY", "COMPLETED", next, "2026-01-06T00:00:09Z", true, 1);
    source.ran("First", 1, next);
    source.workflow("Later", "DAILY", "COMPLETED", next, "2026-01-06T00:00:09Z", true, 1);
    source.ran("Later", 1, "2026-01-05T00:00:01Z");
    source.ran("Later", 1, next);
    ImportReport report = run();
    assertThat(target().get("First").times().nextRun()).isEqualTo("2026-01-07T00:00:01Z");
    assertThat(target().get("Later").times().nextRun()).isEqualTo(next);
    assertThat(report.history().executions()).isEqualTo(2);
    assertThat(report.text()).contains("3 rows of 2 executions");
  }

  @Test
  void sprintsAreCountedFromWhereTheirNextRunSays() throws SQLException {
    source.reportTasks(KPI);
    source.workflow("Fits", "BI_WEEKLY_SPRINT", "COMPLETED", "2026-01-12T00:00:01Z", 1);
    source.dates("Fits", "2025-12-01T00:00:01Z", null);
    source.workflow("From_1970", "TRI_WEEKLY_SPRINT", "COMPLETED", "2026-01-15T00:00:01Z", 1);
    source.workflow("Nothing", "BI_WEEKLY_SPRINT", "NOT_STARTED", null, 1);
    ImportReport report = run();
    assertThat(target().get("Fits").sequence().schedule())
        .isEqualTo(Schedule.of(Frequency.BI_WEEKLY_SPRINT, LocalDate.of(2025, 12, 1), null));
    assertThat(target().get("From_1970").sequence().schedule())
        .isEqualTo(Schedule.of(Frequency.TRI_WEEKLY_SPRINT, LocalDate.of(2025, 12, 25), null));
    assertThat(target().get("From_1970").times().nextRun()).isEqualTo("2026-01-15T00:00:01Z");
    assertThat(workflow(report, "Nothing").what()).contains("needs a start date");

    source.change("From_1970", "nextrun = nextrun + " + Duration.ofDays(21).toSeconds());
    assertThat(workflow(run(), "From_1970").outcome()).isEqualTo(Outcome.EQUAL);
  }

  @Test
  void alertsBecomeIntervals() throws SQLException {
    source.reportTasks(KPI);
    source.workflow("Alert", "EVERY_6_HOUR", "COMPLETED", "2026-01-07T13:30:00Z", 1);
    assertThat(run().ok()).isTrue();
    assertThat(target().get("Alert").times().nextRun()).isEqualTo("2026-01-07T13:30:00Z");
    assertThat(target().next(target().get("Alert").sequence().schedule(), 1).getFirst().at())
        .isAfter(NOW);
  }

  @Test
  void whatPeopleDoAfterwardsStays() throws SQLException {
    source.reportTasks(KPI);
    source.workflow("Report_1", "WEEKLY", "ABORTED", "2026-01-04T00:00:01Z", 1);
    run();
    target().resumeSchedule("Report_1");
    target().run("Report_1", Map.of(), BY_ANN);
    List<String> before = targetContent();
    assertThat(workflow(run(), "Report_1").outcome()).isEqualTo(Outcome.EQUAL);
    assertThat(targetContent()).isEqualTo(before);
  }

  @Test
  void aSourceWithoutTheTablesIsSaidToHaveNone() throws SQLException {
    source.execute("DROP TABLE \"INSIGHTS_WORKFLOW_TASK_SEQUENCE\"");
    assertThatThrownBy(this::run)
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("no table INSIGHTS_WORKFLOW_TASK_SEQUENCE")
        .hasMessageContaining("--url");
    assertThatThrownBy(() -> InsightsSource.open(source.url(), null, null, "nowhere"))
        .hasMessageContaining("INSIGHTS_WORKFLOW_TYPE")
        .hasMessageContaining("--schema");
    assertThatThrownBy(
            () -> InsightsSource.open("jdbc:postgresql://127.0.0.1:1/x", "u", "secret", null))
        .isInstanceOf(MillraceException.class)
        .hasMessageContaining("The source cannot be opened")
        .hasMessageNotContaining("secret");
  }

  @Test
  void historyAndReportsMayBeMissing() throws SQLException {
    source.reportTasks(KPI);
    source.workflow("Report_1", "WEEKLY", "COMPLETED", "2026-01-11T00:00:01Z", 1);
    source.execute("DROP TABLE \"INSIGHTS_WORKFLOW_EXECUTION_HISTORY\"");
    source.execute("DROP TABLE \"INSIGHTS_ASSESSMENT_CONFIGURATION\"");
    ImportReport report = run();
    assertThat(report.ok()).as(report.text()).isTrue();
    assertThat(report.history().rows()).isZero();
  }
}
