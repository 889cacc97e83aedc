package io.millrace.server.api;

import io.millrace.instance.WorkflowInstance;
import io.millrace.schedule.ScheduleSpec;
import io.millrace.sequence.RegisteredTask;
import io.millrace.sequence.ScheduledSequence;
import io.millrace.sequence.SequenceEntry;
import io.millrace.sequence.SequenceStatus;
import io.millrace.sequence.Sequences;
import io.millrace.sequence.Task;
import io.millrace.sequence.TaskSequence;
import io.millrace.server.http.Answer;
import io.millrace.server.http.Call;
import io.millrace.server.http.Json;
import io.millrace.server.http.Param;
import io.millrace.server.security.Permission;
import io.millrace.store.ScheduleStore;
import io.millrace.store.ScheduleStore.Fire;
import io.millrace.store.ScheduleStore.LastExecution;
import io.millrace.store.ScheduleStore.TaskExecution;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Lists workflows made of tasks, and shows one with what became of its slots. */
final class SequencePages {

  static final Param<String> TEXT = Param.text("text", SequenceBodies.ID);

  private static final int SPARKS = 20;
  private static final int NEXT = 5;

  private final Sources sources;
  private final Sequences sequences;

  SequencePages(Sources sources) {
    this.sources = sources;
    this.sequences = sources.engine().sequences();
  }

  /** Schema SequencePage. */
  record PageView(List<SequenceView.Summary> items, @Nullable String next) {}

  Answer list(Call call) {
    int limit = call.get(Instances.LIMIT);
    List<SequenceEntry> found =
        sequences
            .stored()
            .list(
                call.find(Statistics.TYPE),
                call.find(TEXT),
                call.find(Instances.CURSOR),
                limit + 1);
    List<SequenceEntry> page = found.stream().limit(limit).toList();
    List<String> ids = page.stream().map(SequenceEntry::workflowId).toList();
    Map<String, List<FireView>> recent = recent(ids);
    return Answer.json(
        new PageView(
            page.stream()
                .map(one ->
                    SequenceView.Summary.of(one, recent.getOrDefault(one.workflowId(), List.of())))
                .toList(),
            found.size() > limit ? ids.getLast() : null));
  }

  /** The last fires of some workflows, oldest first. */
  private Map<String, List<FireView>> recent(List<String> workflowIds) {
    Map<String, List<FireView>> recent = new HashMap<>();
    for (Fire fire : sequences.newestFires(workflowIds, SPARKS)) {
      recent
          .computeIfAbsent(fire.workflowId(), id -> new ArrayList<>())
          .addFirst(FireView.of(fire));
    }
    return recent;
  }

  Answer get(Call call) {
    return Answer.json(view(call, id(call)));
  }

  Answer fires(Call call) {
    String workflowId = sequences.stored().get(id(call)).workflowId();
    int limit = call.get(Instances.LIMIT);
    return Answer.json(
        FirePage.of(sequences.fires(workflowId, FirePage.from(call), limit + 1), limit));
  }

  /** The workflow as the caller sees it. */
  SequenceView view(Call call, String workflowId) {
    SequenceEntry entry = sequences.stored().get(workflowId);
    Map<String, Task> tasks = new HashMap<>();
    Map<Integer, String> names = new HashMap<>();
    for (RegisteredTask one : sequences.tasks().list()) {
      tasks.put(one.task().name(), one.task());
      names.put(one.id(), one.task().name());
    }
    TaskExecution visit = visit(entry);
    ScheduledSequence readable = entry.sequence();
    TaskSequence sequence = readable == null ? null : readable.sequence();
    return new SequenceView(
        SequenceView.Summary.of(
            entry, recent(List.of(workflowId)).getOrDefault(workflowId, List.of())),
        entry.tag(),
        sources.origins().apply(workflowId),
        steps(entry, tasks),
        sequence == null ? Map.of() : ScheduleSpec.write(sequence.schedule()),
        sequence == null
            ? json(entry.row().plan().parameters())
            : sources.secretNames().mask(Json.write(sequence.parameters())),
        readable == null ? ExplanationView.none(entry.problem()) : explanation(readable),
        visit == null ? null : names.get(visit.place().taskId()),
        visit == null ? null : visit.place().sequence(),
        error(entry, visit),
        Permission.OPERATOR.allows(call.caller().role())
            ? SequenceActions.possible(entry, execution(entry))
            : List.of());
  }

  private List<SequenceView.Step> steps(SequenceEntry entry, Map<String, Task> tasks) {
    List<SequenceView.Step> steps = new ArrayList<>();
    for (ScheduleStore.Step step : entry.row().steps()) {
      String name = entry.tasks().get(steps.size());
      Task task = tasks.get(name);
      steps.add(
          new SequenceView.Step(
              name,
              step.sequence(),
              task == null ? null : task.channel(),
              json(step.parameters())));
    }
    return steps;
  }

  private String json(@Nullable String stored) {
    return stored == null ? "{}" : sources.secretNames().mask(stored);
  }

  private ExplanationView explanation(ScheduledSequence scheduled) {
    Instant now = sources.clock().instant();
    Instant next = scheduled.times().nextRun();
    ExplanationView explanation =
        ExplanationView.of(
            scheduled.sequence().schedule(), next == null || next.isBefore(now) ? now : next, NEXT);
    return next == null ? explanation.ended() : explanation;
  }

  private @Nullable WorkflowInstance execution(SequenceEntry entry) {
    LastExecution last = entry.row().last();
    return last == null ? null : sources.client().find(last.executionId()).orElse(null);
  }

  /** The task in which its newest execution is; null when that has been archived. */
  private @Nullable TaskExecution visit(SequenceEntry entry) {
    LastExecution last = entry.row().last();
    return last == null
        ? null
        : sequences.history(entry.workflowId(), null, 1).items().stream()
            .filter(visit -> visit.executionId() == last.executionId())
            .findFirst()
            .orElse(null);
  }

  private static @Nullable String error(SequenceEntry entry, @Nullable TaskExecution visit) {
    LastExecution last = entry.row().last();
    SequenceStatus status = entry.status();
    if (status == SequenceStatus.TASK_INITIALIZE_ERROR) {
      String undelivered = last == null ? null : last.undelivered();
      return undelivered == null ? entry.problem() : undelivered;
    }
    boolean failed = status == SequenceStatus.ERROR || status == SequenceStatus.ABORTED;
    return failed && visit != null ? visit.statusLog() : null;
  }

  /** The id in the path. */
  static String id(Call call) {
    return call.path("workflowId", SequenceBodies.ID);
  }
}
