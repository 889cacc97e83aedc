package io.millrace.store;

import io.millrace.instance.InstanceStatus;
import io.millrace.instance.OperatorAction;
import io.millrace.instance.Page;
import io.millrace.schedule.DataWindow;
import io.millrace.schedule.PlannedSlot;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Task sequences with their schedules, and the records of their slots. A slot (sequence, time and
 * data window) fires at most once by its schedule, on all nodes together.
 */
public interface SequenceStore {

  /**
   * Adds a sequence, and its type if that is missing. Returns {@link
   * TaskStore.ChangeResult.NameTaken} with id 0 if the id exists. Rejected if a task is missing.
   */
  TaskStore.ChangeResult add(StoredSequence sequence);

  /**
   * Replaces the sequence, except for its {@code lastEnded}, if it still has this revision;
   * rejected in the same cases as {@link #add}.
   */
  default TaskStore.ChangeResult update(StoredSequence sequence) {
    return update(sequence, List.of());
  }

  /**
   * Replaces the sequence, and records the slots that the change skips.
   *
   * @param unfired none with the outcome {@link SlotOutcome#FIRED}
   */
  TaskStore.ChangeResult update(StoredSequence sequence, List<SlotRecord> unfired);

  /**
   * Removes a sequence and its slot records, unless one of its executions has not ended. Where
   * there are more records than {@link RetentionStore#ROWS_PER_PART}, they are gone from all reads
   * at once, and are deleted by {@link #resumeRemovals} or before the id is added again.
   */
  TaskStore.ChangeResult remove(String sequenceId);

  /**
   * Continues the removal of each removed sequence of which slot records are left, by any process.
   * Returns how many parts of {@link RetentionStore#ROWS_PER_PART} records were deleted.
   */
  int resumeRemovals();

  /**
   * Deletes slot records that are older than {@code age} and have no instance any more, also not in
   * the archive. The newest execution of a sequence stays known.
   */
  int deleteSlotRecords(Duration age, int limit);

  Optional<StoredSequence> find(String sequenceId);

  /** Returns when a sequence was added, which distinguishes it from an earlier one with its id. */
  Optional<Instant> added(String sequenceId);

  /**
   * Returns sequences by id.
   *
   * @param type null for all
   * @param text part of the id, in any case; null for all
   * @param after the last id of the previous page; null for the first page
   */
  List<StoredSequence> list(
      @Nullable String type, @Nullable String text, @Nullable String after, int limit);

  /**
   * Returns the sequences that have a task, by id.
   *
   * @param after the last id of the previous page; null for the first page
   */
  List<StoredSequence> withTask(int taskId, @Nullable String after, int limit);

  /**
   * Fires due sequences of an executor group: reads them, calls {@code planner} for their plans,
   * and writes these, all in one transaction. Sequences with a requested run or restart come first,
   * the others in the order of their due times. Sequences that another node has locked are skipped.
   * A slot that has been fired keeps its execution; the rest of the sequence's plan is written.
   *
   * @param executorGroup group of the executors that can run the executions
   * @param limit the maximum number of sequences, 1 or more; they are fewer once their parameters
   *     have {@link QueryStore#PAGE_BYTES}
   */
  FireBatchResult fireDue(String executorGroup, int limit, Planner planner);

  /**
   * Writes a fire that an operator or code has planned outside of {@link #fireDue}. Nothing is
   * written if the sequence has another revision than the plan, or if the slot has been fired.
   */
  FireResult writeFire(FirePlan firePlan);

  /**
   * Records how and when executions have ended, each in the slot record of its fire. If the
   * execution is its sequence's newest, sets {@code lastEnded}. If it also finished and the
   * sequence is active and not paused, makes the sequence due at its next slot. After one that
   * failed or was cancelled the sequence waits for an operator. If the execution is retried after
   * that, its end is recorded again, and an idle sequence is then due now, with {@link
   * LastExecution#resumed}. Retention keeps executions whose end is not recorded.
   *
   * @return number of ended executions that were examined; call again until it is less than {@code
   *     limit}
   */
  int recordEnds(int limit);

  /** Returns the due time of the next sequence of an executor group; empty for none. */
  Optional<Instant> nextDue(String executorGroup);

  /**
   * Returns up to {@code limit} slot records of a sequence, newest slot first, in a slot newest
   * first.
   *
   * @param before only records behind this position; null for the newest
   */
  List<StoredSlotRecord> slotRecords(
      String sequenceId, @Nullable SlotRecordCursor before, int limit);

