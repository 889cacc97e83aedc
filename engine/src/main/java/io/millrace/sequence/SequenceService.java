package io.millrace.sequence;

import static io.millrace.instance.InvalidRequestException.requirePresent;

import io.millrace.definition.WorkflowDefinition;
import io.millrace.extension.EngineServices;
import io.millrace.instance.ConflictException;
import io.millrace.instance.InvalidRequestException;
import io.millrace.instance.OperatorAction;
import io.millrace.instance.Page;
import io.millrace.instance.StartedInstance;
import io.millrace.schedule.PlannedSlot;
import io.millrace.schedule.Schedule;
import io.millrace.schedule.Slot;
import io.millrace.store.SequenceStore;
import io.millrace.store.SequenceStore.Flags;
import io.millrace.store.SequenceStore.SequenceTimes;
import io.millrace.store.SequenceStore.SlotRecordCursor;
import io.millrace.store.SequenceStore.StoredSequence;
import io.millrace.store.SequenceStore.StoredSlotRecord;
import io.millrace.store.SequenceStore.TaskVisit;
import io.millrace.store.TaskStore.ChangeResult;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Registers, changes, runs and shows sequences of tasks and their schedules, on any node.
 * Thread-safe. Every method throws {@link io.millrace.store.StoreException} if the database does
 * not answer.
 */
public final class SequenceService {

  private static final int TRIES = 20;

  private final SequenceStore store;
  private final TaskService tasks;
  private final CompiledSequenceRegistry compiledSequences;
  private final SequenceMapper mapper;
  private final BackfillWorkflow backfillWorkflow;
  private final SequenceReader reader;
  private final ManualRunStarter manualRunStarter;
  private final ComponentRegistry components;
  private final EngineServices services;
  private volatile Runnable changed = () -> {};

  SequenceService(
      SequenceStore store,
      TaskService tasks,
      CompiledSequenceRegistry compiledSequences,
      SequenceMapper mapper,
      FirePlanner firePlanner,
      ComponentRegistry components,
      EngineServices services) {
    this.store = store;
    this.tasks = tasks;
    this.compiledSequences = compiledSequences;
    this.mapper = mapper;
    this.backfillWorkflow = new BackfillWorkflow(store, mapper, firePlanner, services);
    this.reader =
        new SequenceReader(
            store, tasks, mapper, new RunnabilityChecker(compiledSequences, services));
    this.manualRunStarter = new ManualRunStarter(store, firePlanner, services);
    this.components = components;
    this.services = services;
  }

  public TaskService tasks() {
    return tasks;
  }

  /**
   * Adds a task sequence.
   *
   * @throws InvalidRequestException if it has no tasks, or a task is unknown or of another type, or
   *     the input of its executions would be too large
   * @throws ConflictException if its id exists
   */
  public ScheduledSequence add(TaskSequence sequence) {
    mapper.requireStorable(sequence);
    CronDiagnostics.log(CronDiagnostics.of(sequence, now()));
    PlannedSlot nextRun =
        ScheduleChange.planned(
            sequence.schedule(), ScheduleChange.first(sequence.schedule(), now()));
    return insert(row(sequence, 0, ImportedState.NEW.flags(), nextRun, services.executorGroup()));
  }

  /**
   * Adds a task sequence of another system, with its state there.
   *
   * @throws InvalidRequestException as {@link #add} does
   */
  public ScheduledSequence importSequence(TaskSequence sequence, ImportedState importedState) {
    mapper.requireStorable(sequence);
    StoredSequence row =
        row(sequence, 0, importedState.flags(), importedState.planned(), services.executorGroup());
    SequenceTimes times =
        new SequenceTimes(row.times().nextRun(), row.times().due(), importedState.lastEnded());
    return insert(
        new StoredSequence(
            row.sequenceId(), row.type(), row.spec(), row.flags(), times, null, row.revision()));
  }

  private ScheduledSequence insert(StoredSequence row) {
    if (!(store.add(row) instanceof ChangeResult.Done)) {
      throw new ConflictException(
          "There is a sequence '"
              + row.sequenceId()
              + "' already. Take another id, or change the one that is there.");
    }
    wake();
    return registered(row.sequenceId());
  }

  /** Returns the added sequence, recompiled if a task was changed before the sequence existed. */
  private ScheduledSequence registered(String sequenceId) {
    if (!compiledSequences.isCurrent(load(sequenceId), tasks.list())) {
      recompile(sequenceId);
    }
    reader.warn(sequenceId);
    return get(sequenceId);
  }

