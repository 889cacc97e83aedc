package io.millrace.sequence;

import static io.millrace.instance.InvalidRequestException.given;

import io.millrace.definition.WorkflowDefinition;
import io.millrace.instance.ConflictException;
import io.millrace.instance.Deed;
import io.millrace.instance.InvalidRequestException;
import io.millrace.instance.Page;
import io.millrace.instance.Started;
import io.millrace.schedule.Schedule;
import io.millrace.schedule.Slot;
import io.millrace.store.ScheduleStore;
import io.millrace.store.ScheduleStore.Fire;
import io.millrace.store.ScheduleStore.FireKey;
import io.millrace.store.ScheduleStore.Flags;
import io.millrace.store.ScheduleStore.StoredWorkflow;
import io.millrace.store.ScheduleStore.TaskExecution;
import io.millrace.store.ScheduleStore.Times;
import io.millrace.store.TaskStore.Change;
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
public final class Sequences {

  private static final int TRIES = 20;

  private final ScheduleStore store;
  private final TaskBook tasks;
  private final ShapeRegistry shapes;
  private final Rows rows;
  private final Backfills backfills;
  private final StoredSequences stored;
  private final Runs runs;
  private final Components components;
  private final SequenceHost host;
  private volatile Runnable changed = () -> {};

  Sequences(
      ScheduleStore store,
      TaskBook tasks,
      ShapeRegistry shapes,
      Rows rows,
      Firings firings,
      Components components,
      SequenceHost host) {
    this.store = store;
    this.tasks = tasks;
    this.shapes = shapes;
    this.rows = rows;
    this.backfills = new Backfills(store, rows, firings, host);
    this.stored = new StoredSequences(store, tasks, rows, new RunChecks(shapes, host));
    this.runs = new Runs(store, firings, host);
    this.components = components;
    this.host = host;
  }

  /** The tasks that workflows can be made of. */
  public TaskBook tasks() {
    return tasks;
  }

  /**
   * Adds a workflow.
   *
   * @throws InvalidRequestException when it has no tasks, or a task is unknown or of another type
   * @throws RefusedException when its id is taken
   */
  public ScheduledSequence add(TaskSequence sequence) {
    CronNotes.log(CronNotes.of(sequence, now()));
    Instant nextRun = Beginning.first(sequence.schedule(), now());
    return insert(row(sequence, 0, Standing.NEW.flags(), nextRun, host.executorGroup()));
  }

  /**
   * Adds a workflow that another system has run, to go on from where it stands.
   *
   * @throws InvalidRequestException as {@link #add} does
   */
  public ScheduledSequence adopt(TaskSequence sequence, Standing standing) {
    StoredWorkflow row =
        row(sequence, 0, standing.flags(), standing.nextRun(), host.executorGroup());
    Times times = new Times(row.times().nextRun(), row.times().due(), standing.lastRun());
    return insert(
        new StoredWorkflow(
            row.workflowId(), row.type(), row.plan(), row.flags(), times, null, row.revision()));
  }

  private ScheduledSequence insert(StoredWorkflow row) {
    if (!(store.add(row) instanceof Change.Done)) {
      throw new RefusedException(
          "There is a workflow '"
              + row.workflowId()
              + "' already. Take another id, or change the one that is there.");
    }
    wake();
    return registered(row.workflowId());
  }

  /** A task that was changed at the same time may have been followed before this was there. */
  private ScheduledSequence registered(String workflowId) {
    if (!shapes.isCurrent(stored(workflowId), tasks.list())) {
      reshape(workflowId);
    }
    stored.warn(workflowId);
    return get(workflowId);
  }

