package io.millrace.sequence;

import static io.millrace.instance.InvalidRequestException.requirePresent;

import io.millrace.definition.WorkflowDefinition;
import io.millrace.instance.ConflictException;
import io.millrace.instance.InvalidRequestException;
import io.millrace.instance.OperatorAction;
import io.millrace.instance.Page;
import io.millrace.instance.StartedInstance;
import io.millrace.schedule.Schedule;
import io.millrace.schedule.Slot;
import io.millrace.store.SequenceStore;
import io.millrace.store.SequenceStore.Fire;
import io.millrace.store.SequenceStore.FireCursor;
import io.millrace.store.SequenceStore.Flags;
import io.millrace.store.SequenceStore.SequenceTimes;
import io.millrace.store.SequenceStore.StoredSequence;
import io.millrace.store.SequenceStore.TaskExecution;
import io.millrace.store.TaskStore.ChangeResult;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Workflows made of tasks, and their schedules: registered, changed, run and looked at, on any
 * node. Thread-safe. Every method throws {@link io.millrace.store.StoreException} when the database
 * does not answer.
 */
public final class SequenceService {

  private static final int TRIES = 20;

  private final SequenceStore store;
  private final TaskService tasks;
  private final CompiledSequenceRegistry shapes;
  private final SequenceMapper sequenceMapper;
  private final BackfillWorkflow backfillWorkflow;
  private final SequenceReader reader;
  private final ManualRunStarter manualRunStarter;
  private final ComponentRegistry componentRegistry;
  private final SequenceHost host;
  private volatile Runnable changed = () -> {};

  SequenceService(
      SequenceStore store,
      TaskService tasks,
      CompiledSequenceRegistry shapes,
      SequenceMapper sequenceMapper,
      FirePlanner firePlanner,
      ComponentRegistry componentRegistry,
      SequenceHost host) {
    this.store = store;
    this.tasks = tasks;
    this.shapes = shapes;
    this.sequenceMapper = sequenceMapper;
    this.backfillWorkflow = new BackfillWorkflow(store, sequenceMapper, firePlanner, host);
    this.reader =
        new SequenceReader(store, tasks, sequenceMapper, new RunnabilityChecker(shapes, host));
    this.manualRunStarter = new ManualRunStarter(store, firePlanner, host);
    this.componentRegistry = componentRegistry;
    this.host = host;
  }

  /** The tasks that workflows can be made of. */
  public TaskService tasks() {
    return tasks;
  }

  /**
   * Adds a workflow.
   *
   * @throws InvalidRequestException when it has no tasks, or a task is unknown or of another type
   * @throws StateConflictException when its id is taken
   */
  public ScheduledSequence add(TaskSequence sequence) {
    CronDiagnostics.log(CronDiagnostics.of(sequence, now()));
    Instant nextRun = ScheduleChange.first(sequence.schedule(), now());
    return insert(row(sequence, 0, ImportedState.NEW.flags(), nextRun, host.executorGroup()));
  }

  /**
   * Adds a workflow that another system has run, to go on from where it stands.
   *
   * @throws InvalidRequestException as {@link #add} does
   */
  public ScheduledSequence importSequence(TaskSequence sequence, ImportedState importedState) {
    StoredSequence row =
        row(sequence, 0, importedState.flags(), importedState.nextRun(), host.executorGroup());
    SequenceTimes sequenceTimes =
        new SequenceTimes(row.times().nextRun(), row.times().due(), importedState.lastRun());
    return insert(
        new StoredSequence(
            row.sequenceId(),
            row.type(),
            row.plan(),
            row.flags(),
            sequenceTimes,
            null,
            row.revision()));
  }

  private ScheduledSequence insert(StoredSequence row) {
    if (!(store.add(row) instanceof ChangeResult.Done)) {
      throw new StateConflictException(
          "There is a workflow '"
              + row.sequenceId()
              + "' already. Take another id, or change the one that is there.");
    }
    wake();
    return registered(row.sequenceId());
  }

  /** A task that was changed at the same time may have been followed before this was there. */
  private ScheduledSequence registered(String workflowId) {
    if (!shapes.isCurrent(reader(workflowId), tasks.list())) {
      recompile(workflowId);
    }
    reader.warn(workflowId);
    return get(workflowId);
  }

