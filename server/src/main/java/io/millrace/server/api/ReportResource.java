package io.millrace.server.api;

import io.millrace.instance.WorkflowInstance;
import io.millrace.report.ReportComponent;
import io.millrace.report.store.ReportFile;
import io.millrace.report.store.StoredReport;
import io.millrace.sequence.RegisteredTask;
import io.millrace.sequence.ScheduledSequence;
import io.millrace.sequence.SequenceEntry;
import io.millrace.sequence.SequenceStatus;
import io.millrace.sequence.Task;
import io.millrace.sequence.TaskSequence.SequenceTask;
import io.millrace.server.http.ApiRequest;
import io.millrace.server.http.ApiResponse;
import io.millrace.server.http.Param;
import io.millrace.server.http.ProblemException;
import io.millrace.server.report.ReportService;
import io.millrace.server.security.Permission;
import io.millrace.store.SequenceStore.LastExecution;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The sequences that create reports, and their PDFs. */
final class ReportResource {

  private static final Duration AGE = Duration.ofSeconds(1);
  private static final int MAX = 1_000;

  static final Param<String> REPORT = Param.text("report", 100);

  private final ApiContext context;
  private final ReportService reportService;
  private final CachedSupplier<List<ReportTemplateModel>> all;

  ReportResource(ApiContext context, ReportService reportService) {
    this.context = context;
    this.reportService = reportService;
    this.all = new CachedSupplier<>(context.clock(), AGE, this::load);
  }

  /** Schema Report. */
  record ReportTemplateModel(
      String sequenceId,
      String report,
      String title,
      String words,
      SequenceStatus status,
      boolean active,
      @Nullable String pausedBy,
      @Nullable String pauseReason,
      boolean executionPaused,
      @Nullable Instant nextRun,
      @Nullable Instant lastEnded,
      @Nullable Long executionId,
      @Nullable String fileName,
      @Nullable Instant created,
      @Nullable Long size,
      List<FileView> files,
      List<String> actions) {

    ReportTemplateModel withoutActions() {
      return new ReportTemplateModel(
          sequenceId,
          report,
          title,
          words,
          status,
          active,
          pausedBy,
          pauseReason,
          executionPaused,
          nextRun,
          lastEnded,
          executionId,
          fileName,
          created,
          size,
          files,
          List.of());
    }
  }

  /** Schema ReportFile. */
  record FileView(String report, String title, String fileName, Instant created, long size) {

    static FileView of(ReportFile file) {
      return new FileView(
          file.report(), file.title(), file.fileName(), file.createdAt(), file.size());
    }
  }

  ApiResponse list(ApiRequest request) {
    boolean operates = Permission.OPERATOR.allows(request.caller().role());
    return ApiResponse.json(
        operates
            ? all.get()
            : all.get().stream().map(ReportTemplateModel::withoutActions).toList());
  }

  private List<ReportTemplateModel> load() {
    Map<String, List<ReportFile>> newest =
        reportService.newestOfEach().stream()
            .collect(Collectors.groupingBy(ReportFile::sequenceId));
    Map<String, String> titles = reportService.titles();
    Map<String, Task> makers = new HashMap<>();
    Map<String, SequenceEntry> entries = new TreeMap<>();
    for (RegisteredTask maker : makers()) {
      makers.put(maker.task().name(), maker.task());
      context
          .engine()
          .sequences()
          .reader()
          .withTask(maker.id(), null, MAX)
          .forEach(entry -> entries.put(entry.sequenceId(), entry));
    }
    List<ReportTemplateModel> found = new ArrayList<>();
    for (SequenceEntry entry : entries.values()) {
      ScheduledSequence one = entry.sequence();
      if (one != null && found.size() < MAX) {
        List<String> names = names(one, sequenceTasks(one, makers), makers);
        List<ReportFile> files = newest.getOrDefault(entry.sequenceId(), List.of());
        found.add(view(entry, one, names, files, titles));
      }
    }
    return List.copyOf(found);
  }

