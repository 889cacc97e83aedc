package io.millrace.store.sql;

import io.millrace.instance.InvalidRequestException;
import io.millrace.instance.Page;
import io.millrace.store.SequenceStore.TaskVisit;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A reader of the visits of tasks by executions, newest first. */
final class TaskVisitReader {

  /**
   * Query for the executions of a sequence. The range in place of an equality makes PostgreSQL use
   * the index of the key.
   */
  private static final String OF_WORKFLOW =
      """
      SELECT w.id FROM millrace_instance w
      WHERE w.business_key IS NOT NULL AND w.business_key >= :sequenceId
        AND w.business_key <= :sequenceId AND w.id <= :last
        AND EXISTS (SELECT 1 FROM millrace_compiled_sequence p
          WHERE p.type = w.type AND p.version = w.version)
      ORDER BY w.business_key DESC, w.id DESC LIMIT :limit
      """;

  /**
   * Query for all executions. The scalar subquery leaves archived ones out, with one lookup for
   * each.
   */
  private static final String OF_ALL =
      """
      SELECT r.execution_id AS id FROM millrace_slot_record r
      WHERE r.execution_id IS NOT NULL AND r.execution_id <= :last
        AND (SELECT w.id FROM millrace_instance w WHERE w.id = r.execution_id) IS NOT NULL
        AND IS_THERE
      ORDER BY r.execution_id DESC LIMIT :limit
      """
          .replace("IS_THERE", SqlSequenceStore.IS_THERE.strip());

  private static final String SELECT =
      "SELECT " + SequenceRows.VISIT + "FROM millrace_task_visit v WHERE v.execution_id ";

  private static final String OF_EXECUTIONS = SELECT + "= ANY(CAST(:ids AS bigint ARRAY))";

  private static final String OF_EXECUTION = SELECT + "= :id";

  private static final Comparator<SequenceRows.VisitRow> NEWEST_FIRST =
      Comparator.<SequenceRows.VisitRow>comparingLong(row -> row.visit().executionId())
          .thenComparingInt(SequenceRows.VisitRow::enteredSeq)
          .reversed();

  /** The visit behind which a page starts. */
  record Cursor(long executionId, int enteredSeq) {
    static final Cursor NONE = new Cursor(Long.MAX_VALUE, Integer.MAX_VALUE);

    static Cursor parse(@Nullable String text) {
      if (text == null) {
        return NONE;
      }
      String[] parts = text.split("_", -1);
      try {
        return new Cursor(
            Long.parseLong(parts[0]), Integer.parseInt(parts.length == 2 ? parts[1] : ""));
      } catch (NumberFormatException e) {
        throw new InvalidRequestException(
            "The cursor '" + text + "' is not one that a page of this store has answered with.");
      }
    }

    boolean isBefore(SequenceRows.VisitRow row) {
      long id = row.visit().executionId();
      return id < executionId || (id == executionId && row.enteredSeq() < enteredSeq);
    }
  }

  private TaskVisitReader() {}

  static Page<TaskVisit> read(
      SqlSession session, @Nullable String sequenceId, Cursor cursor, int limit)
      throws SQLException {
    // Each execution has been in at least one task, and that of the cursor may have no further one.
    Params params =
        Params.of("last", cursor.executionId).set("limit", limit + 2).set("sequenceId", sequenceId);
    List<Long> ids =
        session.query(sequenceId == null ? OF_ALL : OF_WORKFLOW, params, row -> row.getLong("id"));
    List<SequenceRows.VisitRow> visits =
        of(session, ids).stream()
            .filter(cursor::isBefore)
            .sorted(NEWEST_FIRST)
            .limit(limit + 1L)
            .toList();
    List<TaskVisit> items = visits.stream().limit(limit).map(SequenceRows.VisitRow::visit).toList();
    if (visits.size() <= limit) {
      return new Page<>(items, null);
    }
    SequenceRows.VisitRow last = visits.get(limit - 1);
    return new Page<>(items, last.visit().executionId() + "_" + last.enteredSeq());
  }

  private static List<SequenceRows.VisitRow> of(SqlSession session, List<Long> ids)
      throws SQLException {
    if (ids.isEmpty()) {
      return List.of();
    }
    if (session.dialect().searchesViewsByArray()) {
      return session.query(OF_EXECUTIONS, Params.none().longs("ids", ids), SequenceRows::visit);
    }
    List<SequenceRows.VisitRow> visits = new ArrayList<>();
    for (long id : ids) {
      visits.addAll(session.query(OF_EXECUTION, Params.of("id", id), SequenceRows::visit));
    }
    return visits;
  }
}
