package io.millrace.testing;

import io.millrace.instance.Deed;
import io.millrace.schedule.DataWindow;
import io.millrace.store.DeedCommand;
import io.millrace.store.NewInstance;
import io.millrace.store.OperatorStore.DeedResult;
import io.millrace.store.ScheduleStore.Cancel;
import io.millrace.store.ScheduleStore.Fire;
import io.millrace.store.ScheduleStore.FireResult;
import io.millrace.store.ScheduleStore.Fired;
import io.millrace.store.ScheduleStore.Firing;
import io.millrace.store.ScheduleStore.Flags;
import io.millrace.store.ScheduleStore.NewFire;
import io.millrace.store.ScheduleStore.Plan;
import io.millrace.store.ScheduleStore.Planner;
import io.millrace.store.ScheduleStore.StoredWorkflow;
import io.millrace.store.ScheduleStore.Times;
import io.millrace.store.StartResult;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Writes what becomes of slots. Used only under the lock of {@link MemoryTables}. */
final class MemoryFirings {

  private static final Duration PUT_OFF = Duration.ofSeconds(10);
  private static final String ACTOR = "schedule";

  private final MemoryTables tables;
  private final MemorySequences sequences;
  private final MemoryOperators operators;

  /**
   * What came of a firing.
   *
   * @param made the execution that was made; null for none
   * @param existing the execution that had been made before for the same slot; null for none
   * @param idle true when an execution was wanted, and the slot has one already
   */
  private record Written(@Nullable Long made, @Nullable Long existing, boolean idle) {}

  MemoryFirings(MemoryTables tables, MemoryOperators operators) {
    this.tables = tables;
    this.sequences = tables.sequences;
    this.operators = operators;
  }

  /** The workflow with the facts of its newest execution. */
  StoredWorkflow withLast(StoredWorkflow workflow) {
    Long id = sequences.newest.get(workflow.workflowId());
    Fire fire = id == null ? null : sequences.fireOf(id);
    if (id == null || fire == null) {
      return workflow;
    }
    return new StoredWorkflow(
        workflow.workflowId(),
        workflow.type(),
        workflow.plan(),
        workflow.flags(),
        workflow.times(),
        sequences.facts(fire, id, tables.rows.get(id), tables),
        workflow.revision());
  }

  /** The workflow's next revision. */
  static StoredWorkflow with(
      StoredWorkflow before, Flags flags, Times times, @Nullable Integer shape) {
    return new StoredWorkflow(
        before.workflowId(),
        before.type(),
        new Plan(
            before.steps(),
            before.plan().scheduleType(),
            before.plan().schedule(),
            before.plan().parameters(),
            shape,
            before.executorGroup()),
        flags,
        times,
        null,
        before.revision() + 1);
  }

  Fired fire(String executorGroup, int limit, Planner planner, Instant now) {
    List<StoredWorkflow> due =
        sequences.workflows.values().stream()
            .filter(workflow -> workflow.executorGroup().equals(executorGroup))
            .filter(workflow -> workflow.times().due() != null)
            .filter(workflow -> !Objects.requireNonNull(workflow.times().due()).isAfter(now))
            .sorted(
                Comparator.<StoredWorkflow, Instant>comparing(
                        workflow -> Objects.requireNonNull(workflow.times().due()))
                    .thenComparing(StoredWorkflow::workflowId))
            .limit(limit)
            .map(this::withLast)
            .toList();
    if (due.isEmpty()) {
      return new Fired(0, Map.of(), List.of());
    }
    List<Firing> firings = planner.plan(now, due);
    Map<String, Integer> left = new HashMap<>();
    due.forEach(workflow -> left.put(workflow.workflowId(), workflow.revision()));
    for (Firing firing : firings) {
      firing.own();
      Integer revision = left.remove(firing.workflowId());
      if (revision == null || revision != firing.revision()) {
        throw new IllegalArgumentException(
            "The planner fires workflow '"
                + firing.workflowId()
                + "' of revision "
                + firing.revision()
                + ", expected at most one firing for each workflow that it was asked about, of the"
                + " revision that it was given.");
      }
    }
    Map<String, Long> executions = new HashMap<>();
    List<Long> cancelled = new ArrayList<>();
    for (Firing firing : firings) {
      Written written = write(firing, now);
      if (written.made != null) {
        executions.put(firing.workflowId(), written.made);
      }
      if (!written.idle) {
        cancel(firing, cancelled);
      }
    }
    left.keySet().forEach(id -> putOff(id, now));
    return new Fired(due.size(), executions, cancelled);
  }

  private void putOff(String workflowId, Instant now) {
    StoredWorkflow workflow = Objects.requireNonNull(sequences.workflows.get(workflowId));
    Times times =
        new Times(workflow.times().nextRun(), now.plus(PUT_OFF), workflow.times().lastRun());
    StoredWorkflow later = with(workflow, workflow.flags(), times, workflow.shape());
    sequences.workflows.put(
        workflowId,
        new StoredWorkflow(
            later.workflowId(),
            later.type(),
            later.plan(),
            later.flags(),
            later.times(),
            null,
            workflow.revision()));
  }

