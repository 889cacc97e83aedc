package io.millrace.testing;

import io.millrace.schedule.DataWindow;
import io.millrace.store.FireNumber;
import io.millrace.store.InboxRules;
import io.millrace.store.NewInstance;
import io.millrace.store.OperatorCommand;
import io.millrace.store.SequenceStore.Cancellation;
import io.millrace.store.SequenceStore.FireBatchResult;
import io.millrace.store.SequenceStore.FirePlan;
import io.millrace.store.SequenceStore.FireResult;
import io.millrace.store.SequenceStore.Flags;
import io.millrace.store.SequenceStore.Planner;
import io.millrace.store.SequenceStore.SequenceSpec;
import io.millrace.store.SequenceStore.SequenceTimes;
import io.millrace.store.SequenceStore.SlotRecord;
import io.millrace.store.SequenceStore.StoredSequence;
import io.millrace.store.SequenceStore.StoredSlotRecord;
import io.millrace.store.StartResult;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A writer of the outcomes of slots. Used only under the lock of {@link MemoryTables}. */
final class MemoryFireWriter {

  private static final Duration PUT_OFF = Duration.ofSeconds(10);

  private final MemoryTables tables;
  private final MemorySequenceTables sequences;
  private final MemoryOperatorStore operators;

  /**
   * The result of a fire.
   *
   * @param made the created execution; null for none
   * @param existing the earlier execution for the same slot; null for none
   * @param alreadyFired true if an execution was planned, but the slot has fired already
   */
  private record WrittenPlan(@Nullable Long made, @Nullable Long existing, boolean alreadyFired) {}

  MemoryFireWriter(
      MemoryTables tables, MemorySequenceTables sequences, MemoryOperatorStore operators) {
    this.tables = tables;
    this.sequences = sequences;
    this.operators = operators;
  }

  /** Returns the sequence with its newest execution. */
  StoredSequence withLast(StoredSequence sequence) {
    Long id = sequences.newest.get(sequence.sequenceId());
    StoredSlotRecord fire = id == null ? null : sequences.slotRecordOf(id);
    if (id == null || fire == null) {
      return sequence;
    }
    return new StoredSequence(
        sequence.sequenceId(),
        sequence.type(),
        sequence.spec(),
        sequence.flags(),
        sequence.times(),
        sequences.newestExecution(fire, id, tables.rows.get(id), tables),
        sequence.revision());
  }

  /** Returns the sequence's next revision. */
  static StoredSequence with(
      StoredSequence before,
      Flags flags,
      SequenceTimes times,
      @Nullable Integer definitionVersion) {
    return new StoredSequence(
        before.sequenceId(),
        before.type(),
        new SequenceSpec(
            before.sequenceTasks(),
            before.spec().scheduleType(),
            before.spec().schedule(),
            before.spec().parameters(),
            definitionVersion,
            before.executorGroup()),
        flags,
        times,
        null,
        before.revision() + 1);
  }

