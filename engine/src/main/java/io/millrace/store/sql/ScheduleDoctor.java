package io.millrace.store.sql;

import io.millrace.store.sql.SqlDoctor.Check;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Whether schedules fire, whether what has failed is looked at, and whether messages get out. */
final class ScheduleDoctor {

  /** Nothing needs as long as this where a node is at work. */
  private static final String LATE =
      """
      SELECT COUNT(*) AS workflows FROM millrace_schedule
      WHERE due < CURRENT_TIMESTAMP - INTERVAL '10' MINUTE
        AND modified < CURRENT_TIMESTAMP - INTERVAL '10' MINUTE
      """;

  private static final String ABORTED =
      """
      SELECT COUNT(*) AS workflows FROM millrace_workflow_config
      WHERE status = 'ABORTED' AND isactive
      """;

  private static final String UNSENT =
      "SELECT COUNT(*) AS messages FROM millrace_outbox WHERE error IS NOT NULL";

  private ScheduleDoctor() {}

  static Check examine(Session session) throws SQLException {
    List<String> findings = new ArrayList<>();
    List<String> advice = new ArrayList<>();
    long late = count(session, LATE);
    if (late > 0) {
      findings.add(late + " workflows have been due for more than ten minutes.");
      advice.add("Start a server of their executor group; docs/server.md tells how.");
    }
    long aborted = count(session, ABORTED);
    if (aborted > 0) {
      findings.add(aborted + " active workflows are ABORTED and wait for a person.");
      advice.add("Mend the cause, then restart them: millrace sequences restart ID.");
    }
    long unsent = count(session, UNSENT);
    if (unsent > 0) {
      findings.add(unsent + " messages to tasks could not be sent.");
      advice.add("Look after the broker; the tasks begin later without their messages.");
    }
    return findings.isEmpty()
        ? Check.ok("schedules", "No workflow is late, none waits for a person.")
        : Check.warn("schedules", String.join(" ", findings), String.join(" ", advice));
  }

  private static long count(Session session, String sql) throws SQLException {
    return session.first(sql, Params.none(), row -> row.getLong(1)).orElse(0L);
  }
}