  /**
   * Returns the newest slot records of each of some sequences, in the order of their ids here,
   * newest slot first.
   *
   * @param each maximum number of records of one sequence
   */
  List<StoredSlotRecord> newestSlotRecords(List<String> sequenceIds, int each);

  /**
   * Returns the next runs of sequences that are not idle, the earliest first, at most {@code
   * limit}. A sequence is idle if it is not active, is paused, or its newest execution failed, was
   * cancelled or waits for an operator and no restart is requested. Running ones are included.
   */
  List<NextRun> nextRuns(int limit);

  /** Returns up to {@code limit} slot records of all sequences in a range, oldest slot first. */
  List<StoredSlotRecord> slotRecordsBetween(Instant from, Instant to, int limit);

  /**
   * Returns the visits of tasks by executions that are not archived, newest first.
   *
   * @param sequenceId null for all sequences
   */
  Page<TaskVisit> history(@Nullable String sequenceId, @Nullable String cursor, int limit);

  /**
   * A planner of the fires of due sequences. Called inside of a transaction, so it must be quick;
   * called again if the transaction is repeated. An exception rolls back the transaction.
   */
  @FunctionalInterface
  interface Planner {
    /** Returns at most one plan for each of {@code due}; others are due again in 10 seconds. */
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
      SequenceSpec spec,
      Flags flags,
      SequenceTimes times,
      @Nullable LastExecution last,
      int revision) {

    public List<StoredSequenceTask> sequenceTasks() {
      return spec.sequenceTasks;
    }

    /** Returns the version of the type's definition; null until the sequence is compiled. */
    public @Nullable Integer definitionVersion() {
      return spec.definitionVersion;
    }

    /** Returns the group whose executors fire the sequence and run its executions. */
    public String executorGroup() {
      return spec.executorGroup;
    }
  }

  /**
   * The tasks, the schedule and the executor group of a sequence.
   *
   * @param sequenceTasks in the order of their positions
   * @param scheduleType the frequency's name, or {@code CRON}, {@code INTERVAL} or {@code WINDOW},
   *     at most 50 characters
   * @param schedule JSON text
   * @param parameters JSON text; null for none
   * @param definitionVersion the version of the type's definition; null until the sequence is
   *     compiled
   * @param executorGroup group of the executors that fire it and run it, 1 to 100 characters
   */
  record SequenceSpec(
      List<StoredSequenceTask> sequenceTasks,
      String scheduleType,
      String schedule,
      @Nullable String parameters,
      @Nullable Integer definitionVersion,
      String executorGroup) {
    public SequenceSpec {
      sequenceTasks = List.copyOf(sequenceTasks);
    }
  }

  /**
   * A task at a position of a sequence.
   *
   * @param position the position of the task in its sequence, from 1 without gaps
   * @param nextTask the task at the next position; -1 for none
   * @param parameters JSON text; null for none
   */
  record StoredSequenceTask(int position, int taskId, int nextTask, @Nullable String parameters) {}

  /**
   * The flags of a sequence, set by operators.
   *
   * @param runRequested true while a requested run has not started
   * @param restart run again from the first task, for the data window of the last execution
   * @param requestedBy the operator who last requested a run or a restart; null for none
   * @param pausedBy the operator who has paused it; null if it is not paused
   */
  record Flags(
      boolean recurs,
      boolean active,
      boolean runRequested,
      boolean restart,
      @Nullable String requestedBy,
      @Nullable String pausedBy,
      @Nullable String pauseReason) {

    /** Creates the flags of a sequence for which no operator has requested anything. */
    public Flags(
        boolean recurs,
        boolean active,
        boolean runRequested,
        boolean restart,
        @Nullable String pausedBy,
        @Nullable String pauseReason) {
      this(recurs, active, runRequested, restart, null, pausedBy, pauseReason);
    }

    /** Returns true if an operator has requested a run or a restart that has not started. */
    public boolean startRequested() {
      return runRequested || restart;
    }
  }

  /**
   * The times of a sequence.
   *
   * @param nextRun the next run: the planned time of the next slot; null if there is none
   * @param nextRunOffset the offset of the schedule's zone at the next run, by the rules in force
   *     when it was computed; null if unknown
   * @param due when the scheduler checks the sequence: at its next run, or earlier or later; null
   *     if only a change or the end of its execution makes it due
   * @param lastEnded when an execution of it last ended; null before the first end
   */
  record SequenceTimes(
      @Nullable Instant nextRun,
      @Nullable ZoneOffset nextRunOffset,
      @Nullable Instant due,
      @Nullable Instant lastEnded) {

    public SequenceTimes(
        @Nullable Instant nextRun, @Nullable Instant due, @Nullable Instant lastEnded) {
      this(nextRun, null, due, lastEnded);
    }

    /** Returns the next run with the offset that it was computed by; null if there is none. */
    public @Nullable PlannedSlot planned() {
      return nextRun == null ? null : new PlannedSlot(nextRun, nextRunOffset);
    }
  }