  /**
   * Adds a sequence, or updates the existing one to match. From now on this engine's executor group
   * fires and runs it, whichever had it before.
   */
  public ScheduledSequence save(TaskSequence sequence) {
    for (int tries = 1; ; tries++) {
      boolean missing = store.find(sequence.sequenceId()).isEmpty();
      try {
        return missing ? add(sequence) : update(sequence, null, services.executorGroup());
      } catch (ConflictException e) {
        // Nodes that start at the same time register the same sequences.
        if (!missing || tries == TRIES) {
          throw e;
        }
      }
    }
  }

  /**
   * Changes a sequence, which stays with its executor group. A running execution goes on unchanged.
   * Due slots stay due if they are slots of the changed schedule too, with the same data windows.
   * Otherwise the schedule restarts as if the sequence were added now, without slots that were
   * decided; slots that were due before are recorded as missed.
   *
   * @param tag of the sequence on which the change is based; null to change it in any case
   * @throws ConcurrentUpdateException if it has another tag now
   */
  public ScheduledSequence update(TaskSequence sequence, @Nullable String tag) {
    return update(sequence, tag, null);
  }

  private ScheduledSequence update(
      TaskSequence sequence, @Nullable String tag, @Nullable String group) {
    mapper.requireStorable(sequence);
    attempt(
        sequence.sequenceId(),
        row -> {
          SequenceEntry entry = reader.entry(row);
          if (tag != null && !tag.equals(entry.tag())) {
            throw new ConcurrentUpdateException("sequence '" + sequence.sequenceId() + "'");
          }
          ScheduledSequence present = entry.sequence();
          Schedule before = present == null ? null : present.sequence().schedule();
          var change = ScheduleChange.of(row, before, sequence.schedule(), store, now());
          String owner = group == null ? row.executorGroup() : group;
          StoredSequence changed =
              row(sequence, row.revision(), row.flags(), change.nextRun(), owner);
          return store.update(changed, change.droppedSlots());
        });
    return registered(sequence.sequenceId());
  }

