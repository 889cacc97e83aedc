package io.millrace.testing;

import io.millrace.instance.InstanceStatus;
import io.millrace.instance.Page;
import io.millrace.sequence.SequenceStatus;
import io.millrace.store.SequenceStore;
import io.millrace.store.StoreException;
import io.millrace.store.TaskStore.ChangeResult;
import java.time.Duration;
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

/**
 * The sequences and their slot records in memory; {@link MemoryFireWriter} fires slots, {@link
 * MemoryTaskVisitReader} reads executions.
 */
final class MemorySequenceStore implements SequenceStore {

  private static final int MAX_NAMED = 10;

  private final MemoryTables tables;
  private final MemorySequenceTables sequences;
  private final MemoryFireWriter fireWriter;

  MemorySequenceStore(
      MemoryTables tables, MemorySequenceTables sequences, MemoryOperatorStore operators) {
    this.tables = tables;
    this.sequences = sequences;
    this.fireWriter = new MemoryFireWriter(tables, sequences, operators);
  }

  @Override
  public ChangeResult add(StoredSequence sequence) {
    return tables.transaction(now -> {
      if (sequences.sequences.containsKey(sequence.sequenceId())) {
        return new ChangeResult.NameTaken(0);
      }
      check(sequence);
      sequences.types.add(sequence.type());
      put(sequence, sequence.times().lastEnded(), 1);
      sequences.added.put(sequence.sequenceId(), MemoryColumnTimes.truncated(now));
      return new ChangeResult.Done(0, 1);
    });
  }

  @Override
  public ChangeResult update(StoredSequence sequence, List<SlotRecord> unfired) {
    return tables.transaction(now -> {
      StoredSequence stored = sequences.sequences.get(sequence.sequenceId());
      if (stored == null) {
        return new ChangeResult.Missing();
      }
      if (stored.revision() != sequence.revision()) {
        return new ChangeResult.Stale(stored.revision());
      }
      check(sequence);
      fireWriter.recordUnfired(sequence.sequenceId(), unfired, now);
      sequences.types.add(sequence.type());
      put(sequence, stored.times().lastEnded(), sequence.revision() + 1);
      Instant due = sequence.times().due();
      if (due == null || due.isAfter(now)) {
        sequences.resumed.remove(sequence.sequenceId());
      }
      return new ChangeResult.Done(0, sequence.revision() + 1);
    });
  }

  /** Checks references, like the keys of a database. */
  private void check(StoredSequence sequence) {
    Set<Integer> positions = new HashSet<>();
    for (StoredSequenceTask sequenceTask : sequence.sequenceTasks()) {
      if (!sequences.tasks.containsKey(sequenceTask.taskId())
          || !positions.add(sequenceTask.position())) {
        throw new StoreException(
            "Task "
                + sequenceTask
                + " of sequence '"
                + sequence.sequenceId()
                + "' has a task that is not there, or the position of another task.",
            true,
            null);
      }
    }
  }

  private void put(StoredSequence sequence, @Nullable Instant lastEnded, int revision) {
    SequenceSpec spec = sequence.spec();
    Flags flags = sequence.flags();
    SequenceTimes times = sequence.times();
    sequences.sequences.put(
        sequence.sequenceId(),
        new StoredSequence(
            sequence.sequenceId(),
            sequence.type(),
            new SequenceSpec(
                sequence.sequenceTasks().stream()
                    .sorted(Comparator.comparingInt(StoredSequenceTask::position))
                    .toList(),
                spec.scheduleType(),
                spec.schedule(),
                spec.parameters(),
                spec.definitionVersion(),
                spec.executorGroup()),
            new Flags(
                flags.recurs(),
                flags.active(),
                flags.runRequested(),
                flags.restart(),
                flags.requestedBy(),
                flags.pausedBy(),
                MemoryColumnTexts.reason(flags.pauseReason())),
            new SequenceTimes(
                MemoryColumnTimes.kept(times.nextRun()),
                times.nextRunOffset(),
                MemoryColumnTimes.kept(times.due()),
                MemoryColumnTimes.kept(lastEnded)),
            null,
            revision));
  }