  /**
   * The newest execution of a sequence.
   *
   * @param slot the slot for which it was started
   * @param status as stored; the last known one if the instance is missing
   * @param leased true while an executor has its lease
   * @param attempt started attempts of the present task
   * @param obstacle reason why the present task cannot start
   * @param endRecorded true if its end is recorded in its slot record
   * @param resumed true from when an operator resumes it after its end, or after a wait for an
   *     operator, until the scheduler has checked the sequence, or a change has made the sequence
   *     due later or never
   */
  record LastExecution(
      long executionId,
      FiredSlot slot,
      InstanceStatus status,
      boolean leased,
      int attempt,
      StartObstacle obstacle,
      boolean endRecorded,
      boolean resumed) {

    /** Returns why the message to the current task is not with the broker, or null. */
    public @Nullable String undelivered() {
      return obstacle.undelivered;
    }
  }

  /**
   * The obstacle that keeps a task from starting while no executor holds its execution.
   *
   * @param undelivered why the message to the task is not with the broker; null if it is, or is not
   *     needed
   * @param unknownVersion the version of the execution's definition if live executors of its group
   *     claim work and none of them has that definition; null otherwise
   */
  record StartObstacle(@Nullable String undelivered, @Nullable Integer unknownVersion) {
    public static final StartObstacle NONE = new StartObstacle(null, null);

    /** Time after which an untouched execution counts as unknown to all executors. */
    public static final Duration UNKNOWN_AFTER = Duration.ofSeconds(15);
  }

  /**
   * The next run of a sequence.
   *
   * @param schedule JSON text
   */
  record NextRun(String sequenceId, String schedule, PlannedSlot slot) {}

  /**
   * A slot as it was when an execution was created for it, whatever the schedule is now.
   *
   * @param window null if none was stored
   */
  record FiredSlot(Instant at, @Nullable DataWindow window) {}

  /**
   * The plan to fire one slot of a sequence or none, with the records of slots that do not fire.
   *
   * @param revision the sequence's revision before the fire
   * @param slotRecords the records to write; exactly one of them is {@link SlotOutcome#FIRED} if
   *     there is an execution, and none otherwise
   * @param execution started with it; null for none
   * @param cancel an execution to cancel in the same transaction; null for none
   */
  record FirePlan(
      String sequenceId,
      int revision,
      SequenceUpdate update,
      List<SlotRecord> slotRecords,
      @Nullable NewInstance execution,
      @Nullable Cancellation cancel) {
    public FirePlan {
      slotRecords = List.copyOf(slotRecords);
    }

    /** Returns the record of the slot that the execution belongs to; null if there is none. */
    public @Nullable SlotRecord executionRecord() {
      List<SlotRecord> own = slotRecords.stream().filter(SlotRecord::isFired).toList();
      if (own.size() != (execution == null ? 0 : 1)) {
        throw new IllegalArgumentException(
            "The plan of sequence '"
                + sequenceId
                + "' has "
                + own.size()
                + " slots with the outcome FIRED, expected one with an execution and none without.");
      }
      return own.isEmpty() ? null : own.getFirst();
    }

    /**
     * Returns the same plan under a number that no other fire has, for a slot with an execution for
     * another data window.
     */
    public FirePlan renumbered() {
      int number = FireNumber.otherWindow(revision);
      String id = execution == null ? null : execution.origin().externalId();
      return new FirePlan(
          sequenceId,
          revision,
          update,
          slotRecords.stream().map(one -> one.isFired() ? one.fireNumber(number) : one).toList(),
          execution == null || id == null ? execution : execution.externalId(id + "#" + number),
          cancel);
    }
  }

  /**
   * The state of a sequence after a fire.
   *
   * @param times {@code lastEnded} is ignored
   * @param definitionVersion the definition's version to store with the sequence
   */
  record SequenceUpdate(
      SequenceTimes times,
      boolean runRequested,
      boolean restart,
      @Nullable Integer definitionVersion) {}

  /**
   * An execution to cancel.
   *
   * @param action actor and reason in its history
   */
  record Cancellation(long executionId, OperatorAction action) {}

