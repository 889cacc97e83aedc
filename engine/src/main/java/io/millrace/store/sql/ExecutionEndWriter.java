package io.millrace.store.sql;

import java.sql.SQLException;
import java.time.Instant;
import java.util.List;

/**
 * A writer of the ends of executions into the slot records of their fires. Each transaction locks
 * the sequences first, in one order, and then their slot records.
 */
final class ExecutionEndWriter {

  /**
   * Condition for {@code w} that is true unless it is an execution whose end has yet to be
   * recorded.
   */
  static final String END_RECORDED =
      """
      (SELECT r.id FROM millrace_slot_record r
        WHERE r.execution_id = w.id AND r.end_recorded = FALSE) IS NULL
      """;

  /**
   * Query for executions that have ended. The scalar subquery looks up each instance, however many
   * there are. Its condition inside of CASE makes that a lookup by id, and not among all open
   * instances.
   */
  private static final String FIND_ENDED =
      """
      SELECT r.id, r.sequence_id FROM millrace_slot_record r
      WHERE r.end_recorded = FALSE AND (SELECT CASE WHEN w.ended_at IS NULL THEN w.id END
        FROM millrace_instance w WHERE w.id = r.execution_id) IS NULL
      ORDER BY r.id LIMIT :limit
      """;

  /**
   * Query for the ends of those executions, under the locks of their sequences: meanwhile one may
   * have been retried, or its end recorded. A missing instance counts as cancelled: it was deleted
   * by hand.
   */
  private static final String READ_ENDED =
      """
      SELECT r.id, r.sequence_id, r.execution_id, COALESCE(w.status, 'cancelled') AS result,
        COALESCE(w.ended_at, :now) AS ended_at
      FROM (SELECT v.id FROM UNNEST(CAST(:records AS bigint ARRAY)) AS v(id)
            EXPECT_FEW) found
      JOIN millrace_slot_record r ON r.id = found.id
      LEFT JOIN millrace_instance w ON w.id = r.execution_id
      WHERE r.end_recorded = FALSE AND (w.id IS NULL OR w.ended_at IS NOT NULL)
      """
          .replace("EXPECT_FEW", Params.EXPECT_FEW.strip());

  private static final String RECORD_ENDS =
      """
      MERGE INTO millrace_slot_record r USING (
        SELECT v.id, v.result, CAST(v.ended_at AS timestamp with time zone) AS ended_at
        FROM UNNEST(CAST(:records AS bigint ARRAY), CAST(:results AS varchar ARRAY),
          CAST(:ends AS varchar ARRAY)) AS v(id, result, ended_at)
        EXPECT_FEW) ended ON (r.id = ended.id)
      WHEN MATCHED THEN UPDATE SET
        end_recorded = TRUE, ended_at = ended.ended_at, result = ended.result
      """
          .replace("EXPECT_FEW", Params.EXPECT_FEW.strip());

  /**
   * Update of the sequences whose newest execution has ended. After one that failed or was
   * cancelled the sequence waits for an operator, unless a run is requested already; after a
   * finished one the schedule goes on.
   */
  private static final String GO_ON =
      """
      MERGE INTO millrace_sequence s USING (
        SELECT v.sequence_id, v.execution_id, v.result,
          CAST(v.ended_at AS timestamp with time zone) AS ended_at, (SELECT :now) AS now
        FROM UNNEST(CAST(:sequences AS varchar ARRAY), CAST(:executions AS bigint ARRAY),
          CAST(:results AS varchar ARRAY), CAST(:ends AS varchar ARRAY))
          AS v(sequence_id, execution_id, result, ended_at)
        EXPECT_FEW) ended
        ON (s.sequence_id = ended.sequence_id AND s.execution_id = ended.execution_id)
      WHEN MATCHED THEN UPDATE SET
        last_ended_at = ended.ended_at,
        revision = s.revision + 1,
        modified_at = ended.now,
        due_at = CASE
          WHEN NOT s.active OR s.paused_by IS NOT NULL THEN s.due_at
          WHEN (s.run_requested OR s.restart) AND (s.due_at IS NULL OR s.due_at > ended.now)
            THEN ended.now
          WHEN ended.result = 'finished' AND (s.due_at IS NULL OR s.due_at > s.next_run_at)
            THEN s.next_run_at
          ELSE s.due_at END
      """
          .replace("EXPECT_FEW", Params.EXPECT_FEW.strip());