  @Override
  public ChangeResult remove(String sequenceId) {
    return tables.transaction(now -> {
      StoredSequence stored = sequences.sequences.get(sequenceId);
      if (stored == null) {
        return new ChangeResult.Missing();
      }
      List<StoredSlotRecord> records = slotRecordsOf(sequenceId).toList();
      List<String> open =
          records.stream()
              .map(StoredSlotRecord::executionId)
              .filter(Objects::nonNull)
              .filter(id -> !hasEnded(id))
              .sorted()
              .limit(MAX_NAMED)
              .map(String::valueOf)
              .toList();
      if (!open.isEmpty()) {
        return new ChangeResult.InUse(open);
      }
      records.stream()
          .map(StoredSlotRecord::executionId)
          .filter(Objects::nonNull)
          .map(tables.rows::get)
          .filter(Objects::nonNull)
          .forEach(tables::forgetExternalId);
      records.forEach(sequences::remove);
      sequences.newest.remove(sequenceId);
      sequences.resumed.remove(sequenceId);
      sequences.sequences.remove(sequenceId);
      sequences.added.remove(sequenceId);
      return new ChangeResult.Done(0, stored.revision());
    });
  }

  private boolean hasEnded(long executionId) {
    MemoryInstance row = tables.rows.get(executionId);
    return row == null || row.ended != null;
  }

  @Override
  public Optional<StoredSequence> find(String sequenceId) {
    return tables.transaction(
        now -> Optional.ofNullable(sequences.sequences.get(sequenceId)).map(fireWriter::withLast));
  }

  @Override
  public Optional<Instant> added(String sequenceId) {
    return tables.transaction(now -> Optional.ofNullable(sequences.added.get(sequenceId)));
  }

  @Override
  public List<StoredSequence> list(
      @Nullable String type, @Nullable String text, @Nullable String after, int limit) {
    String part = text == null ? "" : text.toLowerCase(Locale.ROOT);
    return tables.transaction(now ->
        sequences.sequences.values().stream()
            .filter(sequence -> type == null || sequence.type().equals(type))
            .filter(sequence -> after == null || sequence.sequenceId().compareTo(after) > 0)
            .filter(sequence -> sequence.sequenceId().toLowerCase(Locale.ROOT).contains(part))
            .limit(limit)
            .map(fireWriter::withLast)
            .toList());
  }

  @Override
  public List<StoredSequence> withTask(int taskId, @Nullable String after, int limit) {
    return tables.transaction(now ->
        sequences.sequences.values().stream()
            .filter(sequence -> after == null || sequence.sequenceId().compareTo(after) > 0)
            .filter(
                sequence -> sequence.sequenceTasks().stream().anyMatch(s -> s.taskId() == taskId))
            .limit(limit)
            .map(fireWriter::withLast)
            .toList());
  }

  @Override
  public FireBatchResult fireDue(String executorGroup, int limit, Planner planner) {
    return tables.transaction(now -> fireWriter.fireDue(executorGroup, limit, planner, now));
  }

  @Override
  public FireResult writeFire(FirePlan firePlan) {
    return tables.transaction(now -> fireWriter.writeFire(firePlan, now));
  }

  @Override
  public int recordEnds(int limit) {
    return tables.transaction(now -> {
      List<StoredSlotRecord> ended =
          sequences.slotRecords.values().stream()
              .filter(stored -> stored.ended() == null)
              .filter(stored -> stored.executionId() != null && hasEnded(stored.executionId()))
              .limit(limit)
              .toList();
      ended.forEach(stored -> recordEnd(stored, now));
      return ended.size();
    });
  }

  private void recordEnd(StoredSlotRecord stored, Instant now) {
    long executionId = Objects.requireNonNull(stored.executionId());
    MemoryInstance row = tables.rows.get(executionId);
    Instant end = row == null || row.ended == null ? now : row.ended;
    InstanceStatus result = row == null ? InstanceStatus.CANCELLED : row.status;
    sequences.recordEnd(stored, end, result);
    StoredSequence sequence = sequences.sequences.get(stored.sequenceId());
    if (sequence != null
        && Long.valueOf(executionId).equals(sequences.newest.get(stored.sequenceId()))) {
      SequenceTimes times = sequence.times();
      Instant due = dueAfter(sequence, result, now);
      sequences.sequences.put(
          sequence.sequenceId(),
          MemoryFireWriter.with(
              sequence,
              sequence.flags(),
              new SequenceTimes(times.nextRun(), times.nextRunOffset(), due, end),
              sequence.definitionVersion()));
    }
  }

