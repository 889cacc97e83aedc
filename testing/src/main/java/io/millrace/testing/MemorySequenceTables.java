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

  private final Map<Long, Long> fireOf = new HashMap<>();
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
      fireOf.put(stored.executionId(), stored.id());
    }
  }

  void remove(StoredSlotRecord stored) {
    slotRecords.remove(stored.id());
    if (stored.executionId() != null) {
      fireOf.remove(stored.executionId());
    }
  }

  /** Returns the slot record of the fire that created an execution; null if there is none. */
  @Nullable StoredSlotRecord fireOf(long executionId) {
    Long id = fireOf.get(executionId);
    return id == null ? null : slotRecords.get(id);
  }

  /** Returns true if the end of an execution is not recorded with its fire. */
  boolean hasOpenFire(long executionId) {
    StoredSlotRecord fire = fireOf(executionId);
    return fire != null && fire.ended() == null;
  }

  /** Records how an execution has ended; nothing for one that goes on. */
  void recordEnd(StoredSlotRecord fire, @Nullable Instant ended, @Nullable InstanceStatus result) {
    slotRecords.put(
        fire.id(),
        new StoredSlotRecord(
            fire.id(),
            fire.sequenceId(),
            fire.recorded(),
            fire.slotRecord(),
            fire.executionId(),
            ended,
            result));
  }

  /**
   * Reopens the fire of an execution, and makes its schedule checked.
   *
   * @param waits true if it still waits for an operator, or again
   */
  void resume(long executionId, boolean waits, Instant now) {
    StoredSlotRecord fire = fireOf(executionId);
    if (fire == null) {
      return;
    }
    recordEnd(fire, null, null);
    StoredSequence sequence = sequences.get(fire.sequenceId());
    if (!waits
        && sequence != null
        && Long.valueOf(executionId).equals(newest.get(fire.sequenceId()))
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
  LastExecution facts(
      StoredSlotRecord fire, long executionId, @Nullable MemoryInstance row, MemoryTables tables) {
    boolean endRecorded = fire.ended() != null;
    boolean wasResumed = resumed.contains(fire.sequenceId());
    if (row == null) {
      InstanceStatus known = fire.result() == null ? InstanceStatus.CANCELLED : fire.result();
      return new LastExecution(
          executionId, slot(fire), known, false, 0, StartObstacle.NONE, endRecorded, wasResumed);
    }
    boolean needed = row.executorId == null && row.ended == null;
    return new LastExecution(
        executionId,
        slot(fire),
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

  private static FiredSlot slot(StoredSlotRecord fire) {
    return new FiredSlot(fire.slotRecord().slot(), fire.slotRecord().window());
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
