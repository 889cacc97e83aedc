package io.millrace.store.sql;

import java.util.Set;

/** The statements that differ in PostgreSQL. */
final class PostgresSql {

  /**
   * Claim of due instances. The time comes from a scalar subquery, since an index cannot be
   * searched with a volatile function. The innermost limit stops the scan of a level, the outer one
   * the walk over the levels. The rows come in no order.
   */
  static final String CLAIM = claim("generate_series(9, 0, -1) AS level(priority)", "");

  /** Claim like {@link #CLAIM}, from a due time on for each priority. */
  static final String CLAIM_FROM =
      claim(
          "UNNEST(CAST(:dueFrom AS varchar ARRAY)) WITH ORDINALITY AS given(due_from, place)"
              + " CROSS JOIN LATERAL (SELECT 10 - place AS priority,"
              + " CAST(due_from AS timestamp with time zone) AS due_from) level",
          " AND w.next_activation_at >= level.due_from");

  /**
   * Claim of named instances, for a channel. Skips rows that another transaction has locked: their
   * instances are about to continue. A condition inside of CASE makes the lookup use the id of each
   * instance, and not all waiting ones.
   */
  static final String CLAIM_FOR_CHANNEL =
      """
      WITH clock AS MATERIALIZED (SELECT :now AS now),
      named AS MATERIALIZED (
        SELECT w.id
        FROM (SELECT d.* FROM UNNEST(CAST(:ids AS bigint ARRAY), CAST(:seqs AS integer ARRAY))
                AS d(id, seq) LIMIT (SELECT 2147483647)) d
        JOIN millrace_instance w ON w.id = d.id
        WHERE CASE WHEN w.seq = d.seq AND WAITS THEN TRUE ELSE FALSE END
        FOR UPDATE OF w SKIP LOCKED)
      UPDATE millrace_instance w SET ASSIGNMENTS,
        next_activation_at = LEAST(w.next_activation_at, clock.now), modified_at = clock.now
      FROM named, clock WHERE w.id = named.id
      RETURNING INSTANCE, INPUT, clock.now
      """
          .replace("WAITS", ChannelClaimer.WAITS)
          .replace("ASSIGNMENTS", ChannelClaimer.ASSIGNMENTS.strip())
          .replace("INSTANCE", RowMappers.INSTANCE)
          .replace("INPUT", InstanceClaimer.INPUT);

  /**
   * Query for the next due time. Reads the next hundred of each level, some of which may be for
   * other executors.
   */
  static final String UPCOMING =
      """
      SELECT clock.now, (
        SELECT MIN(soonest.next_activation_at)
        FROM generate_series(0, 9) AS level(priority)
        CROSS JOIN LATERAL (
          SELECT w.next_activation_at, w.definition_id FROM millrace_instance w
          WHERE w.executor_group = :executorGroup AND w.priority = level.priority
            AND w.next_activation_at > clock.now
            AND w.executor_id IS NULL AND w.status IN ('created', 'inProgress')
          ORDER BY w.next_activation_at, w.id
          LIMIT 100) soonest
        WHERE soonest.definition_id = ANY(CAST(:definitions AS integer ARRAY))) AS next_due
      FROM (SELECT :now AS now) clock
      """;

  /** Query for the oldest due time of each group and priority, each found from the previous one. */
  static final String OLDEST_DUE =
      """
      WITH RECURSIVE level AS (
        (SELECT w.executor_group, w.priority FROM millrace_instance w
         WHERE CLAIMABLE ORDER BY w.executor_group, w.priority LIMIT 1)
        UNION ALL
        SELECT next.executor_group, next.priority FROM level CROSS JOIN LATERAL (
          SELECT w.executor_group, w.priority FROM millrace_instance w
          WHERE CLAIMABLE AND (w.executor_group, w.priority) > (level.executor_group, level.priority)
          ORDER BY w.executor_group, w.priority LIMIT 1) next)
      SELECT MIN(first.due) AS due FROM level CROSS JOIN LATERAL (
        SELECT w.next_activation_at AS due FROM millrace_instance w
        WHERE CLAIMABLE AND w.executor_group = level.executor_group AND w.priority = level.priority
        ORDER BY w.next_activation_at LIMIT 1) first
      WHERE first.due <= :now
      """
          .replace(
              "CLAIMABLE",
              "w.executor_id IS NULL AND w.status IN ('created', 'inProgress')"
                  + " AND w.next_activation_at IS NOT NULL");

  static final String INSERT =
      insert(
          InstanceInserter.ROWS,
          " ON CONFLICT DO NOTHING RETURNING id",
          " JOIN inserted ON inserted.id = started.id");