  /**
   * Adds a workflow, or changes the one that is there to be like it. From now on it is fired and
   * run by this engine's executor group, whichever had it before.
   */
  public ScheduledSequence save(TaskSequence sequence) {
    for (int tries = 1; ; tries++) {
      boolean missing = store.find(sequence.sequenceId()).isEmpty();
      try {
        return missing ? add(sequence) : update(sequence, null, host.executorGroup());
      } catch (StateConflictException e) {
        // Nodes that start at the same time register the same workflows.
        if (!missing || tries == TRIES) {
          throw e;
        }
      }
    }
  }

  /**
   * Changes a workflow, which stays with its executor group. What runs goes on as it began. Slots
   * that are due wait for their turn under the changed schedule when they are slots of that too,
   * for the same windows. Else that begins anew, as if the workflow were added now, but for what
   * was decided about; what was due before is recorded as missed.
   *
   * @param tag that of the workflow on which the change is based; null to change it whatever it is
   * @throws ConcurrentUpdateException when it has another tag now
   */
  public ScheduledSequence update(TaskSequence sequence, @Nullable String tag) {
    return update(sequence, tag, null);
  }

  private ScheduledSequence update(
      TaskSequence sequence, @Nullable String tag, @Nullable String group) {
    attempt(
        sequence.sequenceId(),
        row -> {
          SequenceEntry entry = reader.entry(row);
          if (tag != null && !tag.equals(entry.tag())) {
            throw new ConcurrentUpdateException("workflow '" + sequence.sequenceId() + "'");
          }
          ScheduledSequence present = entry.sequence();
          Schedule before = present == null ? null : present.sequence().schedule();
          var scheduleChange = ScheduleChange.of(row, before, sequence.schedule(), store, now());
          String owner = group == null ? row.executorGroup() : group;
          StoredSequence changed =
              row(sequence, row.revision(), row.flags(), scheduleChange.nextRun(), owner);
          return store.update(changed, scheduleChange.droppedFires());
        });
    return registered(sequence.sequenceId());
  }

  private StoredSequence row(
      TaskSequence sequence,
      int revision,
      Flags before,
      @Nullable Instant nextRun,
      String executorGroup) {
    List<RegisteredTask> registered = tasks.of(sequence);
    List<Integer> ids = registered.stream().map(RegisteredTask::id).toList();
    CompiledSequence compiledSequence =
        CompiledSequence.of(
            sequence.type(), ids, registered.stream().map(RegisteredTask::task).toList());
    Flags flags =
        new Flags(
            sequence.schedule().recurs(),
            sequence.active(),
            before.immediate(),
            before.restart(),
            before.pausedBy(),
            before.pauseReason());
    return new StoredSequence(
        sequence.sequenceId(),
        sequence.type(),
        new SequenceStore.SequenceSpec(
            sequenceMapper.steps(sequence, ids),
            SequenceMapper.scheduleType(sequence.schedule()),
            sequenceMapper.schedule(sequence.schedule()),
            sequenceMapper.json(sequence.parameters()),
            shapes.register(compiledSequence).version(),
            executorGroup),
        flags,
        new SequenceTimes(nextRun, SequenceMapper.dueOf(flags, nextRun), null),
        null,
        revision);
  }

  /**
   * Removes a workflow.
   *
   * @throws StateConflictException while an execution of it runs
   */
  public void remove(String workflowId) {
    switch (store.remove(workflowId)) {
      case ChangeResult.InUse used ->
          throw new StateConflictException(
              "Workflow '"
                  + workflowId
                  + "' cannot be removed: execution "
                  + used.by()
                  + " has not ended. Cancel it, or wait for its end.");
      case ChangeResult.Missing missing -> throw unknown(workflowId);
      default -> {}
    }
  }

  /**
   * The workflow as it stands; empty when there is none.
   *
   * @throws InvalidRequestException when this node cannot read it; see {@link #reader}
   */
  public Optional<ScheduledSequence> find(String workflowId) {
    return store.find(workflowId).map(row -> reader.view(row, tasks.names()));
  }

  /**
   * The workflow as it stands.
   *
   * @throws UnknownNameException when there is none
   * @throws InvalidRequestException when this node cannot read it; see {@link #reader}
   */
  public ScheduledSequence get(String workflowId) {
    return find(workflowId).orElseThrow(() -> unknown(workflowId));
  }

