package io.millrace.store.sql;

import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A writer of the ends of executions into the slot records of their fires. */
final class FireEndWriter {

  /**
   * Condition for {@code w} that is true unless the end of a fire's execution has yet to be
   * recorded.
   */
  static final String END_RECORDED =
      """
      (SELECT f.id FROM millrace_slot_record f
        WHERE f.execution_id = w.id AND f.end_recorded = FALSE) IS NULL
      """;

  /**
   * Query for ended executions. The scalar subquery looks up each instance, however many there are.
   * Its condition inside of CASE makes that a lookup by id, and not among all open instances.
   */
  private static final String ENDED =
      """
      SELECT f.id, f.sequence_id, f.execution_id FROM millrace_slot_record f
      WHERE f.end_recorded = FALSE AND (SELECT CASE WHEN w.ended_at IS NULL THEN w.id END
        FROM millrace_instance w WHERE w.id = f.execution_id) IS NULL
      ORDER BY f.id LIMIT :limit
      """;

  /**
   * Query for the ends of executions. A missing instance counts as cancelled: it was deleted by
   * hand.
   */
  private static final String ENDS =
      """
      SELECT d.id, CASE WHEN w.id IS NULL THEN 'cancelled' ELSE w.status END AS status,
        CASE WHEN w.id IS NULL THEN :now ELSE w.ended_at END AS ended_at
      FROM (SELECT d.* FROM UNNEST(CAST(:ids AS bigint ARRAY)) AS d(id)\
      """
          + Params.EXPECT_FEW
          + ") d LEFT JOIN millrace_instance w ON w.id = d.id";

  private static final String ROWS =
      """
      (SELECT v.id, v.sequence_id, v.execution_id, v.result,
              CAST(v.ended_at AS timestamp with time zone) AS ended_at, (SELECT :now) AS now
       FROM UNNEST(CAST(:fires AS bigint ARRAY), CAST(:sequences AS varchar ARRAY),
         CAST(:executions AS bigint ARRAY), CAST(:results AS varchar ARRAY),
         CAST(:ends AS varchar ARRAY)) AS v(id, sequence_id, execution_id, result, ended_at)\
      """
          + Params.EXPECT_FEW
          + ") d";

  private static final String RECORD =
      "MERGE INTO millrace_slot_record f USING "
          + ROWS
          + """
           ON (f.id = d.id)
          WHEN MATCHED THEN UPDATE SET end_recorded = TRUE, ended_at = d.ended_at, result = d.result
          """;

  /**
   * Update of the sequence. A failed or cancelled execution waits for an operator, unless a run is
   * requested already; after a finished one the schedule goes on.
   */
  private static final String GO_ON =
      "MERGE INTO millrace_sequence s USING "
          + ROWS
          + """
           ON (s.sequence_id = d.sequence_id AND s.execution_id = d.execution_id)
          WHEN MATCHED THEN UPDATE SET last_ended_at = d.ended_at, revision = s.revision + 1,
            modified_at = d.now, due_at = CASE
              WHEN NOT s.active OR s.paused_by IS NOT NULL THEN s.due_at
              WHEN (s.run_requested OR s.restart) AND (s.due_at IS NULL OR s.due_at > d.now) THEN d.now
              WHEN d.result = 'finished' AND (s.due_at IS NULL OR s.due_at > s.next_run_at) THEN s.next_run_at
              ELSE s.due_at END
          """;

  private static final String REOPEN =
      """
      UPDATE millrace_slot_record SET end_recorded = FALSE, ended_at = NULL, result = NULL
      WHERE execution_id = :id
      """;

  private static final String FIRE_OF =
      "SELECT sequence_id FROM millrace_slot_record WHERE execution_id = :id FOR UPDATE";

  /**
   * Update that makes the sequence due now: it may have been idle since a slot came while the
   * execution waited for an operator.
   */
  private static final String LOOK_AGAIN =
      """
      UPDATE millrace_sequence SET due_at = :now, resumed = TRUE, revision = revision + 1,
        modified_at = :now
      WHERE sequence_id = (SELECT f.sequence_id FROM millrace_slot_record f
          WHERE f.execution_id = :id)
        AND execution_id = :id AND active = TRUE AND paused_by IS NULL AND due_at IS NULL
        AND next_run_at IS NOT NULL
      """;

  private record Found(long id, String sequenceId, long executionId) {}

  private record End(String status, @Nullable Instant ended) {}

  private record Row(Found found, String result, Instant ended) {}

  private FireEndWriter() {}

  /**
   * Records the ends of executions, at most {@code limit}. Returns the number of fires that were
   * examined.
   */
  static int recordEnds(SqlSession session, int limit) throws SQLException {
    List<Found> found =
        session.query(
            ENDED + session.dialect().skipLocked(),
            Params.of("limit", limit),
            row ->
                new Found(
                    row.getLong("id"), row.getString("sequence_id"), row.getLong("execution_id")));
    // The locked fires are read again: an execution may have been retried meanwhile.
    List<Row> rows = rows(found, found.isEmpty() ? Map.of() : ends(session, found));
    if (!rows.isEmpty()) {
      Params params = params(rows);
      SequenceRows.lock(session, rows.stream().map(row -> row.found.sequenceId).toList());
      session.update(RECORD, params);
      session.update(GO_ON, params);
    }
    return found.size();
  }

  private static Map<Long, End> ends(SqlSession session, List<Found> found) throws SQLException {
    Map<Long, End> ends = new HashMap<>();
    session.forEachRow(
        ENDS,
        Params.none().longs("ids", found, fire -> fire.executionId),
        row ->
            ends.put(
                row.getLong("id"),
                new End(row.getString("status"), ColumnTimes.readOrNull(row, "ended_at"))));
    return ends;
  }

  private static List<Row> rows(List<Found> found, Map<Long, End> ends) {
    List<Row> rows = new ArrayList<>();
    for (Found fire : found) {
      End end = ends.get(fire.executionId);
      if (end != null && end.ended != null) {
        rows.add(new Row(fire, end.status, end.ended));
      }
    }
    return rows;
  }

  private static Params params(List<Row> rows) {
    return Params.none()
        .longs("fires", rows, row -> row.found.id)
        .texts("sequences", rows, row -> row.found.sequenceId)
        .longs("executions", rows, row -> row.found.executionId)
        .texts("results", rows, Row::result)
        .texts("ends", rows, row -> ColumnTimes.text(row.ended));
  }

  /**
   * Locks the fire of an execution and then its sequence, as {@link #recordEnds} does, for {@link
   * #reopen}. Must come before the lock of the instance, since a transaction that fires a sequence
   * holds that when it cancels an execution. Waits for a transaction that records its end now.
   */
  static void lock(SqlSession session, long executionId) throws SQLException {
    List<String> sequences =
        session.query(FIRE_OF, Params.of("id", executionId), row -> row.getString("sequence_id"));
    if (!sequences.isEmpty()) {
      SequenceRows.lock(session, sequences);
    }
  }

  /**
   * Reopens the fire of an execution that goes on after its end, or after a wait for an operator:
   * the next end is recorded again, and the schedule is checked.
   *
   * @param waits true if it still waits for an operator, or again
   */
  static void reopen(SqlSession session, long executionId, boolean waits) throws SQLException {
    Params params = Params.of("id", executionId);
    session.update(REOPEN, params);
    if (!waits) {
      session.update(LOOK_AGAIN, params);
    }
  }
}
