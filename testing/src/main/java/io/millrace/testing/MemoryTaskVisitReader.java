package io.millrace.testing;

import io.millrace.instance.HistoryEntry;
import io.millrace.instance.HistoryEntryType;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.InvalidRequestException;
import io.millrace.instance.Page;
import io.millrace.store.SequenceStore.TaskPosition;
import io.millrace.store.SequenceStore.TaskVisit;
import io.millrace.store.SequenceStore.VisitTimes;
import io.millrace.store.TaskStore.CompiledState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A reader of the tasks that executions have visited, newest first. */
final class MemoryTaskVisitReader {

  private static final Set<HistoryEntryType> ANSWERS =
      EnumSet.of(HistoryEntryType.STATE_EXECUTION, HistoryEntryType.STATE_EXECUTION_FAILED);
  private static final Set<HistoryEntryType> ATTEMPTS =
      EnumSet.of(
          HistoryEntryType.STATE_EXECUTION,
          HistoryEntryType.STATE_EXECUTION_FAILED,
          HistoryEntryType.RECOVERY);

  private record VisitRow(int enteredSeq, TaskVisit visit) {
    boolean isBehind(long executionId, int seq) {
      return visit.executionId() < executionId
          || (visit.executionId() == executionId && enteredSeq < seq);
    }
  }

  private static final Comparator<VisitRow> NEWEST_FIRST =
      Comparator.<VisitRow>comparingLong(row -> row.visit.executionId())
          .thenComparingInt(row -> row.enteredSeq)
          .reversed();

  private MemoryTaskVisitReader() {}

  static Page<TaskVisit> page(
      MemoryTables tables,
      MemorySequenceTables sequences,
      @Nullable String sequenceId,
      @Nullable String cursor,
      int limit) {
    String[] parts =
        (cursor == null ? Long.MAX_VALUE + "_" + Integer.MAX_VALUE : cursor).split("_", -1);
    long executionId = number(parts[0], cursor);
    int seq = (int) number(parts.length == 2 ? parts[1] : "", cursor);
    List<VisitRow> visits =
        tables.rows.values().stream()
            .filter(row -> sequenceId == null || sequenceId.equals(row.origin.businessKey()))
            .filter(row -> sequenceId != null || sequences.slotRecordOf(row.id) != null)
            .flatMap(row -> visits(sequences, row))
            .filter(visited -> visited.isBehind(executionId, seq))
            .sorted(NEWEST_FIRST)
            .limit(limit + 1L)
            .toList();
    List<TaskVisit> items = visits.stream().limit(limit).map(VisitRow::visit).toList();
    if (visits.size() <= limit) {
      return new Page<>(items, null);
    }
    VisitRow last = visits.get(limit - 1);
    return new Page<>(items, last.visit.executionId() + "_" + last.enteredSeq);
  }

  private static long number(String text, @Nullable String cursor) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new InvalidRequestException(
          "The cursor '" + cursor + "' is not one that a page of this store has answered with.");
    }
  }

  /**
   * A visit of the state of a task.
   *
   * @param actions all history entries that were written meanwhile
   * @param running true while an attempt runs
   */
  private record Stay(
      CompiledState task,
      int enteredSeq,
      List<HistoryEntry> actions,
      Instant entered,
      @Nullable Instant ended,
      String status,
      boolean running) {

    VisitRow of(MemoryInstance row) {
      Instant started =
          actions.stream()
              .filter(historyEntry -> ANSWERS.contains(historyEntry.type()))
              .map(historyEntry -> historyEntry.span().started())
              .min(Comparator.naturalOrder())
              .orElse(entered);
      String log =
          actions.reversed().stream()
              .map(historyEntry -> historyEntry.outcome().reason())
              .filter(Objects::nonNull)
              .findFirst()
              .orElse(null);
      long attempts =
          actions.stream().filter(historyEntry -> ATTEMPTS.contains(historyEntry.type())).count()
              + (running ? 1 : 0);
      return new VisitRow(
          enteredSeq,
          new TaskVisit(
              row.id,
              String.valueOf(row.origin.businessKey()),
              new TaskPosition(task.taskId(), task.nextTask(), task.position()),
              new VisitTimes(started, ended),
              status,
              log,
              (int) Math.max(0, attempts - 1)));
    }
  }

  private static Stream<VisitRow> visits(MemorySequenceTables sequences, MemoryInstance row) {
    Map<String, CompiledState> states = sequences.states(row.origin.type(), row.origin.version());
    if (states == null || row.origin.businessKey() == null) {
      return Stream.of();
    }
    List<Stay> stays = new ArrayList<>();
    Instant entered = row.created;
    int enteredSeq = 0;
    for (HistoryEntry historyEntry : row.actions) {
      if (!historyEntry.move().from().equals(historyEntry.move().to())) {
        CompiledState task = states.get(historyEntry.move().from());
        Instant left = historyEntry.span().ended();
        if (task != null) {
          String status =
              historyEntry.type() == HistoryEntryType.STATE_EXECUTION ? "COMPLETED" : "ABORTED";
          List<HistoryEntry> actions = row.actions.subList(enteredSeq, historyEntry.seq());
          stays.add(new Stay(task, enteredSeq, actions, entered, left, status, false));
        }
        enteredSeq = historyEntry.seq();
        entered = left;
      }
    }
    CompiledState task = states.get(row.state);
    if (task != null) {
      List<HistoryEntry> actions = row.actions.subList(row.enteredSeq, row.seq);
      boolean running = row.executorId != null;
      String status = status(row, running, actions);
      stays.add(new Stay(task, row.enteredSeq, actions, row.entered, row.ended, status, running));
    }
    return stays.stream().map(stay -> stay.of(row));
  }

  private static String status(MemoryInstance row, boolean running, List<HistoryEntry> actions) {
    if (row.status == InstanceStatus.FINISHED) {
      return "COMPLETED";
    }
    if (row.status.isTerminal() || row.status == InstanceStatus.MANUAL) {
      return "ABORTED";
    }
    if (!running && row.attempt > 0) {
      return "ERROR";
    }
    boolean begun = actions.stream().anyMatch(entry -> ATTEMPTS.contains(entry.type()));
    return running || begun ? "IN_PROGRESS" : "NOT_STARTED";
  }
}
