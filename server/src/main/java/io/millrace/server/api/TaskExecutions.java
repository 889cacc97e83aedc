package io.millrace.server.api;

import io.millrace.WorkflowClient;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.Page;
import io.millrace.instance.WorkflowInstance;
import io.millrace.sequence.Sequences;
import io.millrace.sequence.TaskMessage;
import io.millrace.server.http.Answer;
import io.millrace.server.http.Call;
import io.millrace.server.http.Param;
import io.millrace.store.ScheduleStore.TaskExecution;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The execution history of tasks. */
final class TaskExecutions {

  static final Param<String> WORKFLOW = Param.text("workflowId", SequenceBodies.ID);

  private final WorkflowClient client;
  private final Sequences sequences;

  TaskExecutions(Sources sources) {
    this.client = sources.client();
    this.sequences = sources.engine().sequences();
  }

  /** Schema TaskExecutionPage. */
  record PageView(List<VisitView> items, @Nullable String next) {}

  /** Schema TaskExecution. */
  record VisitView(
      long executionId,
      String workflowId,
      String task,
      int sequence,
      String status,
      boolean paused,
      Instant started,
      @Nullable Instant ended,
      int retries,
      @Nullable String log,
      String requestMessage) {

    static VisitView of(TaskExecution visit, boolean paused, Map<Integer, String> names) {
      int task = visit.place().taskId();
      return new VisitView(
          visit.executionId(),
          visit.workflowId(),
          names.getOrDefault(task, "task " + task),
          visit.place().sequence(),
          visit.status(),
          paused,
          visit.span().started(),
          visit.span().ended(),
          visit.retries(),
          visit.statusLog(),
          message(visit).json());
    }

    private static TaskMessage message(TaskExecution visit) {
      return new TaskMessage(
          visit.executionId(),
          visit.workflowId(),
          visit.place().taskId(),
          visit.place().nextTask(),
          visit.place().sequence(),
          visit.retries() > 0);
    }
  }

  Answer list(Call call) {
    Page<TaskExecution> page =
        sequences.history(
            call.find(WORKFLOW), call.find(Instances.CURSOR), call.get(Instances.LIMIT));
    Map<Integer, String> names =
        sequences.tasks().list().stream()
            .collect(Collectors.toMap(one -> one.id(), one -> one.task().name()));
    Set<Long> paused = paused(page.items());
    return Answer.json(
        new PageView(
            page.items().stream()
                .map(visit ->
                    VisitView.of(
                        visit, isOpen(visit) && paused.contains(visit.executionId()), names))
                .toList(),
            page.next()));
  }

  private static boolean isOpen(TaskExecution visit) {
    return visit.span().ended() == null;
  }

  /** The executions that are paused; few of a page are open. */
  private Set<Long> paused(List<TaskExecution> visits) {
    return visits.stream()
        .filter(TaskExecutions::isOpen)
        .map(TaskExecution::executionId)
        .distinct()
        .filter(id ->
            client.find(id).map(WorkflowInstance::status).orElse(null) == InstanceStatus.PAUSED)
        .collect(Collectors.toSet());
  }
}
