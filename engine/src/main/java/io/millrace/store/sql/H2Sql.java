package io.millrace.store.sql;

/** The statements that differ in H2. */
final class H2Sql {

  private static final String CLAIMABLE =
      """
      FROM millrace_instance
      WHERE claimable = TRUE AND executor_group = :executorGroup AND priority = :priority
      """;

  private static final String IN_ORDER =
      "ORDER BY claimable, executor_group, priority, next_activation_at, id LIMIT :limit";

  static final String DUE = due("");

  static final String DUE_FROM = due("AND next_activation_at >= :dueFrom ");

  static final String CLAIM =
      """
      UPDATE millrace_instance SET executor_id = :executorId, lease_version = lease_version + 1,
        attempt = attempt + 1, wake_at = NULL, modified_at = :now
      WHERE id = :id AND lease_version = :leaseVersion AND claimable = TRUE AND next_activation_at <= :now
      """;

  static final String CLAIM_FOR_CHANNEL =
      "UPDATE millrace_instance w SET "
          + ChannelClaimer.ASSIGNMENTS
          + ", next_activation_at = LEAST(w.next_activation_at, :now), modified_at = :now"
          + " WHERE w.id = :id AND w.seq = :seq AND "
          + ChannelClaimer.WAITS;

  static final String CLAIMED =
      "SELECT "
          + RowMappers.INSTANCE
          + ", "
          + InstanceClaimer.INPUT
          + """
          , :now AS now FROM millrace_instance w
          WHERE w.id = ANY(CAST(:ids AS bigint ARRAY))
          ORDER BY w.priority DESC, w.next_activation_at, w.id
          """;

  static final String UPCOMING =
      "SELECT next_activation_at "
          + CLAIMABLE
          + """
          AND next_activation_at > :now AND definition_id = ANY(CAST(:definitions AS integer ARRAY))
          """
          + IN_ORDER;

  static final String OLDEST_DUE =
      "SELECT MIN(next_activation_at) AS due FROM millrace_instance WHERE claimable = TRUE AND"
          + " next_activation_at <= :now";

  static final String IDS =
      "SELECT NEXT VALUE FOR millrace_instance_id_seq AS id FROM SYSTEM_RANGE(1, :count)";

  static final String INSERT =
      "INSERT INTO millrace_instance ("
          + InstanceInserter.COLUMNS
          + ") SELECT d.row_key, "
          + InstanceInserter.VALUES
          + " FROM "
          + InstanceInserter.ROWS;

  static final String WRITE =
      "SELECT id, inbox_count FROM FINAL TABLE (MERGE INTO millrace_instance w USING "
          + TransitionSql.ROWS
          + " ON ("
          + FenceSql.OF_ROWS
          + ") WHEN MATCHED THEN UPDATE SET "
          + TransitionSql.ASSIGNMENTS
          + ")";

  static final String WRITE_HISTORY = TransitionSql.INSERT_HISTORY + TransitionSql.ROWS;

  static final String PROGRESS =
      """
      UPDATE millrace_instance SET progress_done = :done, progress_total = :total,
        progress_text = :text, modified_at = :now
      WHERE
      """
          + FenceSql.OF_ROW;

  private H2Sql() {}

  private static String due(String from) {
    return "SELECT id, lease_version "
        + CLAIMABLE
        + from
        + """
        AND next_activation_at <= :now AND definition_id = ANY(CAST(:definitions AS integer ARRAY))
        """
        + IN_ORDER;
  }
}
