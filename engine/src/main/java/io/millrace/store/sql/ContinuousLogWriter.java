package io.millrace.store.sql;

import io.millrace.store.ContinuousStore.LogEntry;
import io.millrace.store.ContinuousStore.LogEntryType;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A writer of the log of continuous workflows. Its entries are numbered for each workflow by its
 * row, under the lock of that row: a transaction that writes one adds 1 to {@code log_seq}.
 */
final class ContinuousLogWriter {

  private static final String REASON = "CAST(:reason AS varchar)";
  private static final String DETAIL = "CAST(:detail AS varchar)";

  /** Insert of an entry of the run that is in the row now; the row is numbered afterwards. */
  private static final String HAPPENED =
      insert("a.log_seq + :ahead", "a.series", "a.generation", REASON, DETAIL);

  /** Insert of an entry of a run that has started; the row has been numbered. */
  private static final String BEGUN =
      insert("a.log_seq", "a.series", "a.generation", "a.run_reason", "a.run_mode");

  /** Insert of an entry of a series whose first run has not started; the row has been numbered. */
  private static final String ENABLED = insert("a.log_seq", "a.enable_count", "0", REASON, DETAIL);

  private static final String LIST =
      """
      SELECT seq, recorded_at, type, reason, executor_id, series, generation, epoch, detail
      FROM millrace_continuous_log WHERE name = :name AND seq < :before AND
      """
          + ContinuousRowReader.IS_THERE
          + " ORDER BY name DESC, seq DESC LIMIT :limit";

  /** Maximum number of entries of a workflow that are deleted in one transaction. */
  private static final int ROWS = 100;

  /**
   * Query for workflows with too many entries. Makes one lookup in each workflow's log, below those
   * that are kept.
   */
  private static final String TOO_MANY =
      """
      SELECT a.name, LEAST(a.log_seq - CAST(:keep AS bigint),
        (SELECT MIN(e.seq) FROM millrace_continuous_log e WHERE e.name = a.name) + :rows - 1)
        AS last, a.log_seq - CAST(:keep AS bigint) AS wanted
      FROM millrace_continuous_workflow a
      WHERE a.log_seq > :keep AND (SELECT e.seq FROM millrace_continuous_log e
        WHERE e.name = a.name AND e.seq <= a.log_seq - CAST(:keep AS bigint) LIMIT 1) IS NOT NULL
      ORDER BY a.name LIMIT :limit
      """;

  private static final String TRIM =
      """
      MERGE INTO millrace_continuous_log e USING (
        SELECT d.* FROM UNNEST(CAST(:names AS varchar ARRAY), CAST(:lasts AS bigint ARRAY))
          AS d(name, last)\
      """
          + Params.EXPECT_FEW
          + ") d ON (e.name = d.name AND e.seq <= d.last) WHEN MATCHED THEN DELETE";

  private record Last(String name, long seq, long wanted) {}

  /**
   * The result of deleting old entries.
   *
   * @param workflows how many workflows lost entries
   * @param more true if these workflows still have more entries than are kept
   */
  record Trimmed(int workflows, boolean more) {}

  private ContinuousLogWriter() {}

  private static String insert(
      String seq, String series, String generation, String reason, String detail) {
    return """
    INSERT INTO millrace_continuous_log
      (name, seq, recorded_at, type, reason, executor_id, series, generation, epoch, detail)
    SELECT a.name, %s, (SELECT :now), CAST(:type AS varchar), %s, a.executor_id, %s, %s, a.epoch, %s
    FROM millrace_continuous_workflow a
    """
            .formatted(seq, reason, series, generation, detail)
        + ContinuousRowReader.NAMED;
  }

  /**
   * Writes entries of rows that are changed afterwards.
   *
   * @param ahead the place among the entries of this transaction, from 1
   */
  static void happened(
      SqlSession session,
      Collection<String> names,
      LogEntryType type,
      @Nullable String reason,
      @Nullable String detail,
      int ahead)
      throws SQLException {
    session.update(
        HAPPENED,
        ContinuousRowReader.named(names)
            .set("type", type.name())
            .set("reason", ColumnTexts.word(reason))
            .set("detail", ColumnTexts.detail(detail))
            .set("ahead", ahead));
  }

  /** Writes entries of changed rows whose new runs have started. */
  static void begun(SqlSession session, Collection<String> names, LogEntryType type)
      throws SQLException {
    session.update(BEGUN, ContinuousRowReader.named(names).set("type", type.name()));
  }

  /** Writes entries of changed rows that start a new series. */
  static void enabled(
      SqlSession session, Collection<String> names, String reason, @Nullable String detail)
      throws SQLException {
    session.update(
        ENABLED,
        ContinuousRowReader.named(names)
            .set("type", LogEntryType.ENABLED.name())
            .set("reason", reason)
            .set("detail", ColumnTexts.detail(detail)));
  }

  static List<LogEntry> list(SqlSession session, String name, @Nullable Long before, int limit)
      throws SQLException {
    return session.query(
        LIST,
        Params.of("name", name)
            .set("before", before == null ? Long.valueOf(Long.MAX_VALUE) : before)
            .set("limit", limit),
        ContinuousLogWriter::read);
  }

  private static LogEntry read(ResultSet row) throws SQLException {
    return new LogEntry(
        row.getLong("seq"),
        ColumnTimes.read(row, "recorded_at"),
        LogEntryType.valueOf(row.getString("type")),
        row.getString("reason"),
        RowMappers.longOrNull(row, "executor_id"),
        new LogEntry.RunNumbers(
            row.getLong("series"), row.getLong("generation"), row.getLong("epoch")),
        row.getString("detail"));
  }

  /**
   * Deletes entries of some workflows that have more than the newest {@code keep}, the oldest
   * first; they may have more than can be deleted at once.
   */
  static Trimmed trim(SqlSession session, int keep, int limit) throws SQLException {
    List<Last> lasts =
        session.query(
            TOO_MANY,
            Params.of("keep", keep).set("rows", ROWS).set("limit", limit),
            row -> new Last(row.getString("name"), row.getLong("last"), row.getLong("wanted")));
    if (!lasts.isEmpty()) {
      session.update(
          TRIM, Params.none().texts("names", lasts, Last::name).longs("lasts", lasts, Last::seq));
    }
    return new Trimmed(lasts.size(), lasts.stream().anyMatch(last -> last.seq < last.wanted));
  }
}