  /** Workflows by id; see {@link SequenceStore#list}. Those that cannot be read are left out. */
  public List<ScheduledSequence> list(
      @Nullable String type, @Nullable String text, @Nullable String after, int limit) {
    return reader.list(type, text, after, limit).stream()
        .flatMap(entry -> Stream.ofNullable(entry.sequence()))
        .toList();
  }

  /** Workflows as they are stored, also those that this node cannot read. */
  public SequenceReader reader() {
    return reader;
  }

  /** Lets the schedule begin to run, or end. */
  public void activate(String workflowId, boolean active) {
    flag(
        workflowId,
        f ->
            new Flags(
                f.recurs(), active, f.immediate(), f.restart(), f.pausedBy(), f.pauseReason()));
  }

  /** Lets nothing begin until {@link #resumeSchedule}; what runs goes on. */
  public void pause(String workflowId, OperatorAction operatorAction) {
    requirePresent(operatorAction, "The deed, which names actor and reason,");
    flag(
        workflowId,
        f ->
            new Flags(
                f.recurs(),
                f.active(),
                f.immediate(),
                f.restart(),
                operatorAction.actor(),
                operatorAction.reason()));
  }

  /** Ends a pause; slots that were missed meanwhile are dealt with by the misfire policy. */
  public void resumeSchedule(String workflowId) {
    flag(
        workflowId, f -> new Flags(f.recurs(), f.active(), f.immediate(), f.restart(), null, null));
  }

  /**
   * Activates a workflow and has it run at once, before its time; when it runs, as soon as that has
   * ended.
   *
   * @throws StateConflictException when it is aborted
   */
  public void runImmediately(String workflowId) {
    change(
        workflowId,
        row -> {
          if (SequenceStatus.of(row) == SequenceStatus.ABORTED) {
            throw new StateConflictException(
                "Workflow '"
                    + workflowId
                    + "' is ABORTED. Restart it, or resume its failed task, before it is run"
                    + " again.");
          }
          Flags f = row.flags();
          return SequenceMapper.with(
              row, new Flags(f.recurs(), true, true, f.restart(), null, null));
        });
  }

  /**
   * Has an aborted workflow run again from its first task, for the same window.
   *
   * @throws StateConflictException when it is not aborted
   */
  public void restart(String workflowId) {
    change(
        workflowId,
        row -> {
          SequenceStatus status = SequenceStatus.of(row);
          if (!status.mayBecome(SequenceStatus.RESTART)) {
            throw new StateConflictException(
                "Workflow '"
                    + workflowId
                    + "' is "
                    + status
                    + ", expected "
                    + SequenceStatus.ABORTED
                    + " for a restart.");
          }
          Flags f = row.flags();
          return SequenceMapper.with(
              row, new Flags(f.recurs(), true, f.immediate(), true, null, null));
        });
  }

  private void flag(String workflowId, UnaryOperator<Flags> flags) {
    change(workflowId, row -> SequenceMapper.with(row, flags.apply(row.flags())));
  }

  private void change(String workflowId, UnaryOperator<StoredSequence> change) {
    attempt(workflowId, row -> store.update(change.apply(row)));
  }

  /** Repeated when somebody else has changed the row meanwhile, for example by a run. */
  private void attempt(String workflowId, Function<StoredSequence, ChangeResult> change) {
    for (int tries = 0; tries < TRIES; tries++) {
      StoredSequence row = reader(workflowId);
      if (change.apply(row) instanceof ChangeResult.Done) {
        wake();
        return;
      }
    }
    throw new ConcurrentUpdateException("workflow '" + workflowId + "'");
  }

  /**
   * Runs a workflow now, for the last window that is complete, whether it is active or not.
   *
   * @param parameters for this execution
   * @return the execution
   * @throws ConflictException when an execution of it runs
   * @throws StateConflictException when it is to be restarted first, for another window
   */
  public long runNow(
      String workflowId, Map<String, Object> parameters, OperatorAction operatorAction) {
    return runNow(workflowId, parameters, operatorAction, null).id();
  }

