package io.millrace.testing;

import io.millrace.instance.InstanceStatus;
import io.millrace.instance.Page;
import io.millrace.sequence.SequenceStatus;
import io.millrace.store.ScheduleStore;
import io.millrace.store.StoreException;
import io.millrace.store.TaskStore.Change;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Workflows and their fires in memory; {@link MemoryFirings} fires, {@link MemoryVisits} tells. */
final class MemorySchedules implements ScheduleStore {

  private static final int MOST_NAMED = 10;

  private final MemoryTables tables;
  private final MemorySequences sequences;
  private final MemoryFirings firings;

  MemorySchedules(MemoryTables tables, MemoryOperators operators) {
    this.tables = tables;
    this.sequences = tables.sequences;
    this.firings = new MemoryFirings(tables, operators);
  }

  @Override
  public Change add(StoredWorkflow workflow) {
    return tables.transaction(now -> {
      if (sequences.workflows.containsKey(workflow.workflowId())) {
        return new Change.Taken(0);
      }
      check(workflow);
      sequences.types.add(workflow.type());
      put(workflow, workflow.times().lastRun(), 1);
      sequences.added.put(workflow.workflowId(), MemoryTimes.truncated(now));
      return new Change.Done(0, 1);
    });
  }

  @Override
  public Change update(StoredWorkflow workflow, List<NewFire> left) {
    return tables.transaction(now -> {
      StoredWorkflow stored = sequences.workflows.get(workflow.workflowId());
      if (stored == null) {
        return new Change.Missing();
      }
      if (stored.revision() != workflow.revision()) {
        return new Change.Stale(stored.revision());
      }
      check(workflow);
      firings.leave(workflow.workflowId(), left, now);
      sequences.types.add(workflow.type());
      put(workflow, stored.times().lastRun(), workflow.revision() + 1);
      return new Change.Done(0, workflow.revision() + 1);
    });
  }

  /** As the keys of a database do. */
  private void check(StoredWorkflow workflow) {
    Set<Integer> places = new HashSet<>();
    for (Step step : workflow.steps()) {
      if (!sequences.tasks.containsKey(step.taskId()) || !places.add(step.sequence())) {
        throw new StoreException(
            "Step "
                + step
                + " of workflow '"
                + workflow.workflowId()
                + "' has a task that is not there, or the place of another step.",
            true,
            null);
      }
    }
  }

  private void put(StoredWorkflow workflow, @Nullable Instant lastRun, int revision) {
    Plan plan = workflow.plan();
    Flags flags = workflow.flags();
    Times times = workflow.times();
    sequences.workflows.put(
        workflow.workflowId(),
        new StoredWorkflow(
            workflow.workflowId(),
            workflow.type(),
            new Plan(
                workflow.steps().stream().sorted(Comparator.comparingInt(Step::sequence)).toList(),
                plan.scheduleType(),
                plan.schedule(),
                plan.parameters(),
                plan.shape(),
                plan.executorGroup()),
            new Flags(
                flags.recurs(),
                flags.active(),
                flags.immediate(),
                flags.restart(),
                flags.pausedBy(),
                MemoryText.reason(flags.pauseReason())),
            new Times(
                MemoryTimes.kept(times.nextRun()),
                MemoryTimes.kept(times.due()),
                MemoryTimes.kept(lastRun)),
            null,
            revision));
  }

  @Override
  public Change remove(String workflowId) {
    return tables.transaction(now -> {
      StoredWorkflow stored = sequences.workflows.get(workflowId);
      if (stored == null) {
        return new Change.Missing();
      }
      List<Fire> fires = firesOf(workflowId).toList();
      List<String> open =
          fires.stream()
              .map(Fire::executionId)
              .filter(Objects::nonNull)
              .filter(id -> !hasEnded(id))
              .sorted()
              .limit(MOST_NAMED)
              .map(String::valueOf)
              .toList();
      if (!open.isEmpty()) {
        return new Change.InUse(open);
      }
      fires.stream()
          .map(Fire::executionId)
          .filter(Objects::nonNull)
          .map(tables.rows::get)
          .filter(Objects::nonNull)
          .forEach(tables::forgetExternalId);
      fires.forEach(sequences::remove);
      sequences.newest.remove(workflowId);
      sequences.workflows.remove(workflowId);
      sequences.added.remove(workflowId);
      return new Change.Done(0, stored.revision());
    });
  }

  private boolean hasEnded(long executionId) {
    MemoryRow row = tables.rows.get(executionId);
    return row == null || row.ended != null;
  }

  @Override
  public Optional<StoredWorkflow> find(String workflowId) {
    return tables.transaction(
        now -> Optional.ofNullable(sequences.workflows.get(workflowId)).map(firings::withLast));
  }

  @Override
  public Optional<Instant> added(String workflowId) {
    return tables.transaction(now -> Optional.ofNullable(sequences.added.get(workflowId)));
  }

  @Override
  public List<StoredWorkflow> list(
      @Nullable String type, @Nullable String text, @Nullable String after, int limit) {
    String part = text == null ? "" : text.toLowerCase(Locale.ROOT);
    return tables.transaction(now ->
        sequences.workflows.values().stream()
            .filter(workflow -> type == null || workflow.type().equals(type))
            .filter(workflow -> after == null || workflow.workflowId().compareTo(after) > 0)
            .filter(workflow -> workflow.workflowId().toLowerCase(Locale.ROOT).contains(part))
            .limit(limit)
            .map(firings::withLast)
            .toList());
  }

