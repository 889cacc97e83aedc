package io.millrace.store.sql;

import io.millrace.store.Fence;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * The condition of the {@linkplain Fence fence} in SQL. A save that starts children, consumes
 * messages or ends a child locks the rows first and compares them in {@link TransitionWriter}. The
 * store in memory compares in {@code MemoryInstance.heldUnder}.
 */
final class FenceSql {

  /**
   * Condition on the row {@code w} for writes in {@code d}. The executor is compared in a way that
   * no index can serve, or PostgreSQL may look up each row among all rows of the executor.
   */
  static final String OF_ROWS =
      """
      w.id = d.id AND w.executor_id IS NOT DISTINCT FROM d.executor_id
        AND w.lease_version = d.lease_version AND w.seq = d.seq
      """;

  /** Condition on a single row, as {@link #OF_ROWS}, with the parameters of {@link #params}. */
  static final String OF_ROW =
      """
      id = :id AND executor_id IS NOT DISTINCT FROM CAST(:executorId AS bigint)
        AND lease_version = :leaseVersion AND seq = :seq
      """;

  /**
   * Query that locks the row. The lock makes a recovery wait until the write is committed; a read
   * without it would let writes of a former holder through.
   */
  private static final String LOCK =
      """
      SELECT id FROM millrace_instance WHERE
      """
          + OF_ROW
          + "FOR UPDATE";

  private FenceSql() {}

  /** Returns the parameters of {@link #OF_ROW}. */
  static Params params(Fence fence) {
    return Params.of("id", fence.instanceId())
        .set("executorId", fence.executorId())
        .set("leaseVersion", fence.leaseVersion())
        .set("seq", fence.seq());
  }

  /**
   * Returns true if the fence holds, and will until the session's transaction ends; also without a
   * fence. For writes to other things than the instance itself.
   */
  static boolean lockAndCheck(SqlSession session, @Nullable Fence fence) throws SQLException {
    return fence == null
        || session.first(LOCK, params(fence), row -> row.getLong("id")).isPresent();
  }
}