  /** Fires the due sequences of a group: passes them to {@code planner}, and writes its plans. */
  FireBatchResult fireDue(String executorGroup, int limit, Planner planner, Instant now) {
    List<StoredSequence> found =
        sequences.sequences.values().stream()
            .filter(sequence -> sequence.executorGroup().equals(executorGroup))
            .filter(sequence -> sequence.times().due() != null)
            .filter(sequence -> !Objects.requireNonNull(sequence.times().due()).isAfter(now))
            .sorted(
                Comparator.<StoredSequence, Boolean>comparing(
                        sequence -> !sequence.flags().startRequested())
                    .thenComparing(sequence -> Objects.requireNonNull(sequence.times().due()))
                    .thenComparing(StoredSequence::sequenceId))
            .limit(limit)
            .toList();
    if (found.isEmpty()) {
      return FireBatchResult.NONE;
    }
    List<StoredSequence> due =
        MemoryQueryStore.page(found.stream().map(this::withLast), MemoryFireWriter::parameterBytes);
    List<FirePlan> firePlans = planner.plan(now, due);
    Map<String, Integer> unplanned = new HashMap<>();
    due.forEach(sequence -> unplanned.put(sequence.sequenceId(), sequence.revision()));
    for (FirePlan firePlan : firePlans) {
      firePlan.executionRecord();
      Integer revision = unplanned.remove(firePlan.sequenceId());
      if (revision == null || revision != firePlan.revision()) {
        throw new IllegalArgumentException(
            "The planner fires sequence '"
                + firePlan.sequenceId()
                + "' of revision "
                + firePlan.revision()
                + ", expected at most one fire for each sequence that it was asked about, of the"
                + " revision that it was given.");
      }
    }
    Map<String, Long> executions = new HashMap<>();
    for (FirePlan firePlan : firePlans) {
      WrittenPlan written = write(firePlan, now);
      if (written.made != null) {
        executions.put(firePlan.sequenceId(), written.made);
      }
      if (!written.alreadyFired) {
        cancel(firePlan);
      }
    }
    unplanned.keySet().forEach(id -> putOff(id, now));
    boolean more = found.size() == limit || due.size() < found.size();
    return new FireBatchResult(due.size(), more, executions);
  }

  private static long parameterBytes(StoredSequence sequence) {
    return InboxRules.bytes(sequence.spec().parameters())
        + sequence.sequenceTasks().stream()
            .mapToLong(task -> InboxRules.bytes(task.parameters()))
            .sum();
  }

  private void putOff(String sequenceId, Instant now) {
    StoredSequence sequence = Objects.requireNonNull(sequences.sequences.get(sequenceId));
    SequenceTimes times =
        new SequenceTimes(
            sequence.times().nextRun(),
            sequence.times().nextRunOffset(),
            now.plus(PUT_OFF),
            sequence.times().lastEnded());
    StoredSequence later = with(sequence, sequence.flags(), times, sequence.definitionVersion());
    sequences.sequences.put(
        sequenceId,
        new StoredSequence(
            later.sequenceId(),
            later.type(),
            later.spec(),
            later.flags(),
            later.times(),
            null,
            sequence.revision()));
  }

  /** Writes one fire. A slot that has been fired is a duplicate, whatever the revision. */
  FireResult writeFire(FirePlan firePlan, Instant now) {
    StoredSequence sequence = sequences.sequences.get(firePlan.sequenceId());
    if (sequence == null) {
      return new FireResult.Missing();
    }
    Long fired = fired(firePlan);
    if (fired != null) {
      return new FireResult.Duplicate(fired);
    }
    if (sequence.revision() != firePlan.revision()) {
      return new FireResult.Stale(sequence.revision());
    }
    WrittenPlan written = write(firePlan, now);
    if (!written.alreadyFired) {
      cancel(firePlan);
    }
    return written.existing == null
        ? new FireResult.Written(written.made, firePlan.revision() + 1)
        : new FireResult.Duplicate(written.existing);
  }

  /** Returns the execution of a slot that has been fired; null if it has not been. */
  private @Nullable Long fired(FirePlan firePlan) {
    SlotRecord own = firePlan.executionRecord();
    return own == null
        ? null
        : executions(firePlan.sequenceId(), own)
            .filter(fire -> own.isSame(fire.slotRecord().fireNumber(), fire.slotRecord().window()))
            .findFirst()
            .map(StoredSlotRecord::executionId)
            .orElse(null);
  }

  /** Returns the fires that may conflict with a fire. */
  private Stream<StoredSlotRecord> executions(String sequenceId, SlotRecord own) {
    return sequences.slotRecords.values().stream()
        .filter(fire -> fire.executionId() != null)
        .filter(fire -> fire.sequenceId().equals(sequenceId))
        .filter(fire -> fire.slotRecord().slot().equals(MemoryColumnTimes.kept(own.slot())))
        .filter(fire ->
            own.fireNumber() == FireNumber.SCHEDULED
                ? !FireNumber.isAsked(fire.slotRecord().fireNumber())
                : own.fireNumber() == fire.slotRecord().fireNumber());
  }

