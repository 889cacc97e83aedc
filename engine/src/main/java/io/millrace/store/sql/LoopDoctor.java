package io.millrace.store.sql;

import io.millrace.store.sql.SqlDoctor.Check;
import java.sql.SQLException;
import java.util.List;

/** A check that no background loop of the running executors has failed. */
final class LoopDoctor {

  private static final String FAILED =
      """
      SELECT id, host, loop_failures FROM millrace_executor
      WHERE stopped_at IS NULL AND expires_at >= CURRENT_TIMESTAMP AND loop_failures IS NOT NULL
      ORDER BY id
      """;

  private LoopDoctor() {}

  static Check examine(SqlSession session) throws SQLException {
    List<String> findings =
        session.query(
            FAILED,
            Params.none(),
            row ->
                "Executor "
                    + row.getLong("id")
                    + " on "
                    + row.getString("host")
                    + ": "
                    + row.getString("loop_failures"));
    return findings.isEmpty()
        ? Check.ok("loops", "No background loop of a running executor has failed.")
        : Check.warn(
            "loops",
            String.join(" ", findings),
            "Each loop was restarted; read the log of that process at that time, and recycle the"
                + " executor if it goes on.");
  }
}