  private static final String SEQUENCE_OF =
      "SELECT sequence_id FROM millrace_slot_record WHERE execution_id = :id";

  private static final String LOCK_RECORD =
      "SELECT id FROM millrace_slot_record WHERE execution_id = :id FOR UPDATE";

  private static final String REOPEN =
      """
      UPDATE millrace_slot_record SET end_recorded = FALSE, ended_at = NULL, result = NULL
      WHERE execution_id = :id
      """;

  /**
   * Update that makes the sequence due now: it may have been idle since a slot came while the
   * execution waited for an operator.
   */
  private static final String MAKE_DUE =
      """
      UPDATE millrace_sequence SET
        due_at = :now, resumed = TRUE, revision = revision + 1, modified_at = :now
      WHERE sequence_id = (SELECT r.sequence_id FROM millrace_slot_record r
          WHERE r.execution_id = :id)
        AND execution_id = :id AND active = TRUE AND paused_by IS NULL AND due_at IS NULL
        AND next_run_at IS NOT NULL
      """;

  private record Found(long recordId, String sequenceId) {}

  private record Ended(
      long recordId, String sequenceId, long executionId, String result, Instant ended) {}

  private ExecutionEndWriter() {}

  /**
   * Records the ends of executions, at most {@code limit}. Returns the number of slot records that
   * were examined.
   */
  static int recordEnds(SqlSession session, int limit) throws SQLException {
    List<Found> found =
        session.query(
            FIND_ENDED,
            Params.of("limit", limit),
            row -> new Found(row.getLong("id"), row.getString("sequence_id")));
    if (found.isEmpty()) {
      return 0;
    }
    SequenceRows.lock(session, found.stream().map(Found::sequenceId).distinct().toList());
    List<Ended> ended =
        session.query(
            READ_ENDED,
            Params.none().longs("records", found, Found::recordId),
            row ->
                new Ended(
                    row.getLong("id"),
                    row.getString("sequence_id"),
                    row.getLong("execution_id"),
                    row.getString("result"),
                    ColumnTimes.read(row, "ended_at")));
    if (!ended.isEmpty()) {
      Params params = params(ended);
      session.update(RECORD_ENDS, params);
      session.update(GO_ON, params);
    }
    return found.size();
  }

  private static Params params(List<Ended> ended) {
    return Params.none()
        .longs("records", ended, Ended::recordId)
        .texts("sequences", ended, Ended::sequenceId)
        .longs("executions", ended, Ended::executionId)
        .texts("results", ended, Ended::result)
        .texts("ends", ended, one -> ColumnTimes.text(one.ended));
  }

  /**
   * Locks the sequence of an execution and then its slot record, for {@link #reopen}. Must come
   * before the lock of the instance, since a transaction that fires a sequence holds that of the
   * sequence when it cancels an execution. Waits for a transaction that records its end now. The
   * record's own lock keeps off the deletion of the records of a removed sequence, which changes
   * the instances.
   */
  static void lock(SqlSession session, long executionId) throws SQLException {
    Params params = Params.of("id", executionId);
    List<String> sequences =
        session.query(SEQUENCE_OF, params, row -> row.getString("sequence_id"));
    if (!sequences.isEmpty()) {
      SequenceRows.lock(session, sequences);
      session.forEachRow(LOCK_RECORD, params, row -> {});
    }
  }

  /**
   * Makes the end of an execution unrecorded, since it goes on after its end or after a wait for an
   * operator: the next end is recorded again, and the sequence is checked.
   *
   * @param waits true if it still waits for an operator, or again
   */
  static void reopen(SqlSession session, long executionId, boolean waits) throws SQLException {
    Params params = Params.of("id", executionId);
    session.update(REOPEN, params);
    if (!waits) {
      session.update(MAKE_DUE, params);
    }
  }
}