  /** Returns the plan, under another number if the slot has an execution for another window. */
  private FirePlan numbered(FirePlan firePlan) {
    SlotRecord own = firePlan.executionRecord();
    return own != null && executions(firePlan.sequenceId(), own).findAny().isPresent()
        ? firePlan.renumbered()
        : firePlan;
  }

  /** Records slots of a sequence that do not fire, since its schedule is changed. */
  void recordUnfired(String sequenceId, List<SlotRecord> unfired, Instant now) {
    if (unfired.stream().anyMatch(SlotRecord::isFired)) {
      throw new IllegalArgumentException(
          "A change of sequence '"
              + sequenceId
              + "' fires a slot, expected only slots that do not fire.");
    }
    unfired.forEach(one -> put(sequenceId, one, null, now));
  }

  private void put(
      String sequenceId, SlotRecord slotRecord, @Nullable Long executionId, Instant now) {
    sequences.put(
        new StoredSlotRecord(
            sequences.nextSlotRecord(),
            sequenceId,
            now,
            kept(slotRecord),
            executionId,
            null,
            null));
  }

  private WrittenPlan write(FirePlan planned, Instant now) {
    Long existing = fired(planned);
    FirePlan firePlan = existing == null ? numbered(planned) : planned;
    Long made = null;
    Long linked = null;
    NewInstance execution = firePlan.execution();
    if (execution != null && existing == null) {
      StartResult result = tables.start(execution, now);
      if (result instanceof StartResult.Created) {
        made = result.id();
      } else {
        existing = result.id();
      }
      linked = made != null || sequences.slotRecordOf(result.id()) == null ? result.id() : null;
    }
    for (SlotRecord slotRecord : firePlan.slotRecords()) {
      if (!slotRecord.isFired() || linked != null) {
        put(firePlan.sequenceId(), slotRecord, slotRecord.isFired() ? linked : null, now);
      }
    }
    StoredSequence before = Objects.requireNonNull(sequences.sequences.get(firePlan.sequenceId()));
    Flags flags = before.flags();
    boolean alreadyFired = execution != null && linked == null;
    boolean requested = alreadyFired && (flags.runRequested() || flags.restart());
    sequences.sequences.put(
        firePlan.sequenceId(),
        with(
            before,
            new Flags(
                flags.recurs(),
                flags.active(),
                alreadyFired ? flags.runRequested() : firePlan.update().runRequested(),
                alreadyFired ? flags.restart() : firePlan.update().restart(),
                flags.requestedBy(),
                flags.pausedBy(),
                flags.pauseReason()),
            new SequenceTimes(
                MemoryColumnTimes.kept(firePlan.update().times().nextRun()),
                firePlan.update().times().nextRunOffset(),
                requested ? now : MemoryColumnTimes.kept(firePlan.update().times().due()),
                before.times().lastEnded()),
            firePlan.update().definitionVersion()));
    sequences.resumed.remove(firePlan.sequenceId());
    if (linked != null) {
      sequences.newest.put(firePlan.sequenceId(), linked);
    }
    return new WrittenPlan(made, existing, alreadyFired);
  }

  private static SlotRecord kept(SlotRecord slotRecord) {
    return new SlotRecord(
        kept(slotRecord.slot()),
        slotRecord.window() == null
            ? null
            : new DataWindow(kept(slotRecord.window().from()), kept(slotRecord.window().to())),
        slotRecord.outcome(),
        slotRecord.cause(),
        slotRecord.fireNumber(),
        MemoryColumnTexts.reason(slotRecord.reason()),
        slotRecord.count());
  }

  private static Instant kept(Instant time) {
    return Objects.requireNonNull(MemoryColumnTimes.kept(time));
  }

  private void cancel(FirePlan firePlan) {
    Cancellation cancellation = firePlan.cancel();
    if (cancellation != null) {
      operators.apply(
          cancellation.executionId(), new OperatorCommand.Cancel(), cancellation.action());
    }
  }
}
