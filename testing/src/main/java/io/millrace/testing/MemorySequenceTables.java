package io.millrace.testing;

import io.millrace.instance.ExecutorInfo;
import io.millrace.instance.InstanceStatus;
import io.millrace.store.SequenceStore.FiredSlot;
import io.millrace.store.SequenceStore.LastExecution;
import io.millrace.store.SequenceStore.SequenceTimes;
import io.millrace.store.SequenceStore.StartObstacle;
import io.millrace.store.SequenceStore.StoredSequence;
import io.millrace.store.SequenceStore.StoredSlotRecord;
import io.millrace.store.TaskStore.CompiledState;
import io.millrace.store.TaskStore.StoredCompiledSequence;
import io.millrace.store.TaskStore.StoredTask;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The tables of task sequences. Used only under the lock of {@link MemoryTables}. */
final class MemorySequenceTables {

  /** A compiled sequence with the tasks of its states by name. */
  record StoredCompilation(StoredCompiledSequence stored, Map<String, CompiledState> states) {}

  final TreeSet<String> types = new TreeSet<>();
  final NavigableMap<Integer, StoredTask> tasks = new TreeMap<>();

  /** The revision of each task that all its sequences have. */
  final Map<Integer, Integer> recompiled = new HashMap<>();

  final List<StoredCompilation> compiledSequences = new ArrayList<>();

  /** Sequences as they were added or changed, without their newest executions. */
  final NavigableMap<String, StoredSequence> sequences = new TreeMap<>();

  /** Times at which sequences were added. */
  final Map<String, Instant> added = new HashMap<>();

  /** The newest execution of each sequence that has one. */
  final Map<String, Long> newest = new HashMap<>();

  /** Sequences whose newest execution was resumed, until the scheduler has checked them. */
  final Set<String> resumed = new HashSet<>();

  final NavigableMap<Long, StoredSlotRecord> slotRecords = new TreeMap<>();

  /** Ids of slot records by their executions. */
  private final Map<Long, Long> slotRecordOf = new HashMap<>();

  private final MemoryOutboxStore outbox;
  private int lastTask;
  private long lastSlotRecord;

  MemorySequenceTables(MemoryOutboxStore outbox) {
    this.outbox = outbox;
  }

  int nextTask() {
    return ++lastTask;
  }

  long nextSlotRecord() {
    return ++lastSlotRecord;
  }

  void put(StoredSlotRecord stored) {
    slotRecords.put(stored.id(), stored);
    if (stored.executionId() != null) {
      slotRecordOf.put(stored.executionId(), stored.id());
    }
  }

  void remove(StoredSlotRecord stored) {
    slotRecords.remove(stored.id());
    if (stored.executionId() != null) {
      slotRecordOf.remove(stored.executionId());
    }
  }

  /** Returns the slot record of the fire that created an execution; null if there is none. */
  @Nullable StoredSlotRecord slotRecordOf(long executionId) {
    Long id = slotRecordOf.get(executionId);
    return id == null ? null : slotRecords.get(id);
  }

  /** Returns true if the end of an execution is not recorded in its slot record. */
  boolean hasUnrecordedEnd(long executionId) {
    StoredSlotRecord stored = slotRecordOf(executionId);
    return stored != null && stored.ended() == null;
  }

  /** Records how an execution has ended; nothing for one that goes on. */
  void recordEnd(
      StoredSlotRecord stored, @Nullable Instant ended, @Nullable InstanceStatus result) {
    slotRecords.put(
        stored.id(),
        new StoredSlotRecord(
            stored.id(),
            stored.sequenceId(),
            stored.recorded(),
            stored.slotRecord(),
            stored.executionId(),
            ended,
            result));
  }

  /**
   * Makes the end of an execution unrecorded, since it goes on, and its sequence due.
   *
   * @param waits true if it still waits for an operator, or again
   */
  void reopen(long executionId, boolean waits, Instant now) {
    StoredSlotRecord stored = slotRecordOf(executionId);
    if (stored == null) {
      return;
    }
    recordEnd(stored, null, null);
    StoredSequence sequence = sequences.get(stored.sequenceId());
    if (!waits
        && sequence != null
        && Long.valueOf(executionId).equals(newest.get(stored.sequenceId()))
        && sequence.flags().active()
        && sequence.flags().pausedBy() == null
        && sequence.times().due() == null
        && sequence.times().nextRun() != null) {
      SequenceTimes times = sequence.times();
      sequences.put(
          sequence.sequenceId(),
          MemoryFireWriter.with(
              sequence,
              sequence.flags(),
              new SequenceTimes(
                  times.nextRun(),
                  times.nextRunOffset(),
                  MemoryColumnTimes.kept(now),
                  times.lastEnded()),
              sequence.definitionVersion()));
      resumed.add(sequence.sequenceId());
    }
  }

  /**
   * Returns the newest execution of a sequence.
   *
   * @param row null if the instance is gone
   */
  LastExecution newestExecution(
      StoredSlotRecord stored,
      long executionId,
      @Nullable MemoryInstance row,
      MemoryTables tables) {
    boolean endRecorded = stored.ended() != null;
    boolean wasResumed = resumed.contains(stored.sequenceId());
    if (row == null) {
      InstanceStatus known = stored.result() == null ? InstanceStatus.CANCELLED : stored.result();
      return new LastExecution(
          executionId, slot(stored), known, false, 0, StartObstacle.NONE, endRecorded, wasResumed);
    }
    boolean needed = row.executorId == null && row.ended == null;
    return new LastExecution(
        executionId,
        slot(stored),
        row.status,
        row.executorId != null,
        row.attempt,
        needed
            ? new StartObstacle(outbox.error(row), unknownVersion(row, tables))
            : StartObstacle.NONE,
        endRecorded,
        wasResumed);
  }

  private static @Nullable Integer unknownVersion(MemoryInstance row, MemoryTables tables) {
    Instant now = tables.now();
    if (!row.modified.isBefore(now.minus(StartObstacle.UNKNOWN_AFTER))) {
      return null;
    }
    List<ExecutorInfo> taking =
        tables.executors.values().stream()
            .filter(e -> e.identity().executorGroup().equals(row.origin.executorGroup()))
            .filter(e -> e.stopped() == null && e.expires().isAfter(now) && e.state().acceptsWork())
            .toList();
    return taking.isEmpty()
            || taking.stream()
                .anyMatch(e -> e.identity().definitionIds().contains(row.definitionId))
        ? null
        : row.origin.version();
  }

  private static FiredSlot slot(StoredSlotRecord stored) {
    return new FiredSlot(stored.slotRecord().slot(), stored.slotRecord().window());
  }

  /** Returns the tasks of the states of a definition; null if it is not a compiled sequence. */
  @Nullable Map<String, CompiledState> states(String type, int version) {
    return compiledSequences.stream()
        .filter(storedCompilation ->
            storedCompilation.stored.type().equals(type)
                && storedCompilation.stored.version() == version)
        .findFirst()
        .map(StoredCompilation::states)
        .orElse(null);
  }
}