  private StoredSequence row(
      TaskSequence sequence,
      int revision,
      Flags before,
      @Nullable PlannedSlot nextRun,
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
            before.runRequested(),
            before.restart(),
            before.requestedBy(),
            before.pausedBy(),
            before.pauseReason());
    return new StoredSequence(
        sequence.sequenceId(),
        sequence.type(),
        new SequenceStore.SequenceSpec(
            mapper.sequenceTasks(sequence, ids),
            SequenceMapper.scheduleType(sequence.schedule()),
            mapper.schedule(sequence.schedule()),
            mapper.json(sequence.parameters()),
            compiledSequences.register(compiledSequence).version(),
            executorGroup),
        flags,
        times(flags, nextRun),
        null,
        revision);
  }

  private SequenceTimes times(Flags flags, @Nullable PlannedSlot nextRun) {
    Instant at = nextRun == null ? null : nextRun.at();
    ZoneOffset offset = nextRun == null ? null : nextRun.offset();
    return new SequenceTimes(
        at, offset, SequenceMapper.dueOf(flags, at, services::databaseTime), null);
  }

  /**
   * Removes a sequence.
   *
   * @throws ConflictException while an execution of it runs
   */
  public void remove(String sequenceId) {
    switch (store.remove(sequenceId)) {
      case ChangeResult.InUse used ->
          throw new ConflictException(
              "Sequence '"
                  + sequenceId
                  + "' cannot be removed: execution "
                  + used.by()
                  + " has not ended. Cancel it, or wait for its end.");
      case ChangeResult.Missing missing -> throw unknown(sequenceId);
      default -> {}
    }
  }

  /**
   * Returns the sequence with its current state; empty if there is none.
   *
   * @throws InvalidRequestException if this node cannot read it; see {@link #reader}
   */
  public Optional<ScheduledSequence> find(String sequenceId) {
    return store.find(sequenceId).map(row -> reader.view(row, tasks.names()));
  }

  /**
   * Returns the sequence with its current state.
   *
   * @throws UnknownNameException if there is none
   * @throws InvalidRequestException if this node cannot read it; see {@link #reader}
   */
  public ScheduledSequence get(String sequenceId) {
    return find(sequenceId).orElseThrow(() -> unknown(sequenceId));
  }

  /** Returns sequences by id, without unreadable ones; see {@link SequenceStore#list}. */
  public List<ScheduledSequence> list(
      @Nullable String type, @Nullable String text, @Nullable String after, int limit) {
    return reader.list(type, text, after, limit).stream()
        .flatMap(entry -> Stream.ofNullable(entry.sequence()))
        .toList();
  }

  /** Returns a reader that also shows sequences that this node cannot read. */
  public SequenceReader reader() {
    return reader;
  }

  /** Activates or deactivates the schedule. */
  public void activate(String sequenceId, boolean active) {
    flag(
        sequenceId,
        f ->
            new Flags(
                f.recurs(),
                active,
                f.runRequested(),
                f.restart(),
                f.requestedBy(),
                f.pausedBy(),
                f.pauseReason()));
  }

  /** Pauses the schedule until {@link #resumeSchedule}; a running execution continues. */
  public void pause(String sequenceId, OperatorAction action) {
    requirePresent(action, "The operator action, which names actor and reason,");
    flag(
        sequenceId,
        f ->
            new Flags(
                f.recurs(),
                f.active(),
                f.runRequested(),
                f.restart(),
                f.requestedBy(),
                action.actor(),
                action.reason()));
  }

  /** Ends a pause; the misfire policy decides about slots missed in the meantime. */
  public void resumeSchedule(String sequenceId) {
    flag(
        sequenceId,
        f ->
            new Flags(
                f.recurs(),
                f.active(),
                f.runRequested(),
                f.restart(),
                f.requestedBy(),
                null,
                null));
  }

  /**
   * Requests a run before the next slot, which starts at once or when a running execution has
   * ended. Activates the sequence and ends a pause.
   *
   * @throws ConflictException if it is aborted
   */
  public void requestRun(String sequenceId, OperatorAction action) {
    requirePresent(action, "The operator action, which names actor and reason,");
    change(
        sequenceId,
        row -> {
          if (SequenceStatus.of(row) == SequenceStatus.ABORTED) {
            throw new ConflictException(
                "Sequence '"
                    + sequenceId
                    + "' is ABORTED. Restart it, or resume its failed task, before it is run"
                    + " again.");
          }
          Flags f = row.flags();
          return SequenceMapper.with(
              row,
              new Flags(f.recurs(), true, true, f.restart(), action.actor(), null, null),
              services::databaseTime);
        });
  }

  /**
   * Restarts an aborted sequence from its first task, for the same data window.
   *
   * @throws ConflictException when it is not aborted
   */
  public void restart(String sequenceId, OperatorAction action) {
    requirePresent(action, "The operator action, which names actor and reason,");
    change(
        sequenceId,
        row -> {
          SequenceStatus status = SequenceStatus.of(row);
          if (!status.mayBecome(SequenceStatus.RESTART)) {
            throw new ConflictException(
                "Sequence '"
                    + sequenceId
                    + "' is "
                    + status
                    + ", expected "
                    + SequenceStatus.ABORTED
                    + " for a restart.");
          }
          Flags f = row.flags();
          return SequenceMapper.with(
              row,
              new Flags(f.recurs(), true, f.runRequested(), true, action.actor(), null, null),
              services::databaseTime);
        });
  }

  private void flag(String sequenceId, UnaryOperator<Flags> flags) {
    change(
        sequenceId,
        row -> SequenceMapper.with(row, flags.apply(row.flags()), services::databaseTime));
  }

  private void change(String sequenceId, UnaryOperator<StoredSequence> change) {
    attempt(sequenceId, row -> store.update(change.apply(row)));
  }

  private void attempt(String sequenceId, Function<StoredSequence, ChangeResult> change) {
    for (int tries = 0; tries < TRIES; tries++) {
      StoredSequence row = load(sequenceId);
      if (change.apply(row) instanceof ChangeResult.Done) {
        wake();
        return;
      }
    }
    throw new ConcurrentUpdateException("sequence '" + sequenceId + "'");
  }

  /**
   * Starts a manual run of a sequence, for the last complete data window, whether it is active or
   * not.
   *
   * @param parameters for this execution
   * @return the execution
   * @throws ConflictException if an execution of it runs, or it must be restarted first, for
   *     another data window
   */
  public long run(String sequenceId, Map<String, Object> parameters, OperatorAction action) {
    return run(sequenceId, parameters, action, null).id();
  }

  /**
   * Starts a manual run once per key: a repeated call returns the execution of the first one and
   * starts nothing.
   *
   * @param key of this sequence; null for none
   * @throws ConflictException if an execution of it runs that another call started
   */
  public StartedInstance run(
      String sequenceId,
      Map<String, Object> parameters,
      OperatorAction action,
      @Nullable String key) {
    Slot slot = FirePlanner.lastSlot(mapper.schedule(load(sequenceId)), now());
    StartedInstance startedInstance =
        manualRunStarter.run(
            () -> runnable(sequenceId),
            slot,
            new ManualRunStarter.ManualRun(action, parameters, key));
    wake();
    return startedInstance;
  }

  /**
   * Returns what {@link #backfill} would run; starts nothing.
   *
   * @param from inclusive
   * @param to exclusive; not after now
   */
  public Backfill previewBackfill(String sequenceId, Instant from, Instant to) {
    return backfillWorkflow.plan(load(sequenceId), from, to);
  }

  /**
   * Runs the past slots without an execution one by one; they wait while the sequence is busy.
   *
   * @param from inclusive
   * @param to exclusive; not after now
   */
  public Backfill backfill(String sequenceId, Instant from, Instant to, OperatorAction action) {
    requirePresent(action, "The operator action, which names actor and reason,");
    StoredSequence row = runnable(sequenceId);
    return backfillWorkflow.start(row, backfillWorkflow.plan(row, from, to), action);
  }

  private StoredSequence load(String sequenceId) {
    return store.find(sequenceId).orElseThrow(() -> unknown(sequenceId));
  }

  /** Returns the sequence with its definition; without one the type's newest version would run. */
  private StoredSequence runnable(String sequenceId) {
    if (load(sequenceId).definitionVersion() == null) {
      recompile(sequenceId);
    }
    StoredSequence row = load(sequenceId);
    compiledSequences.requireTypeOfSequences(row.type());
    return row;
  }

  WorkflowDefinition backfillDefinition() {
    return backfillWorkflow.definition();
  }

  /** Returns why this engine cannot run a task, or null if it can. */
  public @Nullable String problem(Task task) {
    return components.problem(task);
  }

  /** Returns the next slots of a schedule; see {@link Schedule#slotsAfter}. */
  public List<Slot> next(Schedule schedule, int limit) {
    return schedule.slotsAfter(now(), limit).slots();
  }

  /**
   * Returns the slot records of a sequence, newest slot first; see {@link
   * SequenceStore#slotRecords}.
   */
  public List<StoredSlotRecord> slotRecords(
      String sequenceId, @Nullable SlotRecordCursor before, int limit) {
    return store.slotRecords(sequenceId, before, limit);
  }

  /** Returns the newest slot records of sequences; see {@link SequenceStore#newestSlotRecords}. */
  public List<StoredSlotRecord> newestSlotRecords(List<String> sequenceIds, int each) {
    return store.newestSlotRecords(sequenceIds, each);
  }

  /**
   * Returns the next runs of active sequences, earliest first, without sequences that this node
   * cannot read.
   */
  public List<UpcomingRun> upcoming(int limit) {
    return reader.upcoming(limit);
  }

  /** Returns true if this node knows sequences of this type; reads no database. */
  public boolean hasType(String type) {
    return compiledSequences.hasType(type);
  }

  /** Returns up to {@code limit} slot records of a range of time, oldest first. */
  public List<StoredSlotRecord> slotRecordsBetween(Instant from, Instant to, int limit) {
    return store.slotRecordsBetween(from, to, limit);
  }

  /** Returns visits of tasks by executions of one sequence, or of all; newest first. */
  public Page<TaskVisit> history(@Nullable String sequenceId, @Nullable String cursor, int limit) {
    return store.history(sequenceId, cursor, limit);
  }

  /**
   * Deletes slot records that were decided longer ago than {@code age} and have no instance any
   * more, also not in the archive, for applications that do so by themselves instead of by the
   * settings. The newest execution of a sequence stays known. Returns the number of records; call
   * again until it returns 0.
   */
  public int deleteSlotRecords(Duration age, int limit) {
    return store.deleteSlotRecords(age, limit);
  }

  /** Compiles a sequence from its current tasks. */
  void recompile(String sequenceId) {
    change(sequenceId, this::recompiled);
  }

  private StoredSequence recompiled(StoredSequence row) {
    TaskSequence sequence = mapper.sequence(row, tasks.names());
    return row(sequence, row.revision(), row.flags(), row.times().planned(), row.executorGroup());
  }

  void onChange(Runnable listener) {
    changed = listener;
  }

  private void wake() {
    changed.run();
    services.poll();
  }

  private Instant now() {
    return services.runtime().clock().instant();
  }

  static UnknownNameException unknown(String sequenceId) {
    return new UnknownNameException(
        "There is no sequence '" + sequenceId + "'. Look at the list of sequences.");
  }
}
