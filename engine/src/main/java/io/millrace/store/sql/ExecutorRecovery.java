package io.millrace.store.sql;

import io.millrace.store.ExecutorStore.Recovered;
import io.millrace.store.FailureFingerprint;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The statements that recover the instances of a dead executor. */
final class ExecutorRecovery {

  private static final String LOCK =
      """
      SELECT e.host, DEAD AS dead
      FROM millrace_executor e WHERE e.id = :dead FOR UPDATE
      """
          .replace("DEAD", SqlExecutorStore.DEAD);

  /**
   * Query without an order by ids, which could be read from the primary key, through all rows of
   * all others.
   */
  private static final String PAGE =
      """
      SELECT id, type, state, recovery_count FROM millrace_instance
      WHERE executor_id = :dead LIMIT :limit
      """;

  private static final String RECOVER =
      """
      UPDATE millrace_instance SET
        executor_id = NULL,
        seq = seq + 1,
        recovery_count = recovery_count + 1,
        status = CASE WHEN recovery_count + 1 >= :maxRecoveries THEN 'manual' ELSE status END,
        reason = CASE WHEN recovery_count + 1 >= :maxRecoveries THEN CAST(:parked AS varchar)
                      ELSE CAST(:reason AS varchar) END,
        wake_at = NULL,
        next_activation_at = :now,
        modified_at = :now
      WHERE id = ANY(CAST(:ids AS bigint ARRAY))
      """;

  /** Insert of the history entries, from the rows that {@link #RECOVER} has changed. */
  private static final String INSERT_HISTORY =
      """
      INSERT INTO millrace_history (instance_id, seq, type, from_state, to_state, reason,
        executor_id, lease_version, attempt, started_at, ended_at)
      SELECT id, seq, 'recovery', state, state, reason,
        :by, lease_version, 0, modified_at, modified_at
      FROM millrace_instance WHERE id = ANY(CAST(:ids AS bigint ARRAY))
      """;

  private static final String MARK_RECOVERED =
      """
      UPDATE millrace_executor SET recovered_at = :now
      WHERE id = :dead AND recovered_at IS NULL
        AND NOT EXISTS (SELECT 1 FROM millrace_instance w WHERE w.executor_id = :dead)
      """;

  private record Owned(long id, String type, String state, int recoveries) {
    static Owned read(ResultSet row) throws SQLException {
      return new Owned(
          row.getLong("id"),
          row.getString("type"),
          row.getString("state"),
          row.getInt("recovery_count"));
    }

    boolean parks(int maxRecoveries) {
      return recoveries + 1 >= maxRecoveries;
    }
  }

  private ExecutorRecovery() {}

  static List<Recovered> recover(
      SqlSession session, long deadExecutorId, long byExecutorId, int limit, int maxRecoveries)
      throws SQLException {
    Params dead = Params.of("dead", deadExecutorId).set("limit", limit);
    Optional<Holder> holder =
        session.first(LOCK, dead, row -> new Holder(row.getString("host"), row.getBoolean("dead")));
    if (holder.isPresent() && !holder.get().dead) {
      return List.of();
    }
    List<Owned> page = session.query(PAGE + session.dialect().skipLocked(), dead, Owned::read);
    String host = holder.map(Holder::host).orElse("a machine that is forgotten");
    String deadExecutor = "Executor " + deadExecutorId + " on " + host;
    if (!page.isEmpty()) {
      release(session, page, params(deadExecutor, byExecutorId, maxRecoveries));
      FailureFingerprintWriter.write(session, parked(page, maxRecoveries));
    }
    session.hooks().executorDied(session, deadExecutorId, deadExecutor);
    if (page.size() < limit) {
      session.update(MARK_RECOVERED, dead);
    }
    return page.stream().map(owned -> new Recovered(owned.id, owned.parks(maxRecoveries))).toList();
  }

  private static Map<Long, String> parked(List<Owned> page, int maxRecoveries) {
    return page.stream()
        .filter(owned -> owned.parks(maxRecoveries))
        .collect(
            Collectors.toMap(
                Owned::id, owned -> FailureFingerprint.ofDeaths(owned.type, owned.state)));
  }

  private record Holder(String host, boolean dead) {}

  private static Params params(String deadExecutor, long byExecutorId, int maxRecoveries) {
    return Params.of("by", byExecutorId)
        .set("maxRecoveries", maxRecoveries)
        .set("reason", deadExecutor + " died while it held this instance.")
        .set(
            "parked",
            deadExecutor
                + " died while it held this instance, the last of "
                + maxRecoveries
                + " in a row. Parked, since the instance may be the cause.");
  }

  private static void release(SqlSession session, List<Owned> page, Params params)
      throws SQLException {
    params.longs("ids", page, Owned::id);
    session.update(RECOVER, params);
    session.update(INSERT_HISTORY, params);
  }
}
