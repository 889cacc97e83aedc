package io.millrace.server.api;

import io.millrace.instance.WorkflowInstance;
import io.millrace.report.ReportComponent;
import io.millrace.report.store.ReportFile;
import io.millrace.report.store.StoredReport;
import io.millrace.sequence.RegisteredTask;
import io.millrace.sequence.ScheduledSequence;
import io.millrace.sequence.SequenceStatus;
import io.millrace.sequence.Task;
import io.millrace.sequence.TaskSequence.Step;
import io.millrace.server.http.Answer;
import io.millrace.server.http.Call;
import io.millrace.server.http.ProblemException;
import io.millrace.server.report.Reports;
import io.millrace.server.security.Permission;
import io.millrace.store.ScheduleStore.LastExecution;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The workflows that make reports, and the PDFs that they have made. */
final class ReportFiles {

  private static final Duration AGE = Duration.ofSeconds(1);
  private static final int PAGE = 500;
  private static final int MOST = 1_000;

  private final Sources sources;
  private final Reports reports;
  private final Cached<List<ReportView>> all;

  ReportFiles(Sources sources, Reports reports) {
    this.sources = sources;
    this.reports = reports;
    this.all = new Cached<>(sources.clock(), AGE, this::load);
  }

  /** Schema Report. */
  record ReportView(
      String workflowId,
      String report,
      String title,
      String words,
      SequenceStatus status,
      boolean active,
      @Nullable String pausedBy,
      @Nullable String pauseReason,
      boolean executionPaused,
      @Nullable Instant nextRun,
      @Nullable Instant lastRun,
      @Nullable Long executionId,
      @Nullable String fileName,
      @Nullable Instant created,
      @Nullable Long size,
      List<String> actions) {

    ReportView withoutActions() {
      return new ReportView(
          workflowId,
          report,
          title,
          words,
          status,
          active,
          pausedBy,
          pauseReason,
          executionPaused,
          nextRun,
          lastRun,
          executionId,
          fileName,
          created,
          size,
          List.of());
    }
  }

  Answer list(Call call) {
    boolean operates = Permission.OPERATOR.allows(call.caller().role());
    return Answer.json(
        operates ? all.get() : all.get().stream().map(ReportView::withoutActions).toList());
  }

  private List<ReportView> load() {
    Map<String, ReportFile> newest = new HashMap<>();
    reports.newestOfEach().forEach(file -> newest.put(file.workflowId(), file));
    Map<String, String> titles = reports.titles();
    Set<String> makers = makers();
    List<ReportView> found = new ArrayList<>();
    @Nullable String after = null;
    List<ScheduledSequence> page;
    do {
      page = sources.engine().sequences().list(null, null, after, PAGE);
      for (ScheduledSequence one : page) {
        after = one.sequence().workflowId();
        List<Step> steps = steps(one, makers);
        if (!steps.isEmpty()) {
          found.add(view(one, report(one, steps), newest.get(after), titles));
        }
      }
    } while (page.size() == PAGE && found.size() < MOST);
    return List.copyOf(found.subList(0, Math.min(found.size(), MOST)));
  }

  /** The names of the tasks that make PDFs, whatever they are called. */
  private Set<String> makers() {
    return sources.engine().sequences().tasks().list().stream()
        .map(RegisteredTask::task)
        .filter(task -> task.component().equals(ReportComponent.PDF))
        .map(Task::name)
        .collect(Collectors.toSet());
  }

  private static List<Step> steps(ScheduledSequence one, Set<String> makers) {
    return one.sequence().tasks().stream().filter(step -> makers.contains(step.task())).toList();
  }

  private ReportView view(
      ScheduledSequence one,
      String report,
      @Nullable ReportFile newest,
      Map<String, String> titles) {
    String known = newest == null ? report : newest.title();
    return new ReportView(
        one.sequence().workflowId(),
        report,
        titles.getOrDefault(report, known),
        one.sequence().schedule().words(),
        one.status(),
        one.flags().active(),
        one.flags().pausedBy(),
        one.flags().pauseReason(),
        SequenceView.Summary.isPaused(one.last()),
        one.times().nextRun(),
        one.times().lastRun(),
        newest == null ? null : newest.executionId(),
        newest == null ? null : newest.fileName(),
        newest == null ? null : newest.createdAt(),
        newest == null ? null : newest.size(),
        SequenceActions.possible(one, execution(one)));
  }

  /** Only that of an aborted workflow says what can be done. */
  private @Nullable WorkflowInstance execution(ScheduledSequence one) {
    LastExecution last = one.last();
    return last == null || one.status() != SequenceStatus.ABORTED
        ? null
        : sources.client().find(last.executionId()).orElse(null);
  }

  /** The parameter of the task, or else of the workflow; empty for none. */
  private static String report(ScheduledSequence one, List<Step> steps) {
    Object ofTask =
        steps.stream()
            .map(step -> step.parameters().get(ReportComponent.REPORT))
            .filter(Objects::nonNull)
            .findFirst()
            .orElse(null);
    Object name = ofTask == null ? one.sequence().parameters().get(ReportComponent.REPORT) : ofTask;
    return Objects.toString(name, "");
  }

  Answer download(Call call) {
    long id = call.id();
    StoredReport report =
        reports
            .find(id)
            .orElseThrow(() ->
                ProblemException.notFound(
                    "Execution " + id + " has made no PDF, or there is no such execution."));
    // Whoever wrote the definition of a report does not write headers.
    String name = report.fileName().replaceAll("[^A-Za-z0-9._-]", "_");
    return new Answer.Stream(
        "application/pdf",
        Map.of("Content-Disposition", "attachment; filename=\"" + name + "\""),
        out -> out.write(report.content()),
        () -> {});
  }
}
