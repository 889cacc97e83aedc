package io.millrace.server.api;

import io.millrace.instance.WorkflowInstance;
import io.millrace.schedule.PlannedSlot;
import io.millrace.schedule.ScheduleMapper;
import io.millrace.sequence.RegisteredTask;
import io.millrace.sequence.ScheduledSequence;
import io.millrace.sequence.SequenceEntry;
import io.millrace.sequence.SequenceService;
import io.millrace.sequence.SequenceStatus;
import io.millrace.sequence.Task;
import io.millrace.sequence.TaskSequence;
import io.millrace.server.http.ApiRequest;
import io.millrace.server.http.ApiResponse;
import io.millrace.server.http.Param;
import io.millrace.server.http.StrictJson;
import io.millrace.server.security.Permission;
import io.millrace.store.SequenceStore;
import io.millrace.store.SequenceStore.LastExecution;
import io.millrace.store.SequenceStore.StoredSlotRecord;
import io.millrace.store.SequenceStore.TaskVisit;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The list of task sequences, and the details of one with its slots. */
final class SequenceResource {

  static final Param<String> TEXT = Param.text("text", SequenceJsonParser.ID);

  private static final int SPARKS = 20;
  private static final int NEXT = 5;

  private final ApiContext context;
  private final SequenceService sequenceService;

  SequenceResource(ApiContext context) {
    this.context = context;
    this.sequenceService = context.engine().sequences();
  }

  /** Schema SequencePage. */
  record PageView(List<SequenceView.Summary> items, @Nullable String next) {}

  ApiResponse list(ApiRequest request) {
    int limit = request.get(InstanceResource.LIMIT);
    List<SequenceEntry> found =
        sequenceService
            .reader()
            .list(
                request.find(StatisticsResource.TYPE),
                request.find(TEXT),
                request.find(InstanceResource.CURSOR),
                limit + 1);
    List<SequenceEntry> page = found.stream().limit(limit).toList();
    List<String> ids = page.stream().map(SequenceEntry::sequenceId).toList();
    Map<String, List<SequenceSlotView>> recent = recent(ids);
    return ApiResponse.json(
        new PageView(
            page.stream()
                .map(one ->
                    SequenceView.Summary.of(one, recent.getOrDefault(one.sequenceId(), List.of())))
                .toList(),
            found.size() > limit ? ids.getLast() : null));
  }

  /** Returns the last slots of some sequences, oldest first. */
  private Map<String, List<SequenceSlotView>> recent(List<String> sequenceIds) {
    Map<String, List<SequenceSlotView>> recent = new HashMap<>();
    for (StoredSlotRecord stored : sequenceService.newestSlotRecords(sequenceIds, SPARKS)) {
      recent
          .computeIfAbsent(stored.sequenceId(), id -> new ArrayList<>())
          .addFirst(SequenceSlotView.of(stored));
    }
    return recent;
  }

  ApiResponse get(ApiRequest request) {
    return ApiResponse.json(view(request, id(request)));
  }

  ApiResponse slots(ApiRequest request) {
    String sequenceId = sequenceService.reader().get(id(request)).sequenceId();
    int limit = request.get(InstanceResource.LIMIT);
    return ApiResponse.json(
        SequenceSlotPage.of(
            sequenceService.slotRecords(sequenceId, SequenceSlotPage.from(request), limit + 1),
            limit));
  }

  /** Returns the sequence as the caller may see it. */
  SequenceView view(ApiRequest request, String sequenceId) {
    SequenceEntry entry = sequenceService.reader().get(sequenceId);
    Map<String, Task> tasks = new HashMap<>();
    Map<Integer, String> names = new HashMap<>();
    for (RegisteredTask one : sequenceService.tasks().list()) {
      tasks.put(one.task().name(), one.task());
      names.put(one.id(), one.task().name());
    }
    TaskVisit visit = visit(entry);
    ScheduledSequence readable = entry.sequence();
    TaskSequence sequence = readable == null ? null : readable.sequence();
    return new SequenceView(
        SequenceView.Summary.of(
            entry, recent(List.of(sequenceId)).getOrDefault(sequenceId, List.of())),
        entry.tag(),
        context.origins().apply(sequenceId),
        sequenceTasks(entry, tasks),
        sequence == null ? Map.of() : ScheduleMapper.write(sequence.schedule()),
        sequence == null
            ? json(entry.row().spec().parameters())
            : context.secretNames().mask(StrictJson.write(sequence.parameters())),
        readable == null ? ScheduleExplanationView.none(entry.problem()) : explanation(readable),
        visit == null ? null : names.get(visit.task().taskId()),
        visit == null ? null : visit.task().position(),
        error(entry, visit),
        Permission.OPERATOR.allows(request.caller().role())
            ? AllowedSequenceActions.of(entry, execution(entry))
            : List.of());
  }

  private List<SequenceView.SequenceTask> sequenceTasks(
      SequenceEntry entry, Map<String, Task> tasks) {
    List<SequenceView.SequenceTask> sequenceTasks = new ArrayList<>();
    for (SequenceStore.StoredSequenceTask sequenceTask : entry.row().sequenceTasks()) {
      String name = entry.tasks().get(sequenceTasks.size());
      Task task = tasks.get(name);
      sequenceTasks.add(
          new SequenceView.SequenceTask(
              name,
              sequenceTask.position(),
              task == null ? null : task.channel(),
              json(sequenceTask.parameters())));
    }
    return sequenceTasks;
  }

  private String json(@Nullable String stored) {
    return stored == null ? "{}" : context.secretNames().mask(stored);
  }

  private ScheduleExplanationView explanation(ScheduledSequence scheduled) {
    Instant now = context.clock().instant();
    PlannedSlot planned = scheduled.times().planned();
    Instant next = planned == null ? null : planned.byCurrentRules(scheduled.sequence().schedule());
    ScheduleExplanationView explanation =
        ScheduleExplanationView.of(
            scheduled.sequence().schedule(), next == null || next.isBefore(now) ? now : next, NEXT);
    return next == null ? explanation.ended() : explanation;
  }

  private @Nullable WorkflowInstance execution(SequenceEntry entry) {
    LastExecution last = entry.row().last();
    return last == null ? null : context.client().find(last.executionId()).orElse(null);
  }

  /** Returns the task at which the newest execution is; null if that has been archived. */
  private @Nullable TaskVisit visit(SequenceEntry entry) {
    LastExecution last = entry.row().last();
    return last == null
        ? null
        : sequenceService.history(entry.sequenceId(), null, 1).items().stream()
            .filter(visit -> visit.executionId() == last.executionId())
            .findFirst()
            .orElse(null);
  }

  private static @Nullable String error(SequenceEntry entry, @Nullable TaskVisit visit) {
    LastExecution last = entry.row().last();
    SequenceStatus status = entry.status();
    if (status == SequenceStatus.TASK_INITIALIZE_ERROR) {
      String undelivered = last == null ? null : last.undelivered();
      return undelivered == null ? entry.problem() : undelivered;
    }
    boolean failed = status == SequenceStatus.ERROR || status == SequenceStatus.ABORTED;
    return failed && visit != null ? visit.statusLog() : null;
  }

  /** Returns the id in the path. */
  static String id(ApiRequest request) {
    return request.path("sequenceId", SequenceJsonParser.ID);
  }
}