  FireResult fire(Firing firing, Instant now) {
    StoredWorkflow workflow = sequences.workflows.get(firing.workflowId());
    if (workflow == null) {
      return new FireResult.Missing();
    }
    Long fired = fired(firing);
    if (fired != null) {
      return new FireResult.Duplicate(fired);
    }
    if (workflow.revision() != firing.revision()) {
      return new FireResult.Stale(workflow.revision());
    }
    Written written = write(firing, now);
    if (!written.idle) {
      cancel(firing, new ArrayList<>());
    }
    return written.existing == null
        ? new FireResult.Written(written.made, firing.revision() + 1)
        : new FireResult.Duplicate(written.existing);
  }

  /** The execution of a slot that has been fired; null when it has not been. */
  private @Nullable Long fired(Firing firing) {
    NewFire own = firing.own();
    return own == null
        ? null
        : executions(firing.workflowId(), own)
            .filter(fire -> own.isSame(fire.fire().attempt(), fire.fire().window()))
            .findFirst()
            .map(Fire::executionId)
            .orElse(null);
  }

  /** What may stand in the way of a fire. */
  private Stream<Fire> executions(String workflowId, NewFire own) {
    return sequences.fires.values().stream()
        .filter(fire -> fire.executionId() != null)
        .filter(fire -> fire.workflowId().equals(workflowId))
        .filter(fire -> fire.fire().slot().equals(MemoryTimes.kept(own.slot())))
        .filter(fire ->
            own.attempt() == 0
                ? fire.fire().attempt() <= 0
                : own.attempt() == fire.fire().attempt());
  }

  /** Under another number when the slot has an execution for another window. */
  private Firing numbered(Firing firing) {
    NewFire own = firing.own();
    return own != null && executions(firing.workflowId(), own).findAny().isPresent()
        ? firing.renumbered()
        : firing;
  }

  /** Writes what became of slots of a workflow that is not fired. */
  void leave(String workflowId, List<NewFire> fires, Instant now) {
    if (fires.stream().anyMatch(NewFire::isFired)) {
      throw new IllegalArgumentException(
          "A change of workflow '"
              + workflowId
              + "' fires a slot, expected only such as are left.");
    }
    fires.forEach(fire -> put(workflowId, fire, null, now));
  }

  private void put(String workflowId, NewFire fire, @Nullable Long executionId, Instant now) {
    sequences.put(
        new Fire(sequences.nextFire(), workflowId, now, kept(fire), executionId, null, null));
  }

  private Written write(Firing planned, Instant now) {
    Long existing = fired(planned);
    Firing firing = existing == null ? numbered(planned) : planned;
    Long made = null;
    Long linked = null;
    NewInstance execution = firing.execution();
    if (execution != null && existing == null) {
      StartResult result = tables.start(execution, now);
      if (result instanceof StartResult.Created) {
        made = result.id();
      } else {
        existing = result.id();
      }
      linked = made != null || sequences.fireOf(result.id()) == null ? result.id() : null;
    }
    for (NewFire fire : firing.fires()) {
      if (!fire.isFired() || linked != null) {
        put(firing.workflowId(), fire, fire.isFired() ? linked : null, now);
      }
    }
    StoredWorkflow before = Objects.requireNonNull(sequences.workflows.get(firing.workflowId()));
    Flags flags = before.flags();
    boolean idle = execution != null && linked == null;
    boolean wanted = idle && (flags.immediate() || flags.restart());
    sequences.workflows.put(
        firing.workflowId(),
        with(
            before,
            new Flags(
                flags.recurs(),
                flags.active(),
                idle ? flags.immediate() : firing.after().immediate(),
                idle ? flags.restart() : firing.after().restart(),
                flags.pausedBy(),
                flags.pauseReason()),
            new Times(
                MemoryTimes.kept(firing.after().times().nextRun()),
                wanted ? now : MemoryTimes.kept(firing.after().times().due()),
                before.times().lastRun()),
            firing.after().shape()));
    if (linked != null) {
      sequences.newest.put(firing.workflowId(), linked);
    }
    return new Written(made, existing, idle);
  }

  private static NewFire kept(NewFire fire) {
    return new NewFire(
        kept(fire.slot()),
        fire.window() == null
            ? null
            : new DataWindow(kept(fire.window().from()), kept(fire.window().to())),
        fire.outcome(),
        fire.trigger(),
        fire.attempt(),
        MemoryText.reason(fire.reason()),
        fire.count());
  }

  private static Instant kept(Instant time) {
    return Objects.requireNonNull(MemoryTimes.kept(time));
  }

  private void cancel(Firing firing, List<Long> cancelled) {
    Cancel cancel = firing.cancel();
    if (cancel != null) {
      Deed deed = new Deed(ACTOR, MemoryText.reason(cancel.why()));
      if (operators.apply(cancel.executionId(), new DeedCommand.Cancel(), deed)
          instanceof DeedResult.Applied) {
        cancelled.add(cancel.executionId());
      }
    }
  }
}