  /** Returns the tasks that create PDFs, whatever their names are. */
  private List<RegisteredTask> makers() {
    return context.engine().sequences().tasks().list().stream()
        .filter(one -> one.task().component().equals(ReportComponent.PDF))
        .toList();
  }

  private static List<SequenceTask> sequenceTasks(ScheduledSequence one, Map<String, Task> makers) {
    return one.sequence().tasks().stream()
        .filter(sequenceTask -> makers.containsKey(sequenceTask.task()))
        .toList();
  }

  private ReportTemplateModel view(
      SequenceEntry entry,
      ScheduledSequence one,
      List<String> names,
      List<ReportFile> files,
      Map<String, String> titles) {
    ReportFile newest = files.isEmpty() ? null : files.getLast();
    return new ReportTemplateModel(
        one.sequence().sequenceId(),
        names.getFirst(),
        names.stream()
            .map(name -> titles.getOrDefault(name, title(name, files)))
            .collect(Collectors.joining(", ")),
        one.sequence().schedule().describe(),
        one.status(),
        one.flags().active(),
        one.flags().pausedBy(),
        one.flags().pauseReason(),
        SequenceView.Summary.isPaused(one.last()),
        one.times().nextRun(),
        one.times().lastEnded(),
        newest == null ? null : newest.executionId(),
        newest == null ? null : newest.fileName(),
        newest == null ? null : newest.createdAt(),
        newest == null ? null : newest.size(),
        files.stream().map(FileView::of).toList(),
        AllowedSequenceActions.of(entry, execution(one)));
  }

  /**
   * Returns the newest execution of an aborted sequence, since only that one affects the allowed
   * actions; null otherwise.
   */
  private @Nullable WorkflowInstance execution(ScheduledSequence one) {
    LastExecution last = one.last();
    return last == null || one.status() != SequenceStatus.ABORTED
        ? null
        : context.client().find(last.executionId()).orElse(null);
  }

  /**
   * Returns the title of a report that is no longer defined, as it was when the PDF was created.
   */
  private static String title(String name, List<ReportFile> files) {
    return files.stream()
        .filter(file -> file.report().equals(name))
        .map(ReportFile::title)
        .findFirst()
        .orElse(name);
  }

  /** Returns the reports that the sequence creates, in order; an empty name where none is given. */
  private static List<String> names(
      ScheduledSequence one, List<SequenceTask> sequenceTasks, Map<String, Task> makers) {
    return sequenceTasks.stream()
        .map(sequenceTask -> name(one, sequenceTask, makers))
        .distinct()
        .toList();
  }

  /**
   * Returns the report of a task as it will see it: a parameter of the sequence overrides that of
   * the task.
   */
  private static String name(
      ScheduledSequence one, SequenceTask sequenceTask, Map<String, Task> makers) {
    Task task = makers.get(sequenceTask.task());
    return Stream.of(
            one.sequence().parameters(),
            sequenceTask.parameters(),
            task == null ? Map.<String, Object>of() : task.options().parameters())
        .map(parameters -> parameters.get(ReportComponent.REPORT))
        .filter(Objects::nonNull)
        .findFirst()
        .map(Object::toString)
        .orElse("");
  }

  ApiResponse download(ApiRequest request) {
    long id = request.id();
    String wanted = request.find(REPORT);
    StoredReport report =
        reportService
            .find(id, wanted)
            .orElseThrow(() ->
                ProblemException.notFound(
                    "Execution "
                        + id
                        + " has made no PDF"
                        + (wanted == null ? "" : " of the report '" + wanted + "'")
                        + ", or there is no such execution."));
    // The author of a report definition must not be able to add headers.
    String name = report.fileName().replaceAll("[^A-Za-z0-9._-]", "_");
    return new ApiResponse.Stream(
        "application/pdf",
        Map.of("Content-Disposition", "attachment; filename=\"" + name + "\""),
        out -> out.write(report.content()),
        () -> {});
  }
}