  private static @Nullable Instant dueAfter(
      StoredSequence sequence, InstanceStatus result, Instant now) {
    Flags flags = sequence.flags();
    SequenceTimes times = sequence.times();
    if (!flags.active() || flags.pausedBy() != null) {
      return times.due();
    }
    if (flags.runRequested() || flags.restart()) {
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
        sequences.sequences.values().stream()
            .filter(sequence -> sequence.executorGroup().equals(executorGroup))
            .map(sequence -> sequence.times().due())
            .filter(Objects::nonNull)
            .min(Comparator.naturalOrder()));
  }

  @Override
  public List<StoredSlotRecord> slotRecords(
      String sequenceId, @Nullable SlotRecordCursor before, int limit) {
    return tables.transaction(now ->
        slotRecordsOf(sequenceId)
            .filter(stored -> before == null || isBehind(stored, before))
            .sorted(bySlot().reversed())
            .limit(limit)
            .toList());
  }

  @Override
  public List<StoredSlotRecord> newestSlotRecords(List<String> sequenceIds, int each) {
    return tables.transaction(now ->
        sequenceIds.stream()
            .flatMap(id -> slotRecordsOf(id).sorted(bySlot().reversed()).limit(each))
            .toList());
  }

  @Override
  public List<NextRun> nextRuns(int limit) {
    return tables.transaction(now ->
        sequences.sequences.values().stream()
            .filter(sequence -> sequence.flags().active() && sequence.flags().pausedBy() == null)
            .filter(sequence -> sequence.times().nextRun() != null)
            .filter(sequence ->
                SequenceStatus.of(fireWriter.withLast(sequence)) != SequenceStatus.ABORTED)
            .map(MemorySequenceStore::nextRun)
            .sorted(
                Comparator.<NextRun, Instant>comparing(next -> next.slot().at())
                    .thenComparing(NextRun::sequenceId))
            .limit(limit)
            .toList());
  }

  private static NextRun nextRun(StoredSequence sequence) {
    return new NextRun(
        sequence.sequenceId(),
        sequence.spec().schedule(),
        Objects.requireNonNull(sequence.times().planned()));
  }

  @Override
  public List<StoredSlotRecord> slotRecordsBetween(Instant from, Instant to, int limit) {
    return tables.transaction(now ->
        sequences.slotRecords.values().stream()
            .filter(stored ->
                !stored.slotRecord().slot().isBefore(from)
                    && stored.slotRecord().slot().isBefore(to))
            .sorted(bySlot())
            .limit(limit)
            .toList());
  }

  private Stream<StoredSlotRecord> slotRecordsOf(String sequenceId) {
    return sequences.slotRecords.values().stream()
        .filter(stored -> stored.sequenceId().equals(sequenceId));
  }

  private static boolean isBehind(StoredSlotRecord stored, SlotRecordCursor place) {
    int slots = stored.slotRecord().slot().compareTo(place.slot());
    return slots < 0 || (slots == 0 && stored.id() < place.recordId());
  }

  private static Comparator<StoredSlotRecord> bySlot() {
    return Comparator.<StoredSlotRecord, Instant>comparing(stored -> stored.slotRecord().slot())
        .thenComparingLong(StoredSlotRecord::id);
  }

  @Override
  public Page<TaskVisit> history(@Nullable String sequenceId, @Nullable String cursor, int limit) {
    return tables.transaction(
        now -> MemoryTaskVisitReader.page(tables, sequences, sequenceId, cursor, limit));
  }

  /** Does nothing, since a sequence in memory is removed as a whole. */
  @Override
  public int resumeRemovals() {
    return 0;
  }

  @Override
  public int deleteSlotRecords(Duration age, int limit) {
    return tables.transaction(now -> {
      List<StoredSlotRecord> old =
          sequences.slotRecords.values().stream()
              .filter(stored -> stored.recorded().isBefore(now.minus(age)))
              .filter(
                  stored -> stored.executionId() == null || isGone(stored, stored.executionId()))
              .limit(limit)
              .toList();
      old.forEach(sequences::remove);
      return old.size();
    });
  }

  private boolean isGone(StoredSlotRecord stored, Long executionId) {
    return stored.ended() != null
        && !tables.rows.containsKey(executionId)
        && !tables.archive.containsKey(executionId)
        && !executionId.equals(sequences.newest.get(stored.sequenceId()));
  }
}