  /**
   * The same, once for every key: repeated, it answers with the execution that the first call
   * began, and begins nothing, also while that runs.
   *
   * @param key of this workflow; null for none
   * @throws ConflictException when an execution of it runs that another call began
   */
  public StartedInstance runNow(
      String workflowId,
      Map<String, Object> parameters,
      OperatorAction operatorAction,
      @Nullable String key) {
    Slot slot = FirePlanner.lastSlot(sequenceMapper.schedule(reader(workflowId)), now());
    StartedInstance startedInstance =
        manualRunStarter.run(
            () -> runnable(workflowId),
            slot,
            new ManualRunStarter.RunRequest(operatorAction.summary(), parameters, key));
    wake();
    return startedInstance;
  }

  /**
   * What {@link #backfill} would run; nothing is begun.
   *
   * @param from inclusive
   * @param to exclusive; not after now
   */
  public Backfill previewBackfill(String workflowId, Instant from, Instant to) {
    return backfillWorkflow.plan(reader(workflowId), from, to);
  }

  /**
   * Runs the slots of a time in the past that have no execution, one after another, each for the
   * window that the present schedule gives it. A workflow that is paused or aborted, or runs, lets
   * them wait.
   *
   * @param from inclusive
   * @param to exclusive; not after now
   */
  public Backfill backfill(
      String workflowId, Instant from, Instant to, OperatorAction operatorAction) {
    requirePresent(operatorAction, "The deed, which names actor and reason,");
    StoredSequence row = runnable(workflowId);
    return backfillWorkflow.start(row, backfillWorkflow.plan(row, from, to), operatorAction);
  }

  private StoredSequence reader(String workflowId) {
    return store.find(workflowId).orElseThrow(() -> unknown(workflowId));
  }

  /** With its definition, without which it would be run as the newest one of its type. */
  private StoredSequence runnable(String workflowId) {
    if (reader(workflowId).definitionVersion() == null) {
      recompile(workflowId);
    }
    StoredSequence row = reader(workflowId);
    shapes.requireOwn(row.type());
    return row;
  }

  /** The definition of the instances that backfill. */
  WorkflowDefinition backfillDefinition() {
    return backfillWorkflow.definition();
  }

  /** Why this engine cannot run a task, in words for people; null when it can. */
  public @Nullable String problem(Task task) {
    return componentRegistry.problem(task);
  }

  /** The slots that a schedule has next; see {@link Schedule#slotsAfter}. */
  public List<Slot> next(Schedule schedule, int limit) {
    return schedule.slotsAfter(now(), limit).slots();
  }

  /** Fires of a workflow, newest slot first; see {@link SequenceStore#fires}. */
  public List<Fire> fires(String workflowId, @Nullable FireCursor before, int limit) {
    return store.fires(workflowId, before, limit);
  }

  /** The newest fires of some workflows; see {@link SequenceStore#newestFires}. */
  public List<Fire> newestFires(List<String> workflowIds, int each) {
    return store.newestFires(workflowIds, each);
  }

  /**
   * What workflows that do not rest are to run next, the earliest first; those that this node
   * cannot read are left out.
   */
  public List<UpcomingRun> upcoming(int limit) {
    return reader.upcoming(limit);
  }

  /** True when this node knows workflows of tasks of this type. Asks no database. */
  public boolean hasType(String type) {
    return shapes.hasType(type);
  }

  /** Fires of all workflows with a slot in a time, oldest first, at most {@code limit}. */
  public List<Fire> firesBetween(Instant from, Instant to, int limit) {
    return store.firesBetween(from, to, limit);
  }

  /** Executions of tasks, newest first; of one workflow, or of all. */
  public Page<TaskExecution> history(
      @Nullable String workflowId, @Nullable String cursor, int limit) {
    return store.history(workflowId, cursor, limit);
  }

  /** Gives a workflow the definition that its tasks make as they are now. */
  void recompile(String workflowId) {
    change(workflowId, this::reshaped);
  }

  private StoredSequence reshaped(StoredSequence row) {
    TaskSequence sequence = sequenceMapper.sequence(row, tasks.names());
    return row(sequence, row.revision(), row.flags(), row.times().nextRun(), row.executorGroup());
  }

  void onChange(Runnable listener) {
    changed = listener;
  }

  private void wake() {
    changed.run();
    host.wake();
  }

  private Instant now() {
    return host.runtime().clock().instant();
  }

  static UnknownNameException unknown(String workflowId) {
    return new UnknownNameException(
        "There is no workflow '" + workflowId + "'. Look at the list of workflows.");
  }
}