  @Override
  public List<StoredWorkflow> withTask(int taskId, @Nullable String after, int limit) {
    return tables.transaction(now ->
        sequences.workflows.values().stream()
            .filter(workflow -> after == null || workflow.workflowId().compareTo(after) > 0)
            .filter(workflow -> workflow.steps().stream().anyMatch(s -> s.taskId() == taskId))
            .limit(limit)
            .map(firings::withLast)
            .toList());
  }

  @Override
  public Fired fire(String executorGroup, int limit, Planner planner) {
    return tables.transaction(now -> firings.fire(executorGroup, limit, planner, now));
  }

  @Override
  public FireResult fire(Firing firing) {
    return tables.transaction(now -> firings.fire(firing, now));
  }

  @Override
  public int settle(int limit) {
    return tables.transaction(now -> {
      List<Fire> ended =
          sequences.fires.values().stream()
              .filter(fire -> fire.ended() == null)
              .filter(fire -> fire.executionId() != null && hasEnded(fire.executionId()))
              .limit(limit)
              .toList();
      ended.forEach(fire -> settle(fire, now));
      return ended.size();
    });
  }

  private void settle(Fire fire, Instant now) {
    long executionId = Objects.requireNonNull(fire.executionId());
    MemoryRow row = tables.rows.get(executionId);
    Instant end = row == null || row.ended == null ? now : row.ended;
    InstanceStatus result = row == null ? InstanceStatus.CANCELLED : row.status;
    sequences.settle(fire, end, result);
    StoredWorkflow workflow = sequences.workflows.get(fire.workflowId());
    if (workflow != null
        && Long.valueOf(executionId).equals(sequences.newest.get(fire.workflowId()))) {
      Times times = workflow.times();
      Instant due = dueAfter(workflow, result, now);
      sequences.workflows.put(
          workflow.workflowId(),
          MemoryFirings.with(
              workflow, workflow.flags(), new Times(times.nextRun(), due, end), workflow.shape()));
    }
  }

  private static @Nullable Instant dueAfter(
      StoredWorkflow workflow, InstanceStatus result, Instant now) {
    Flags flags = workflow.flags();
    Times times = workflow.times();
    if (!flags.active() || flags.pausedBy() != null) {
      return times.due();
    }
    if (flags.immediate() || flags.restart()) {
      return earlier(times.due(), now);
    }
    return result == InstanceStatus.FINISHED ? earlier(times.due(), times.nextRun()) : times.due();
  }

  private static @Nullable Instant earlier(@Nullable Instant due, @Nullable Instant nextRun) {
    return due == null || (nextRun != null && nextRun.isBefore(due)) ? nextRun : due;
  }

  @Override
  public Optional<Instant> nextDue(String executorGroup) {
    return tables.transaction(now ->
        sequences.workflows.values().stream()
            .filter(workflow -> workflow.executorGroup().equals(executorGroup))
            .map(workflow -> workflow.times().due())
            .filter(Objects::nonNull)
            .min(Comparator.naturalOrder()));
  }

  @Override
  public List<Fire> fires(String workflowId, @Nullable FireKey before, int limit) {
    return tables.transaction(now ->
        firesOf(workflowId)
            .filter(fire -> before == null || isBehind(fire, before))
            .sorted(bySlot().reversed())
            .limit(limit)
            .toList());
  }

  @Override
  public List<Fire> newestFires(List<String> workflowIds, int each) {
    return tables.transaction(now ->
        workflowIds.stream()
            .flatMap(id -> firesOf(id).sorted(bySlot().reversed()).limit(each))
            .toList());
  }

  @Override
  public List<NextRun> nextRuns(int limit) {
    return tables.transaction(now ->
        sequences.workflows.values().stream()
            .filter(workflow -> workflow.flags().active() && workflow.flags().pausedBy() == null)
            .filter(workflow -> workflow.times().nextRun() != null)
            .filter(
                workflow -> SequenceStatus.of(firings.withLast(workflow)) != SequenceStatus.ABORTED)
            .map(MemorySchedules::nextRun)
            .sorted(Comparator.comparing(NextRun::at).thenComparing(NextRun::workflowId))
            .limit(limit)
            .toList());
  }

  private static NextRun nextRun(StoredWorkflow workflow) {
    return new NextRun(
        workflow.workflowId(),
        workflow.plan().schedule(),
        Objects.requireNonNull(workflow.times().nextRun()));
  }

  @Override
  public List<Fire> firesBetween(Instant from, Instant to, int limit) {
    return tables.transaction(now ->
        sequences.fires.values().stream()
            .filter(fire -> !fire.fire().slot().isBefore(from) && fire.fire().slot().isBefore(to))
            .sorted(bySlot())
            .limit(limit)
            .toList());
  }

  private Stream<Fire> firesOf(String workflowId) {
    return sequences.fires.values().stream().filter(fire -> fire.workflowId().equals(workflowId));
  }

  private static boolean isBehind(Fire fire, FireKey place) {
    int slots = fire.fire().slot().compareTo(place.slot());
    return slots < 0 || (slots == 0 && fire.id() < place.fireId());
  }

  private static Comparator<Fire> bySlot() {
    return Comparator.<Fire, Instant>comparing(fire -> fire.fire().slot())
        .thenComparingLong(Fire::id);
  }

  @Override
  public Page<TaskExecution> history(
      @Nullable String workflowId, @Nullable String cursor, int limit) {
    return tables.transaction(now -> MemoryVisits.page(tables, workflowId, cursor, limit));
  }
}