  /**
   * A record of what happened at a slot, or at several slots that did not fire.
   *
   * @param slot the planned time
   * @param window the data window of the slot, or of all the slots for which this stands; null if
   *     none was stored
   * @param cause of the outcome: {@code schedule}, {@code manual}, {@code request}, {@code restart}
   *     or {@code backfill}
   * @param fireNumber distinguishes the fires of a slot; see {@link FireNumber}
   * @param reason of the outcome, for people to read, or the requester; null for none
   * @param count number of slots from {@code slot} on for which this stands; 1 with an execution
   */
  record SlotRecord(
      Instant slot,
      @Nullable DataWindow window,
      SlotOutcome outcome,
      String cause,
      int fireNumber,
      @Nullable String reason,
      int count) {

    public boolean isFired() {
      return outcome == SlotOutcome.FIRED;
    }

    /**
     * Returns true if another fire of this slot stands for the same execution.
     *
     * @param number the fire number of the other, see {@link FireNumber}
     * @param other its data window; null if none was stored, so that it may have been any
     */
    public boolean isSame(int number, @Nullable DataWindow other) {
      if (FireNumber.isAsked(fireNumber)) {
        return number == fireNumber;
      }
      return !FireNumber.isAsked(number)
          && (window == null || other == null || kept(window).equals(kept(other)));
    }

    private static DataWindow kept(DataWindow window) {
      return new DataWindow(
          window.from().truncatedTo(ChronoUnit.MICROS), window.to().truncatedTo(ChronoUnit.MICROS));
    }

    private SlotRecord fireNumber(int number) {
      return new SlotRecord(slot, window, outcome, cause, number, reason, count);
    }
  }

  /** The outcome of a slot. */
  enum SlotOutcome {
    /** An execution was created. */
    FIRED,
    /** A calendar excludes the slot, or the overlap policy skipped it during an execution. */
    SKIPPED,
    /**
     * The slot passed without a run and is not made up for: it was late, a later one was due, the
     * catch-up limit was reached, or the schedule was changed.
     */
    MISSED
  }

  /**
   * A slot record as stored.
   *
   * @param id grows with time
   * @param recorded when the outcome was decided
   * @param executionId null unless fired
   * @param ended when the execution ended, once that is recorded; null before
   * @param result how it ended
   */
  record StoredSlotRecord(
      long id,
      String sequenceId,
      Instant recorded,
      SlotRecord slotRecord,
      @Nullable Long executionId,
      @Nullable Instant ended,
      @Nullable InstanceStatus result) {}

  /**
   * A position among the slot records of a sequence.
   *
   * @param recordId at a slot with several records, only those with a smaller id are behind it
   */
  record SlotRecordCursor(Instant slot, long recordId) {
    /** Returns a position that is followed by the records of all earlier slots. */
    public static SlotRecordCursor before(Instant slot) {
      return new SlotRecordCursor(slot, 0);
    }

    /** Returns the position of a record, which is followed by the records listed after it. */
    public static SlotRecordCursor of(StoredSlotRecord stored) {
      return new SlotRecordCursor(stored.slotRecord().slot(), stored.id());
    }
  }

  /**
   * The result of {@link #fireDue}.
   *
   * @param found number of sequences that were found due, also those that were not due any more
   *     once they were locked
   * @param more true if the batch was full, so that more sequences may be due
   * @param executions the created executions, by sequence id
   */
  record FireBatchResult(int found, boolean more, Map<String, Long> executions) {
    /** The result when no sequence is due. */
    public static final FireBatchResult NONE = new FireBatchResult(0, false, Map.of());
  }

  /** The result of a fire. */
  sealed interface FireResult {
    /** The fire was written; {@code executionId} is null if no execution was planned. */
    record Written(@Nullable Long executionId, int revision) implements FireResult {}

    /** The sequence was changed concurrently. */
    record Stale(int revision) implements FireResult {}

    /** The slot has been fired already, by this execution. */
    record Duplicate(long executionId) implements FireResult {}

    record Missing() implements FireResult {}
  }

  /**
   * A visit of a task by an execution, with all its attempts.
   *
   * @param status IN_PROGRESS, COMPLETED, ERROR or ABORTED
   * @param statusLog text of the handler, or the failure; null for none
   * @param retries attempts after the first
   */
  record TaskVisit(
      long executionId,
      String sequenceId,
      TaskPosition task,
      VisitTimes times,
      String status,
      @Nullable String statusLog,
      int retries) {}

  /**
   * A task at its position in a sequence.
   *
   * @param nextTask -1 for none
   * @param position of the task in its sequence, from 1
   */
  record TaskPosition(int taskId, int nextTask, int position) {}

  /**
   * Start and end of a visit.
   *
   * @param ended null while it is running
   */
  record VisitTimes(Instant started, @Nullable Instant ended) {}
}
