package io.millrace.store.sql;

import io.millrace.store.Fence;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** The right to write something else than the instance itself. */
final class FenceCheck {

  /**
   * The lock keeps a take-over waiting until the write is committed; a look without it would let
   * writes of a former holder through.
   */
  private static final String LOCK =
      """
      SELECT id FROM millrace_workflow
      WHERE id = :id AND executor_id IS NOT DISTINCT FROM CAST(:executorId AS bigint)
        AND lease_version = :leaseVersion AND seq = :seq
      FOR UPDATE
      """;

  private FenceCheck() {}

  /** True when the fence holds, and will until the session's transaction ends; and for no fence. */
  static boolean lockAndCheck(SqlSession sqlSession, @Nullable Fence fence) throws SQLException {
    return fence == null
        || sqlSession
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
