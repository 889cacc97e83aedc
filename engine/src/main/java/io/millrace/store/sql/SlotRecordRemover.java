package io.millrace.store.sql;

import io.millrace.store.RetentionStore;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Deletes slot records: those of removed task sequences, and old ones. */
final class SlotRecordRemover {

  /** The removal of a task sequence. */
  static final NamedRemover.Kind SEQUENCE =
      new NamedRemover.Kind(
          "millrace_sequence_removal",
          "sequence_id",
          "task sequence",
          SlotRecordRemover::deletePart);

  /** The lock keeps the end of an execution and retention from what is about to be deleted. */
  private static final String SLOT_RECORDS =
      """
      SELECT id, execution_id FROM millrace_slot_record
      WHERE sequence_id = :id ORDER BY sequence_id, slot_at, id LIMIT :rows FOR UPDATE
      """;

  /** A sequence that is added again under the id has slots of its own. */
  private static final String FORGET_EXECUTIONS =
      """
      UPDATE millrace_instance SET external_id = NULL
      WHERE id = ANY(CAST(:executions AS bigint ARRAY)) AND external_id IS NOT NULL
      """;

  private static final String DELETE =
      "DELETE FROM millrace_slot_record WHERE id = ANY(CAST(:records AS bigint ARRAY))";

  /**
   * Query for old slot records. A slot is decided when it is due or later, so that the index of
   * slots finds old ones. They are locked in the order of the index, as by the removal of their
   * sequence: a delete with this condition would choose its own order.
   */
  private static final String FIND_OLD =
      """
      SELECT r.id FROM millrace_slot_record r
      WHERE r.slot_at < (SELECT BEFORE) AND r.recorded_at < (SELECT BEFORE)
        AND r.end_recorded = TRUE
        AND (SELECT w.id FROM millrace_instance w WHERE w.id = r.execution_id) IS NULL
        AND (SELECT a.id FROM millrace_archive_instance a WHERE a.id = r.execution_id) IS NULL
        AND (SELECT s.sequence_id FROM millrace_sequence s
          WHERE s.sequence_id = r.sequence_id AND s.execution_id = r.execution_id) IS NULL
      ORDER BY r.slot_at, r.id LIMIT :limit
      """
          .replace("BEFORE", SqlRetentionStore.BEFORE);

  private record SlotRecordRow(long id, @Nullable Long executionId) {}

  private SlotRecordRemover() {}

  /** Deletes records of slots that were decided longer ago than {@code age}. */
  static int deleteOld(SqlSession session, Duration age, int limit) throws SQLException {
    List<Long> old =
        session.query(
            FIND_OLD + session.dialect().skipLocked(),
            SqlRetentionStore.params(age, limit),
            row -> row.getLong("id"));
    return old.isEmpty() ? 0 : session.update(DELETE, Params.none().longs("records", old));
  }

  private static boolean deletePart(SqlSession session, String sequenceId) throws SQLException {
    List<SlotRecordRow> records =
        session.query(
            SLOT_RECORDS,
            Params.of("id", sequenceId).set("rows", RetentionStore.ROWS_PER_PART),
            row ->
                new SlotRecordRow(row.getLong("id"), RowMappers.longOrNull(row, "execution_id")));
    List<Long> executions =
        records.stream().map(SlotRecordRow::executionId).filter(Objects::nonNull).toList();
    if (!executions.isEmpty()) {
      session.update(FORGET_EXECUTIONS, Params.none().longs("executions", executions));
    }
    if (!records.isEmpty()) {
      session.update(DELETE, Params.none().longs("records", records, SlotRecordRow::id));
    }
    return records.size() == RetentionStore.ROWS_PER_PART;
  }
}
