package io.millrace.store.sql;

import io.millrace.store.Fence;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** A check of the fence for writes to other things than the instance itself. */
final class FenceCheck {

  /**
   * Query that locks the row. The lock makes a recovery wait until the write is committed; a read
   * without it would let writes of a former holder through.
   */
  private static final String LOCK =
      """
      SELECT id FROM millrace_instance
      WHERE id = :id AND executor_id IS NOT DISTINCT FROM CAST(:executorId AS bigint)
        AND lease_version = :leaseVersion AND seq = :seq
      FOR UPDATE
      """;

  private FenceCheck() {}

  /**
   * Returns true if the fence holds, and will until the session's transaction ends; also without a
   * fence.
   */
  static boolean lockAndCheck(SqlSession session, @Nullable Fence fence) throws SQLException {
    return fence == null
        || session
            .first(
                LOCK,
                Params.of("id", fence.instanceId())
                    .set("executorId", fence.executorId())
                    .set("leaseVersion", fence.leaseVersion())
                    .set("seq", fence.seq()),
                row -> row.getLong("id"))
            .isPresent();
  }
}
