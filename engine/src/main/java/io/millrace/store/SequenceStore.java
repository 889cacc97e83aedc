package io.millrace.store;

import io.millrace.instance.InstanceStatus;
import io.millrace.instance.Page;
import io.millrace.schedule.DataWindow;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Task sequences with their schedules, and the record of their fires. A slot (sequence, time and
 * reported window) has at most one scheduled fire that started an execution, on all nodes together.
 */
public interface SequenceStore {

  /**
   * Adds a sequence, and its type when that is missing. Returns {@link
   * TaskStore.ChangeResult.NameTaken} with id 0 if the id exists. Rejected if a task is missing.
   */
  TaskStore.ChangeResult add(StoredSequence sequence);

  /**
   * Replaces the sequence, but for its {@code lastRun}, when it still has this revision; refused as
   * {@link #add} is.
   */
  default TaskStore.ChangeResult update(StoredSequence sequence) {
    return update(sequence, List.of());
  }

  /**
   * Replaces the sequence, and records the slots that the change leaves behind.
   *
   * @param left none with the outcome {@link SlotOutcome#FIRED}
   */
  TaskStore.ChangeResult update(StoredSequence sequence, List<NewFire> left);

  /** Removes a sequence and its fires, unless one of its executions has not ended. */
  TaskStore.ChangeResult remove(String sequenceId);

  Optional<StoredSequence> find(String sequenceId);

  /** Returns when a sequence was added, which distinguishes it from an earlier one with its id. */
  Optional<Instant> added(String sequenceId);

  /**
   * Sequences by id.
   *
   * @param type null for all
   * @param text part of the id, in any case; null for all
   * @param after the last id of the page before; null for the first page
   */
  List<StoredSequence> list(
      @Nullable String type, @Nullable String text, @Nullable String after, int limit);

  /**
   * The sequences that have a task, by id.
   *
   * @param after the last id of the page before; null for the first page
   */
  List<StoredSequence> withTask(int taskId, @Nullable String after, int limit);

  /**
   * Takes sequences of an executor group that are due, asks {@code planner} what is to be done, and
   * writes that, all in one transaction. Sequences that another node is busy with are left to it. A
   * slot that has been fired keeps its execution; what else was planned for the sequence is
   * written.
   *
   * @param executorGroup whose executors can run what is made
   * @param limit the most sequences, 1 or more
   * @return what was fired; fewer than {@code limit} candidates, see {@link
   *     FireBatchResult#candidates}, when nothing more is due
   */
  FireBatchResult fire(String executorGroup, int limit, FireDecider fireDecider);

  /**
   * Writes a fire that was planned outside of {@link #fire(String, int, FireDecider)}: by a person,
   * or by code. Nothing is written when the sequence has another revision than the plan, or when
   * the slot has been fired.
   */
  FireResult fire(FirePlan firePlan);

  /**
   * Writes down of fires whose execution has ended that it has, how and when. Where the execution
   * is its sequence's newest, sets {@code lastRun}, and when it finished and the sequence is active
   * and not paused, makes that due at its next slot. An execution that fails waits for a person;
   * one that is retried after that is settled again, and a sequence that rests is due {@link
   * SequenceTimes#AT_ONCE} then. Retention leaves alone what is not settled.
   *
   * @return how many; call again until it is less than {@code limit}
   */
  int completeFires(int limit);

  /** Returns the due time of the next sequence of an executor group; empty for none. */
  Optional<Instant> nextDue(String executorGroup);

  /**
   * Fires of a sequence, newest slot first and of a slot the newest fire, at most {@code limit}.
   *
   * @param before only fires that come behind this place; null for the newest
   */
  List<Fire> fires(String sequenceId, @Nullable FireCursor before, int limit);

  /**
   * The newest fires of each of some sequences, by sequence in the order of their ids here, newest
   * slot first.
   *
   * @param each the most of one sequence
   */
  List<Fire> newestFires(List<String> sequenceIds, int each);