  /** Insert of plain rows, which cannot conflict. */
  static final String INSERT_PLAIN = insert(InstanceInserter.PLAIN_ROWS, "", "");

  /** Statements whose best plan does not depend on statistics, so their plans may be cached. */
  static final Set<String> READING_NO_TABLE = Set.of(INSERT, INSERT_PLAIN);

  static final String WRITE = write(TransitionSql.ROWS);

  static final String WRITE_PLAIN = write(TransitionSql.PLAIN_ROWS);

  static final String PROGRESS =
      """
      UPDATE millrace_instance w SET progress_done = d.done, progress_total = d.total,
        progress_text = d.text, modified_at = :now
      FROM (
        SELECT w.id, d.done, d.total, d.text
        FROM (SELECT d.* FROM UNNEST(
          CAST(:ids AS bigint ARRAY), CAST(:executorIds AS bigint ARRAY),
          CAST(:leaseVersions AS integer ARRAY), CAST(:seqs AS integer ARRAY),
          CAST(:dones AS bigint ARRAY), CAST(:totals AS bigint ARRAY), CAST(:texts AS varchar ARRAY))
          AS d(id, executor_id, lease_version, seq, done, total, text)
      """
          + Params.EXPECT_FEW
          + ") d JOIN millrace_instance w ON "
          + FenceSql.OF_ROWS
          + " FOR UPDATE OF w SKIP LOCKED) d WHERE w.id = d.id";

  private PostgresSql() {}

  private static String claim(String levels, String from) {
    return """
    WITH clock AS MATERIALIZED (SELECT :now AS now),
    due AS MATERIALIZED (
      SELECT picked.id
      FROM %s
      CROSS JOIN LATERAL (
        SELECT w.id FROM millrace_instance w
        WHERE w.executor_group = :executorGroup AND w.priority = level.priority
          AND w.next_activation_at <= (SELECT now FROM clock)%s
          AND w.executor_id IS NULL AND w.status IN ('created', 'inProgress')
          AND w.definition_id = ANY(CAST(:definitions AS integer ARRAY))
        ORDER BY w.next_activation_at, w.id
        LIMIT :limit
        FOR UPDATE SKIP LOCKED) picked
      LIMIT :limit)
    UPDATE millrace_instance w SET
      executor_id = :executorId,
      lease_version = w.lease_version + 1,
      attempt = w.attempt + 1,
      wake_at = NULL,
      modified_at = clock.now
    FROM due, clock
    WHERE w.id = due.id
    RETURNING %s, %s, clock.now
    """
        .formatted(levels, from, RowMappers.INSTANCE, InstanceClaimer.INPUT);
  }

  /**
   * Returns an insert of rows.
   *
   * @param inserted condition on the rows to return; empty for all
   */
  private static String insert(String rows, String conflicts, String inserted) {
    return """
    WITH started AS MATERIALIZED (
      SELECT nextval('millrace_instance_id_seq') AS id, d.* FROM ROWS),
    inserted AS (
      INSERT INTO millrace_instance (COLUMNS)
      SELECT d.id, VALUES
      FROM started dCONFLICTS)
    SELECT started.row_key, started.id, started.now FROM startedINSERTED
    """
        .replace("ROWS", rows.strip())
        .replace("COLUMNS", InstanceInserter.COLUMNS.strip())
        .replace("VALUES", InstanceInserter.VALUES.strip())
        .replace("CONFLICTS", conflicts)
        .replace("INSERTED", inserted);
  }

  /** Returns a save: updates the instances whose fence holds, and inserts their history entries. */
  private static String write(String rows) {
    return """
    WITH saved AS MATERIALIZED (
      SELECT d.* FROM ROWS EXPECT_FEW),
    updated AS (
      UPDATE millrace_instance w SET
      ASSIGNMENTS
      FROM saved d WHERE FENCE
      RETURNING ENTRY, w.inbox_count),
    recorded AS (
      INSERT_HISTORY
      updated d)
    SELECT updated.id, updated.inbox_count FROM updated
    """
        .replace("ROWS", rows.strip())
        .replace("EXPECT_FEW", Params.EXPECT_FEW.strip())
        .replace("ASSIGNMENTS", TransitionSql.ASSIGNMENTS.strip())
        .replace("FENCE", FenceSql.OF_ROWS.strip())
        .replace("ENTRY", TransitionSql.ENTRY.strip())
        .replace("INSERT_HISTORY", TransitionSql.INSERT_HISTORY.strip());
  }
}
