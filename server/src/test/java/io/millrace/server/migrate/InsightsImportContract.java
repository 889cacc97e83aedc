package io.millrace.server.migrate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.millrace.Engine;
import io.millrace.instance.Deed;
import io.millrace.instance.InvalidRequestException;
import io.millrace.instance.MillraceException;
import io.millrace.lifecycle.EngineSettings;
import io.millrace.schedule.Frequency;
import io.millrace.schedule.Schedule;
import io.millrace.sequence.ScheduledSequence;
import io.millrace.sequence.Sequences;
import io.millrace.sequence.Task;
import io.millrace.sequence.TaskSequence;
import io.millrace.server.migrate.Entry.Kind;
import io.millrace.server.migrate.Entry.Outcome;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What becomes of the rows of a source, good and odd ones. */
abstract class InsightsImportContract {

  /** A Wednesday. */
  private static final Instant NOW = Instant.parse("2026-01-07T10:00:00Z");

  private static final String KPI = "com.example.ReportKPISubscriber";
  private static final Deed BY_ANN = Deed.by("ann", "because");

  private final boolean postgres;
  private SourceFixture source;
  private String targetUrl;
  private HikariDataSource pool;
  private Engine engine;

  InsightsImportContract(boolean postgres) {
    this.postgres = postgres;
  }

  @BeforeEach
  void open() throws SQLException {
    source = SourceFixture.create(postgres);
    targetUrl = SourceFixture.fresh(postgres);
    pool = new HikariDataSource();
    pool.setJdbcUrl(targetUrl);
    engine =
        Engine.builder()
            .dataSource(pool)
            .settings(EngineSettings.defaults().autostart(false))
            .start();
  }

  @AfterEach
  void close() throws SQLException {
    engine.close();
    pool.close();
    SourceFixture.remove(targetUrl);
    source.close();
  }

  private Sequences target() {
    return engine.sequences();
  }

  private ImportReport run(boolean dryRun, boolean replace) {
    try (InsightsSource opened = source.open()) {
      return InsightsImport.run(
          opened,
          new InsightsImport.Target(target(), task -> Optional.ofNullable(target().problem(task))),
          new InsightsImport.Options(dryRun, replace),
          NOW);
    }
  }

  private ImportReport run() {
    return run(false, false);
  }

  private static Entry entry(ImportReport report, Kind kind, String id) {
    List<Entry> found =
        report.entries().stream().filter(e -> e.kind() == kind && e.id().equals(id)).toList();
    assertThat(found).as(id).hasSize(1);
    return found.getFirst();
  }

  private static Entry workflow(ImportReport report, String id) {
    return entry(report, Kind.WORKFLOW, id);
  }