  /**
   * The next slots of sequences that do not rest, the earliest first, at most {@code limit}. Those
   * rest that are not active, are paused, or whose newest execution failed, was cancelled or waits
   * for a person, unless a restart is asked for; whether an execution runs does not matter.
   */
  List<NextRun> nextRuns(int limit);

  /** Fires of all sequences with a slot in a time, oldest first, at most {@code limit}. */
  List<Fire> firesBetween(Instant from, Instant to, int limit);

  /** Executions of tasks, newest first; of one sequence, or of all. Archived ones are left out. */
  Page<TaskExecution> history(@Nullable String sequenceId, @Nullable String cursor, int limit);

  /**
   * Decides about due sequences; called inside of a transaction, so it must be quick, and called
   * again when that has to be repeated. What it throws undoes all.
   */
  @FunctionalInterface
  interface FireDecider {
    /** At most one fire for each of {@code due}; those without one are due again in 10 seconds. */
    List<FirePlan> plan(Instant now, List<StoredSequence> due);
  }

  /**
   * A sequence as stored.
   *
   * @param last its newest execution; null before the first; ignored by {@link #add} and {@link
   *     #update}
   * @param revision grows by one with every change, from 1
   */
  record StoredSequence(
      String sequenceId,
      String type,
      SequenceSpec plan,
      Flags flags,
      SequenceTimes times,
      @Nullable LastExecution last,
      int revision) {

    public List<Step> steps() {
      return plan.steps;
    }

    /** The version of the type's definition; null until the sequence is compiled. */
    public @Nullable Integer definitionVersion() {
      return plan.definitionVersion;
    }

    /** Returns the group whose executors fire the sequence and run its executions. */
    public String executorGroup() {
      return plan.executorGroup;
    }
  }

  /**
   * The tasks, the schedule and the executor group of a sequence.
   *
   * @param steps in the order of their sequence
   * @param scheduleType the frequency's name, or {@code CRON} or {@code INTERVAL}, at most 50
   *     characters
   * @param schedule JSON text
   * @param parameters JSON text; null for none
   * @param definitionVersion the version of the type's definition; null until the sequence is
   *     compiled
   * @param executorGroup whose executors fire it and run it, 1 to 100 characters
   */
  record SequenceSpec(
      List<Step> steps,
      String scheduleType,
      String schedule,
      @Nullable String parameters,
      @Nullable Integer definitionVersion,
      String executorGroup) {
    public SequenceSpec {
      steps = List.copyOf(steps);
    }
  }

  /**
   * A step of a sequence.
   *
   * @param sequence unique in its sequence, from 1 without gaps
   * @param nextTask the next step's task; -1 for none
   * @param parameters JSON text; null for none
   */
  record Step(int sequence, int taskId, int nextTask, @Nullable String parameters) {}

  /**
   * Flags of a sequence, set by operators.
   *
   * @param immediate to be run at once, before its time
   * @param restart to be run again from the first task, for the window of the last execution
   * @param pausedBy who has paused it; null when it is not paused
   */
  record Flags(
      boolean recurs,
      boolean active,
      boolean immediate,
      boolean restart,
      @Nullable String pausedBy,
      @Nullable String pauseReason) {}

  /**
   * Times of a sequence.
   *
   * @param nextRun its next slot; null when there is none
   * @param due when it is to be looked at; null when only a change or the end of its execution
   *     makes it due
   * @param lastRun when its last execution ended; null before
   */
  record SequenceTimes(
      @Nullable Instant nextRun, @Nullable Instant due, @Nullable Instant lastRun) {

    /** Due at once, whatever the next slot is: a run or restart was requested. */
    public static final Instant AT_ONCE = Instant.EPOCH;
  }

