package io.millrace.imports;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.imports.ImportEntry.Kind;
import io.millrace.imports.ImportEntry.Outcome;
import io.millrace.schedule.Frequency;
import io.millrace.schedule.Schedule;
import io.millrace.sequence.Task;
import io.millrace.sequence.TaskSequence;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Contract tests of rows that are invalid or unusual in the source, or that conflict with what the
 * target has.
 */
abstract class HostileRowsContract extends ImportContract {

  HostileRowsContract(boolean postgres) {
    super(postgres);
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
    source.sequenceTask("Twice", 1, 2, -1);
    source.workflow("Dangling", "WEEKLY", "COMPLETED", next);
    source.sequenceTask("Dangling", 1, 1, 99);
    source.workflow("Other_order", "WEEKLY", "COMPLETED", next);
    source.sequenceTask("Other_order", 1, 1, 3);
    source.sequenceTask("Other_order", 2, 2, -1);
    source.sequenceTask("Other_order", 3, 3, 2);
    source.workflow("No_place", "WEEKLY", "COMPLETED", next);
    source.sequenceTask("No_place", null, 1, -1);
    source.workflow("Other_type", "WEEKLY", "COMPLETED", next, 1);
    source.change("Other_type", "workflowtype = 'SYSTEM'");
    source.workflow("No_type", "WEEKLY", "COMPLETED", next, 1);
    source.change("No_type", "workflowtype = NULL");
    ImportReport report = run();
    assertThat(report.ok()).isFalse();
    assertThat(target().list(null, null, null, 100))
        .extracting(one -> one.sequence().sequenceId())
        .containsExactly("Good");
    assertThat(target().get("Good").sequence().tasks())
        .extracting(TaskSequence.SequenceTask::task)
        .containsExactly("REPORT_KPI_Execute", "REPORT_KPI_Execute", "REPORT_PDF_Execute");
    Map<String, String> reasons = new HashMap<>();
    report.entries().stream()
        .filter(importEntry -> importEntry.outcome() == Outcome.REFUSED)
        .forEach(importEntry -> reasons.put(importEntry.id(), importEntry.what()));
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
    source.sequenceTask("Gap", 2, 1, 13);
    source.sequenceTask("Gap", 5, 13, 0);
    source.workflow("Millis", "WEEKLY", "COMPLETED", next, 11, 12);
    source.change("Millis", "nextrun = nextrun * 1000");
    source.workflow("Off_grid", "WEEKLY", "COMPLETED", "2026-01-07T09:00:00Z", 1);
    source.workflow("No_next", "WEEKLY", "COMPLETED", null, 1);
    source.workflow("Lower_case", "weekly", "COMPLETED", next, 1);
    source.change("Lower_case", "workflowtype = 'REPORT', isactive = NULL, reoccurence = NULL");
    source.type("Team Report");
    source.task(14, "Blank", null, KPI, "Team Report");
    source.workflow("Blanks", "WEEKLY", "COMPLETED", next, 14);
    source.change("Blanks", "workflowtype = 'Team Report'");
    source.workflow("Flagged", "WEEKLY", "COMPLETED", next, 1);
    source.change("Flagged", "runimmediate = TRUE");
    ImportReport report = run();
    assertThat(report.ok()).as(report.text()).isTrue();
    assertThat(target().get("Gap").sequence().tasks())
        .extracting(TaskSequence.SequenceTask::task)
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
    assertThat(target().get("Blanks").sequence().type()).isEqualTo("Team_Report");
    assertThat(workflow(report, "Blanks").notes().toString()).contains("Team Report");
    assertThat(target().get("Flagged").flags().runRequested()).isTrue();
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
    ImportEntry task = entry(first, Kind.TASK, "1 REPORT_KPI_Execute");
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
    assertThat(run(false, true).entries())
        .extracting(ImportEntry::outcome)
        .containsOnly(Outcome.EQUAL);
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
}