  /**
   * Adds a workflow, or changes the one that is there to be like it. From now on it is fired and
   * run by this engine's executor group, whichever had it before.
   */
  public ScheduledSequence save(TaskSequence sequence) {
    for (int tries = 1; ; tries++) {
      boolean missing = store.find(sequence.workflowId()).isEmpty();
      try {
        return missing ? add(sequence) : update(sequence, null, host.executorGroup());
      } catch (RefusedException e) {
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
   * @throws ChangedException when it has another tag now
   */
  public ScheduledSequence update(TaskSequence sequence, @Nullable String tag) {
    return update(sequence, tag, null);
  }

  private ScheduledSequence update(
      TaskSequence sequence, @Nullable String tag, @Nullable String group) {
    attempt(
        sequence.workflowId(),
        row -> {
          SequenceEntry entry = stored.entry(row);
          if (tag != null && !tag.equals(entry.tag())) {
            throw new ChangedException("workflow '" + sequence.workflowId() + "'");
          }
          ScheduledSequence present = entry.sequence();
          Schedule before = present == null ? null : present.sequence().schedule();
          var beginning = Beginning.of(row, before, sequence.schedule(), store, now());
          String owner = group == null ? row.executorGroup() : group;
          StoredWorkflow changed =
              row(sequence, row.revision(), row.flags(), beginning.nextRun(), owner);
          return store.update(changed, beginning.left());
        });
    return registered(sequence.workflowId());
  }

  private StoredWorkflow row(
      TaskSequence sequence,
      int revision,
      Flags before,
      @Nullable Instant nextRun,
      String executorGroup) {
    List<RegisteredTask> registered = tasks.of(sequence);
    List<Integer> ids = registered.stream().map(RegisteredTask::id).toList();
    Shape shape =
        Shape.of(sequence.type(), ids, registered.stream().map(RegisteredTask::task).toList());
    Flags flags =
        new Flags(
            sequence.schedule().recurs(),
            sequence.active(),
            before.immediate(),
            before.restart(),
            before.pausedBy(),
            before.pauseReason());
    return new StoredWorkflow(
        sequence.workflowId(),
        sequence.type(),
        new ScheduleStore.Plan(
            rows.steps(sequence, ids),
            Rows.scheduleType(sequence.schedule()),
            rows.schedule(sequence.schedule()),
            rows.json(sequence.parameters()),
            shapes.register(shape).version(),
            executorGroup),
        flags,
        new Times(nextRun, Rows.dueOf(flags, nextRun), null),
        null,
        revision);
  }

  /**
   * Removes a workflow.
   *
   * @throws RefusedException while an execution of it runs
   */
  public void remove(String workflowId) {
    switch (store.remove(workflowId)) {
      case Change.InUse used ->
          throw new RefusedException(
              "Workflow '"
                  + workflowId
                  + "' cannot be removed: execution "
                  + used.by()
                  + " has not ended. Cancel it, or wait for its end.");
      case Change.Missing missing -> throw unknown(workflowId);
      default -> {}
    }
  }

  /**
   * The workflow as it stands; empty when there is none.
   *
   * @throws InvalidRequestException when this node cannot read it; see {@link #stored}
   */
  public Optional<ScheduledSequence> find(String workflowId) {
    return store.find(workflowId).map(row -> stored.view(row, tasks.names()));
  }

  /**
   * The workflow as it stands.
   *
   * @throws UnknownNameException when there is none
   * @throws InvalidRequestException when this node cannot read it; see {@link #stored}
   */
  public ScheduledSequence get(String workflowId) {
    return find(workflowId).orElseThrow(() -> unknown(workflowId));
  }

  /** Workflows by id; see {@link ScheduleStore#list}. Those that cannot be read are left out. */
  public List<ScheduledSequence> list(
      @Nullable String type, @Nullable String text, @Nullable String after, int limit) {
    return stored.list(type, text, after, limit).stream()
        .flatMap(entry -> Stream.ofNullable(entry.sequence()))
        .toList();
  }

  /** Workflows as they are stored, also those that this node cannot read. */
  public StoredSequences stored() {
    return stored;
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
  public void pause(String workflowId, Deed deed) {
    given(deed, "The deed, which names actor and reason,");
    flag(
        workflowId,
        f ->
            new Flags(
                f.recurs(), f.active(), f.immediate(), f.restart(), deed.actor(), deed.reason()));
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
   * @throws RefusedException when it is aborted
   */
  public void runImmediately(String workflowId) {
    change(
        workflowId,
        row -> {
          if (SequenceStatus.of(row) == SequenceStatus.ABORTED) {
            throw new RefusedException(
                "Workflow '"
                    + workflowId
                    + "' is ABORTED. Restart it, or resume its failed task, before it is run"
                    + " again.");
          }
          Flags f = row.flags();
          return Rows.with(row, new Flags(f.recurs(), true, true, f.restart(), null, null));
        });
  }

  /**
   * Has an aborted workflow run again from its first task, for the same window.
   *
   * @throws RefusedException when it is not aborted
   */
  public void restart(String workflowId) {
    change(
        workflowId,
        row -> {
          SequenceStatus status = SequenceStatus.of(row);
          if (!status.mayBecome(SequenceStatus.RESTART)) {
            throw new RefusedException(
                "Workflow '"
                    + workflowId
                    + "' is "
                    + status
                    + ", expected "
                    + SequenceStatus.ABORTED
                    + " for a restart.");
          }
          Flags f = row.flags();
          return Rows.with(row, new Flags(f.recurs(), true, f.immediate(), true, null, null));
        });
  }

  private void flag(String workflowId, UnaryOperator<Flags> flags) {
    change(workflowId, row -> Rows.with(row, flags.apply(row.flags())));
  }

  private void change(String workflowId, UnaryOperator<StoredWorkflow> change) {
    attempt(workflowId, row -> store.update(change.apply(row)));
  }

  /** Repeated when somebody else has changed the row meanwhile, for example by a run. */
  private void attempt(String workflowId, Function<StoredWorkflow, Change> change) {
    for (int tries = 0; tries < TRIES; tries++) {
      StoredWorkflow row = stored(workflowId);
      if (change.apply(row) instanceof Change.Done) {
        wake();
        return;
      }
    }
    throw new ChangedException("workflow '" + workflowId + "'");
  }

  /**
   * Runs a workflow now, for the last window that is complete, whether it is active or not.
   *
   * @param parameters for this execution
   * @return the execution
   * @throws ConflictException when an execution of it runs
   * @throws RefusedException when it is to be restarted first, for another window
   */
  public long runNow(String workflowId, Map<String, Object> parameters, Deed deed) {
    return runNow(workflowId, parameters, deed, null).id();
  }

  /**
   * The same, once for every key: repeated, it answers with the execution that the first call
   * began, and begins nothing, also while that runs.
   *
   * @param key of this workflow; null for none
   * @throws ConflictException when an execution of it runs that another call began
   */
  public Started runNow(
      String workflowId, Map<String, Object> parameters, Deed deed, @Nullable String key) {
    Slot slot = Firings.lastSlot(rows.schedule(stored(workflowId)), now());
    Started started =
        runs.run(
            () -> runnable(workflowId), slot, new Runs.Wanted(deed.summary(), parameters, key));
    wake();
    return started;
  }

  /**
   * What {@link #backfill} would run; nothing is begun.
   *
   * @param from inclusive
   * @param to exclusive; not after now
   */
  public Backfill planBackfill(String workflowId, Instant from, Instant to) {
    return backfills.plan(stored(workflowId), from, to);
  }

  /**
   * Runs the slots of a time in the past that have no execution, one after another, each for the
   * window that the present schedule gives it. A workflow that is paused or aborted, or runs, lets
   * them wait.
   *
   * @param from inclusive
   * @param to exclusive; not after now
   */
  public Backfill backfill(String workflowId, Instant from, Instant to, Deed deed) {
    given(deed, "The deed, which names actor and reason,");
    StoredWorkflow row = runnable(workflowId);
    return backfills.begin(row, backfills.plan(row, from, to), deed);
  }

  private StoredWorkflow stored(String workflowId) {
    return store.find(workflowId).orElseThrow(() -> unknown(workflowId));
  }

  /** With its definition, without which it would be run as the newest one of its type. */
  private StoredWorkflow runnable(String workflowId) {
    if (stored(workflowId).shape() == null) {
      reshape(workflowId);
    }
    StoredWorkflow row = stored(workflowId);
    shapes.requireOwn(row.type());
    return row;
  }

  /** The definition of the instances that backfill. */
  WorkflowDefinition backfillDefinition() {
    return backfills.definition();
  }

  /** Why this engine cannot run a task, in words for people; null when it can. */
  public @Nullable String problem(Task task) {
    return components.problem(task);
  }

  /** The slots that a schedule has next; see {@link Schedule#fires}. */
  public List<Slot> next(Schedule schedule, int limit) {
    return schedule.fires(now(), limit).slots();
  }

  /** Fires of a workflow, newest slot first; see {@link ScheduleStore#fires}. */
  public List<Fire> fires(String workflowId, @Nullable FireKey before, int limit) {
    return store.fires(workflowId, before, limit);
  }

  /** The newest fires of some workflows; see {@link ScheduleStore#newestFires}. */
  public List<Fire> newestFires(List<String> workflowIds, int each) {
    return store.newestFires(workflowIds, each);
  }

  /**
   * What workflows that do not rest are to run next, the earliest first; those that this node
   * cannot read are left out.
   */
  public List<UpcomingRun> upcoming(int limit) {
    return stored.upcoming(limit);
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
  void reshape(String workflowId) {
    change(workflowId, this::reshaped);
  }

  private StoredWorkflow reshaped(StoredWorkflow row) {
    TaskSequence sequence = rows.sequence(row, tasks.names());
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