  /**
   * The newest execution of a sequence.
   *
   * @param slot what it was fired for
   * @param status as stored; the last one known when the instance is gone
   * @param running true while an executor holds it
   * @param attempt attempts of the present task that were begun
   * @param obstacle what keeps the present task from starting
   * @param settled true when its end is written down
   */
  record LastExecution(
      long executionId,
      FiredSlot slot,
      InstanceStatus status,
      boolean running,
      int attempt,
      StartObstacle obstacle,
      boolean settled) {

    /** Returns why the message to the current task is not with the broker, or null. */
    public @Nullable String undelivered() {
      return obstacle.undelivered;
    }
  }

  /**
   * The obstacle that keeps a task from starting while no executor holds its execution.
   *
   * @param undelivered why the message to the task is not with the broker; null when it is, or is
   *     not needed
   * @param unknownVersion the version of the execution's definition while live executors of its
   *     group take work and none of them has that definition; null otherwise
   */
  record StartObstacle(@Nullable String undelivered, @Nullable Integer unknownVersion) {
    public static final StartObstacle NONE = new StartObstacle(null, null);

    /**
     * The time after which an execution that nothing touches counts as unknown to all executors.
     */
    public static final Duration UNKNOWN_AFTER = Duration.ofSeconds(15);
  }

  /**
   * The next slot of a sequence.
   *
   * @param schedule JSON text
   */
  record NextRun(String sequenceId, String schedule, Instant at) {}

  /**
   * A slot as it was when an execution was made for it, whatever the schedule is now.
   *
   * @param window null when none was stored
   */
  record FiredSlot(Instant at, @Nullable DataWindow window) {}

  /**
   * The writes planned for a sequence.
   *
   * @param revision the sequence's before it
   * @param fires all that became of slots; exactly one of them with the outcome {@link
   *     SlotOutcome#FIRED} when there is an execution, and none otherwise
   * @param execution started with it; null for none
   * @param cancel an execution that is to be cancelled in the same transaction; null for none
   */
  record FirePlan(
      String sequenceId,
      int revision,
      SequenceUpdate after,
      List<NewFire> fires,
      @Nullable NewInstance execution,
      @Nullable Cancellation cancel) {
    public FirePlan {
      fires = List.copyOf(fires);
    }

    /** The fire that the execution belongs to; null when there is none. */
    public @Nullable NewFire executionFire() {
      List<NewFire> own = fires.stream().filter(NewFire::isFired).toList();
      if (own.size() != (execution == null ? 0 : 1)) {
        throw new IllegalArgumentException(
            "The fire of sequence '"
                + sequenceId
                + "' has "
                + own.size()
                + " fires with the outcome FIRED, expected one with an execution and none without.");
      }
      return own.isEmpty() ? null : own.getFirst();
    }

    /**
     * The same under a number that no other has, for a slot with an execution for another window.
     */
    public FirePlan renumbered() {
      int number = -revision;
      String id = execution == null ? null : execution.origin().externalId();
      return new FirePlan(
          sequenceId,
          revision,
          after,
          fires.stream().map(fire -> fire.isFired() ? fire.attempt(number) : fire).toList(),
          execution == null || id == null ? execution : execution.externalId(id + "#" + number),
          cancel);
    }
  }

  /**
   * The state of a sequence after a fire.
   *
   * @param times {@code lastRun} is ignored
   * @param definitionVersion the definition's version that is to be stored with the sequence
   */
  record SequenceUpdate(
      SequenceTimes times,
      boolean immediate,
      boolean restart,
      @Nullable Integer definitionVersion) {}

  /**
   * An execution that is to be cancelled.
   *
   * @param why what its history says; null for nothing
   */
  record Cancellation(long executionId, @Nullable String why) {}

