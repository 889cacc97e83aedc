package io.millrace.store.sql;

import io.millrace.store.sql.SqlDoctor.Check;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** A check that schedules fire, that failures are handled, and that messages are sent. */
final class ScheduleDoctor {

  /** Query for sequences that have been due longer than a working node ever needs. */
  private static final String LATE =
      """
      SELECT COUNT(*) AS sequences FROM millrace_sequence
      WHERE due_at < CURRENT_TIMESTAMP - INTERVAL '10' MINUTE
        AND modified_at < CURRENT_TIMESTAMP - INTERVAL '10' MINUTE
      """;

  private static final String ABORTED =
      """
      SELECT sequence_id FROM millrace_sequence_status
      WHERE status = 'ABORTED' AND active = TRUE ORDER BY sequence_id
      """;

  /**
   * Query for sequences whose tasks, in the current form or in that of an open execution, no live
   * executor of the group knows, although there are some.
   */
  private static final String UNRUNNABLE =
      """
      SELECT s.sequence_id FROM millrace_sequence s
      LEFT JOIN millrace_instance w ON w.id = s.execution_id AND w.ended_at IS NULL
        AND w.executor_id IS NULL
      LEFT JOIN millrace_definition d
        ON d.type = s.type AND d.version = COALESCE(w.version, s.definition_version)
      WHERE (s.active OR w.id IS NOT NULL) AND COALESCE(w.version, s.definition_version) IS NOT NULL
        AND s.modified_at < CURRENT_TIMESTAMP - INTERVAL '15' SECOND
        AND (SELECT MAX(CASE WHEN ',' || e.definition_ids || ',' LIKE
            '%,' || COALESCE(CAST(d.id AS varchar), 'none') || ',%' THEN 1 ELSE 0 END)
          FROM millrace_executor e
          WHERE e.executor_group = s.executor_group AND e.stopped_at IS NULL
            AND e.expires_at > CURRENT_TIMESTAMP AND e.state = 'ACTIVE') = 0
      ORDER BY s.sequence_id
      """;

  private static final String COMPONENTS =
      """
      SELECT t.name, t.component FROM millrace_sequence_task q
      JOIN millrace_task t ON t.id = q.task_id
      WHERE q.sequence_id = :id ORDER BY q.position
      """;

  private static final int MAX_NAMED = 10;

  private static final String UNSENT =
      "SELECT COUNT(*) AS messages FROM millrace_outbox WHERE error IS NOT NULL";

  private ScheduleDoctor() {}

  static Check examine(SqlSession session) throws SQLException {
    List<String> findings = new ArrayList<>();
    List<String> advice = new ArrayList<>();
    long late = count(session, LATE);
    if (late > 0) {
      findings.add(late + " sequences have been due for more than ten minutes.");
      advice.add("Start a server of their executor group; docs/server.md tells how.");
    }
    List<String> aborted = names(session, ABORTED);
    if (!aborted.isEmpty()) {
      findings.add(
          aborted.size()
              + " active sequences are ABORTED and wait for an operator: "
              + some(aborted)
              + ".");
      advice.add("Mend the cause, then restart them: millrace sequences restart ID.");
    }
    List<String> unrunnable = names(session, UNRUNNABLE);
    if (!unrunnable.isEmpty()) {
      List<String> named = new ArrayList<>();
      for (String id : unrunnable.subList(0, Math.min(unrunnable.size(), MAX_NAMED))) {
        named.add(id + " (" + components(session, id) + ")");
      }
      findings.add(
          unrunnable.size()
              + " sequences have tasks that no live executor of their group can run: "
              + String.join(", ", named)
              + (unrunnable.size() > MAX_NAMED ? ", ..." : "")
              + ".");
      advice.add("Put the jars with their classes into the folder of jars, or correct the tasks.");
    }
    long unsent = count(session, UNSENT);
    if (unsent > 0) {
      findings.add(unsent + " messages to tasks could not be sent.");
      advice.add("Look after the broker; the tasks begin later without their messages.");
    }
    return findings.isEmpty()
        ? Check.ok("schedules", "No sequence is late, none waits for an operator.")
        : Check.warn("schedules", String.join(" ", findings), String.join(" ", advice));
  }

  private static List<String> names(SqlSession session, String sql) throws SQLException {
    return session.query(sql, Params.none(), row -> row.getString(1));
  }

  private static String some(List<String> names) {
    return String.join(", ", names.subList(0, Math.min(names.size(), MAX_NAMED)))
        + (names.size() > MAX_NAMED ? ", ..." : "");
  }

  private static String components(SqlSession session, String id) throws SQLException {
    return String.join(
        ", ",
        session.query(
            COMPONENTS,
            Params.of("id", id),
            row -> "task " + row.getString(1) + ": " + row.getString(2)));
  }

  private static long count(SqlSession session, String sql) throws SQLException {
    return session.first(sql, Params.none(), row -> row.getLong(1)).orElse(0L);
  }
}