  private List<String> targetContent() throws SQLException {
    List<String> rows = new ArrayList<>();
    try (Connection connection = pool.getConnection()) {
      for (String table :
          List.of(
              "millrace_workflow_type",
              "millrace_workflow_task",
              "millrace_schedule",
              "millrace_workflow_task_sequence",
              "millrace_schedule_fire",
              "millrace_executor")) {
        rows.addAll(SourceFixture.rows(connection, table));
      }
    }
    return rows;
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
    assertThat(added.times().lastRun()).isEqualTo("2026-01-04T00:00:05Z");
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
        .extracting(Entry::outcome)
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
    for (Entry entry : report.entries()) {
      if (entry.kind() == Kind.WORKFLOW) {
        assertThat(target().get(entry.id()).times().nextRun()).as(entry.id()).isEqualTo(owed);
      }
    }
    assertThat(target().get("W_ABORTED").flags().pausedBy()).isEqualTo("import");
    assertThat(target().get("W_ABORTED").times().due()).isNull();
    assertThat(workflow(report, "W_ABORTED").notes().toString()).contains("resume W_ABORTED");
    assertThat(target().get("W_Done").flags().pauseReason()).contains("'Done!'");
    assertThat(target().get("W_RESTART").flags().immediate()).isTrue();
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
  void hostileRowsAreRefusedOneByOneAndTheOthersComeIn() throws SQLException {
    source.reportTasks(KPI);
    source.task(4, null, null, KPI, "Report");
    source.task(5, "NoClass", null, " ", "Report");
    source.task(6, "a;b", null, KPI, "Report");
    String next = "2026-01-11T00:00:01Z";
    source.workflow("Good", "WEEKLY", "COMPLETED", next, 1, 1, 2);
    source.workflow("Empty", "WEEKLY", "COMPLETED", next);
    source.workflow("_lead", "WEEKLY", "COMPLETED", next, 1);
    source.workflow("x".repeat(200), "WEEKLY", "COMPLETED", next, 1);
    source.workflow("a\u001b[2J'b", "WEEKLY", "COMPLETED", next, 1);
    source.workflow("Of_refused", "WEEKLY", "COMPLETED", next, 1, 6);
    source.workflow("No_frequency", null, "COMPLETED", next, 1);
    source.workflow("Unknown_frequency", "FORTNIGHTLY", "COMPLETED", next, 1);
    source.workflow("Onetime_without_dates", "ONETIME", "NOT_STARTED", null, 1);
    source.workflow("Negative", "WEEKLY", "COMPLETED", "1969-12-31T00:00:01Z", 1);
    source.workflow("Twice", "WEEKLY", "COMPLETED", next, 1);
    source.step("Twice", 1, 2, -1);
    source.workflow("Dangling", "WEEKLY", "COMPLETED", next);
    source.step("Dangling", 1, 1, 99);
    source.workflow("Other_order", "WEEKLY", "COMPLETED", next);
    source.step("Other_order", 1, 1, 3);
    source.step("Other_order", 2, 2, -1);
    source.step("Other_order", 3, 3, 2);
    source.workflow("No_place", "WEEKLY", "COMPLETED", next);
    source.step("No_place", null, 1, -1);
    source.workflow("Other_type", "WEEKLY", "COMPLETED", next, 1);
    source.change("Other_type", "workflowtype = 'SYSTEM'");
    source.workflow("No_type", "WEEKLY", "COMPLETED", next, 1);
    source.change("No_type", "workflowtype = NULL");
    ImportReport report = run();
    assertThat(report.ok()).isFalse();
    assertThat(target().list(null, null, null, 100))
        .extracting(one -> one.sequence().workflowId())
        .containsExactly("Good");
    assertThat(target().get("Good").sequence().tasks())
        .extracting(TaskSequence.Step::task)
        .containsExactly("REPORT_KPI_Execute", "REPORT_KPI_Execute", "REPORT_PDF_Execute");
    Map<String, String> reasons = new HashMap<>();
    report.entries().stream()
        .filter(entry -> entry.outcome() == Outcome.REFUSED)
        .forEach(entry -> reasons.put(entry.id(), entry.what()));
    assertThat(reasons).hasSize(18);
    assertThat(reasons.get("4")).contains("no description");
    assertThat(reasons.get("5 NoClass")).contains("no class");
    assertThat(reasons.get("6 a;b")).contains("name of a task", "a;b");
    assertThat(reasons.get("Empty")).contains("no tasks");
    assertThat(reasons.get("Of_refused")).contains("task 6 was refused");
    assertThat(reasons.get("No_frequency")).contains("scheduletype");
    assertThat(reasons.get("Unknown_frequency")).contains("FORTNIGHTLY", "BI_WEEKLY_SPRINT");
    assertThat(reasons.get("Onetime_without_dates")).contains("start date");
    assertThat(reasons.get("Negative")).contains("nextrun", "seconds since 1970");
    assertThat(reasons.get("Twice")).contains("number 1 twice");
    assertThat(reasons.get("Dangling")).contains("99, which does not exist");
    assertThat(reasons.get("Other_order")).contains("1, 2, 3", "after task 1");
    assertThat(reasons.get("Other_type")).contains("'SYSTEM'", "'Report'");
    assertThat(report.text()).doesNotContain("\u001b").contains("Correct it in the source");
  }

  @Test
  void oddButClearRowsComeInWithANote() throws SQLException {
    source.reportTasks(KPI);
    source.task(11, "REPORT_KPI_Execute", null, "com.example.Other", "Report");
    source.task(12, "Mail_a", "WORKFLOW.MAIL", KPI, "Report");
    source.task(13, "Mail_b", "WORKFLOW.MAIL", KPI, "Report");
    String next = "2026-01-11T00:00:01Z";
    source.workflow("Gap", "WEEKLY", "COMPLETED", next);
    source.step("Gap", 2, 1, 13);
    source.step("Gap", 5, 13, 0);
    source.workflow("Millis", "WEEKLY", "COMPLETED", next, 11, 12);
    source.change("Millis", "nextrun = nextrun * 1000");
    source.workflow("Off_grid", "WEEKLY", "COMPLETED", "2026-01-07T09:00:00Z", 1);
    source.workflow("No_next", "WEEKLY", "COMPLETED", null, 1);
    source.workflow("Lower_case", "weekly", "COMPLETED", next, 1);
    source.change("Lower_case", "workflowtype = 'REPORT', isactive = NULL, reoccurence = NULL");
    source.workflow("Flagged", "WEEKLY", "COMPLETED", next, 1);
    source.change("Flagged", "runimmediate = TRUE");
    ImportReport report = run();
    assertThat(report.ok()).as(report.text()).isTrue();
    assertThat(target().get("Gap").sequence().tasks())
        .extracting(TaskSequence.Step::task)
        .containsExactly("REPORT_KPI_Execute", "Mail_b");
    assertThat(workflow(report, "Gap").notes().toString()).contains("numbered 2, 5", "nexttask");
    assertThat(target().get("Millis").sequence().tasks().getFirst().task())
        .isEqualTo("REPORT_KPI_Execute_11");
    assertThat(target().get("Millis").times().nextRun()).isEqualTo(next);
    assertThat(workflow(report, "Millis").notes().toString()).contains("milliseconds");
    assertThat(target().get("Off_grid").times().nextRun()).isEqualTo(next);
    assertThat(target().get("No_next").times().nextRun()).isNotNull();
    assertThat(target().get("Lower_case").sequence().active()).isFalse();
    assertThat(target().get("Lower_case").sequence().type()).isEqualTo("Report");
    assertThat(workflow(report, "Lower_case").notes()).hasSizeGreaterThanOrEqualTo(3);
    assertThat(target().get("Flagged").flags().immediate()).isTrue();
    assertThat(target().tasks().find("Mail_a").orElseThrow().task().options().sharesChannel())
        .isTrue();
  }

  @Test
  void whatIsThereAndAnotherIsOnlyReplacedWhenAsked() throws SQLException {
    source.reportTasks(KPI);
    source.workflow("Report_1", "WEEKLY", "COMPLETED", "2026-01-11T00:00:01Z", 1, 2);
    Task.Options own = new Task.Options(7, null, null, false, 1, Map.of("k", "v"));
    target()
        .tasks()
        .add(
            Task.of("REPORT_KPI_Execute", "Report")
                .component("com.example.Own")
                .channel("WORKFLOW.TASK.KPI")
                .options(own));
    target()
        .add(
            TaskSequence.of("Report_1", "Report", Schedule.of(Frequency.MONTHLY))
                .task("REPORT_KPI_Execute")
                .parameter("team", "a"));
    List<String> before = targetContent();
    ImportReport first = run();
    Entry task = entry(first, Kind.TASK, "1 REPORT_KPI_Execute");
    assertThat(task.outcome()).isEqualTo(Outcome.DIFFERENT);
    assertThat(task.what()).contains("component is com.example.Own here, " + KPI);
    assertThat(workflow(first, "Report_1").what()).contains("tasks is", "schedule is");
    assertThat(workflow(first, "Report_1").advice()).contains("--replace");
    assertThat(first.ok()).isTrue();
    assertThat(targetContent())
        .containsAll(before.stream().filter(r -> r.contains("sched")).toList());

    ImportReport dry = run(true, true);
    ImportReport replaced = run(false, true);
    assertThat(dry.entries()).isEqualTo(replaced.entries());
    assertThat(workflow(replaced, "Report_1").outcome()).isEqualTo(Outcome.REPLACED);
    Task now = target().tasks().find("REPORT_KPI_Execute").orElseThrow().task();
    assertThat(now.component()).isEqualTo(KPI);
    assertThat(now.options()).isEqualTo(own);
    assertThat(target().get("Report_1").sequence().parameters()).containsEntry("team", "a");
    assertThat(target().get("Report_1").sequence().tasks()).hasSize(2);
    assertThat(run(false, true).entries()).extracting(Entry::outcome).containsOnly(Outcome.EQUAL);
  }

  @Test
  void aChannelThatATaskHereHasForItselfIsNotTaken() throws SQLException {
    source.reportTasks(KPI);
    target().tasks().add(Task.of("Own", "Report").channel("WORKFLOW.TASK.KPI"));
    ImportReport dry = run(true, false);
    ImportReport report = run();
    assertThat(entry(report, Kind.TASK, "1 REPORT_KPI_Execute").what()).contains("'Own'", "share");
    assertThat(dry.entries()).isEqualTo(report.entries());
  }

  @Test
  void aDryRunRefusesTheChannelsThatTheEngineRefuses() throws SQLException {
    source.type("Report");
    source.task(1, "Dotted", "A.B", KPI, "Report");
    source.task(2, "Underlined", "A_B", KPI, "Report");
    source.task(3, "Reserved", "amq.topic", KPI, "Report");
    ImportReport dry = run(true, false);
    ImportReport real = run();
    assertThat(dry.entries()).isEqualTo(real.entries());
    assertThat(entry(real, Kind.TASK, "1 Dotted").outcome()).isEqualTo(Outcome.ADDED);
    assertThat(entry(real, Kind.TASK, "2 Underlined").outcome()).isEqualTo(Outcome.REFUSED);
    assertThat(entry(real, Kind.TASK, "3 Reserved").what()).contains("'amq.'");
  }

  @Test
  void aDryRunRefusesAnotherTypeOfATaskThatAWorkflowHas() throws SQLException {
    source.reportTasks(KPI);
    target().tasks().add(Task.of("REPORT_KPI_Execute", "Other").component(KPI));
    target().tasks().add(Task.of("REPORT_PDF_Execute", "Other").component(KPI));
    target()
        .add(
            TaskSequence.of("Mine", "Other", Schedule.of(Frequency.WEEKLY))
                .task("REPORT_KPI_Execute"));
    ImportReport dry = run(true, true);
    ImportReport real = run(false, true);
    assertThat(dry.entries()).isEqualTo(real.entries());
    assertThat(entry(real, Kind.TASK, "1 REPORT_KPI_Execute").what()).contains("[Mine]");
    assertThat(entry(real, Kind.TASK, "2 REPORT_PDF_Execute").outcome())
        .isEqualTo(Outcome.REPLACED);
  }

  @Test
  void whatPeopleDoAfterwardsStays() throws SQLException {
    source.reportTasks(KPI);
    source.workflow("Report_1", "WEEKLY", "ABORTED", "2026-01-04T00:00:01Z", 1);
    run();
    target().resumeSchedule("Report_1");
    target().runNow("Report_1", Map.of(), BY_ANN);
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
