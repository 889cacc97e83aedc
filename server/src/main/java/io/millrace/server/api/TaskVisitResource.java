package io.millrace.server.api;

import io.millrace.WorkflowClient;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.Page;
import io.millrace.instance.WorkflowInstance;
import io.millrace.sequence.SequenceService;
import io.millrace.sequence.TaskMessage;
import io.millrace.server.http.ApiRequest;
import io.millrace.server.http.ApiResponse;
import io.millrace.server.http.Param;
import io.millrace.store.SequenceStore.TaskVisit;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The visits of tasks by executions. */
final class TaskVisitResource {

  static final Param<String> WORKFLOW = Param.text("sequenceId", SequenceJsonParser.ID);

  private final WorkflowClient client;
  private final SequenceService sequenceService;

  TaskVisitResource(ApiContext context) {
    this.client = context.client();
    this.sequenceService = context.engine().sequences();
  }

  /** Schema TaskVisitPage. */
  record PageView(List<TaskVisitView> items, @Nullable String next) {}

  /** Schema TaskVisit. */
  record TaskVisitView(
      long executionId,
      String sequenceId,
      String task,
      int position,
      String status,
      boolean paused,
      Instant started,
      @Nullable Instant ended,
      int retries,
      @Nullable String log,
      String requestMessage) {

    static TaskVisitView of(TaskVisit visit, boolean paused, Map<Integer, String> names) {
      int task = visit.task().taskId();
      return new TaskVisitView(
          visit.executionId(),
          visit.sequenceId(),
          names.getOrDefault(task, "task " + task),
          visit.task().position(),
          visit.status(),
          paused,
          visit.times().started(),
          visit.times().ended(),
          visit.retries(),
          visit.statusLog(),
          message(visit).json());
    }

    private static TaskMessage message(TaskVisit visit) {
      return new TaskMessage(
          visit.executionId(),
          visit.sequenceId(),
          visit.task().taskId(),
          visit.task().nextTask(),
          visit.task().position(),
          visit.retries() > 0);
    }
  }

  ApiResponse list(ApiRequest request) {
    Page<TaskVisit> page =
        sequenceService.history(
            request.find(WORKFLOW),
            request.find(InstanceResource.CURSOR),
            request.get(InstanceResource.LIMIT));
    Map<Integer, String> names =
        sequenceService.tasks().list().stream()
            .collect(Collectors.toMap(one -> one.id(), one -> one.task().name()));
    Set<Long> paused = paused(page.items());
    return ApiResponse.json(
        new PageView(
            page.items().stream()
                .map(visit ->
                    TaskVisitView.of(
                        visit, isOpen(visit) && paused.contains(visit.executionId()), names))
                .toList(),
            page.next()));
  }

  private static boolean isOpen(TaskVisit visit) {
    return visit.times().ended() == null;
  }

  /** Returns the executions that are paused; only a few of a page are open. */
  private Set<Long> paused(List<TaskVisit> visits) {
    return visits.stream()
        .filter(TaskVisitResource::isOpen)
        .map(TaskVisit::executionId)
        .distinct()
        .filter(id ->
            client.find(id).map(WorkflowInstance::status).orElse(null) == InstanceStatus.PAUSED)
        .collect(Collectors.toSet());
  }
}