  /**
   * The outcome of a slot, to be written.
   *
   * @param slot the time it was meant for
   * @param window what an execution for it reports on; null when it stands for several slots
   * @param attempt 0 for the slot's own execution, less when the slot had one for another window
   *     before, more for each that was asked for again
   * @param reason why it was not fired, or who asked for it; null for nothing to say
   * @param count how many slots from {@code slot} on this stands for; 1 with an execution
   */
  record NewFire(
      Instant slot,
      @Nullable DataWindow window,
      SlotOutcome outcome,
      String trigger,
      int attempt,
      @Nullable String reason,
      int count) {

    public boolean isFired() {
      return outcome == SlotOutcome.FIRED;
    }

    /**
     * True when another fire of this slot stands for the same execution.
     *
     * @param number the attempt of the other
     * @param other its window; null when none was stored, which may have been any
     */
    public boolean isSame(int number, @Nullable DataWindow other) {
      if (attempt > 0) {
        return number == attempt;
      }
      return number <= 0 && (window == null || other == null || kept(window).equals(kept(other)));
    }

    private static DataWindow kept(DataWindow window) {
      return new DataWindow(
          window.from().truncatedTo(ChronoUnit.MICROS), window.to().truncatedTo(ChronoUnit.MICROS));
    }

    private NewFire attempt(int number) {
      return new NewFire(slot, window, outcome, trigger, number, reason, count);
    }
  }

  /** The outcome of a slot. */
  enum SlotOutcome {
    /** An execution was made. */
    FIRED,
    /** Left out, by a calendar or because the execution before it was running. */
    SKIPPED,
    /** Its time passed while nobody could fire it. */
    MISSED
  }

  /**
   * A fire as stored.
   *
   * @param id grows with time
   * @param executionId null unless fired
   * @param ended when the execution ended, once that is settled; null before
   * @param result how it ended
   */
  record Fire(
      long id,
      String sequenceId,
      Instant at,
      NewFire fire,
      @Nullable Long executionId,
      @Nullable Instant ended,
      @Nullable InstanceStatus result) {}

  /**
   * A place among the fires of a sequence.
   *
   * @param fireId at a slot with several fires, only those with a smaller id are behind it
   */
  record FireCursor(Instant slot, long fireId) {
    /** Behind it are the fires of all slots before this one. */
    public static FireCursor before(Instant slot) {
      return new FireCursor(slot, 0);
    }

    /** Behind it are the fires that are listed after this one. */
    public static FireCursor of(Fire fire) {
      return new FireCursor(fire.fire().slot(), fire.id());
    }
  }

  /**
   * The result of {@link #fire(String, int, FireDecider)}.
   *
   * @param candidates how many were due
   * @param executions the executions that were made, by sequence id
   * @param cancelled the executions that were cancelled
   */
  record FireBatchResult(int candidates, Map<String, Long> executions, List<Long> cancelled) {}

  /** The result of a fire. */
  sealed interface FireResult {
    /** Written; {@code executionId} is null when nothing was to be started. */
    record Written(@Nullable Long executionId, int revision) implements FireResult {}

    /** The sequence was changed concurrently. */
    record Stale(int revision) implements FireResult {}

    /** The slot has been fired already, by this execution. */
    record Duplicate(long executionId) implements FireResult {}

    record Missing() implements FireResult {}
  }

  /**
   * A visit of a task: the execution history of the page.
   *
   * @param status IN_PROGRESS, COMPLETED, ERROR or ABORTED
   * @param statusLog what the handler said, or why it failed; null for nothing
   * @param retries attempts after the first
   */
  record TaskExecution(
      long executionId,
      String sequenceId,
      StepPosition place,
      ExecutionTimes span,
      String status,
      @Nullable String statusLog,
      int retries) {}

  /**
   * A position in a sequence.
   *
   * @param nextTask -1 for none
   * @param sequence from 1
   */
  record StepPosition(int taskId, int nextTask, int sequence) {}

  /**
   * Start and end of an execution.
   *
   * @param ended null while it goes on
   */
  record ExecutionTimes(Instant started, @Nullable Instant ended) {}
}
