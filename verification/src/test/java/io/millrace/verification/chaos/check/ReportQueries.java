package io.millrace.verification.chaos.check;

/** The counts and times of a report: queries with a name and a value in each row. */
final class ReportQueries {

  static final String COUNTS =
      """
      SELECT * FROM (
        SELECT 'instances', count(*)::text FROM millrace_instance
        UNION ALL SELECT 'actions', count(*)::text FROM millrace_history
        UNION ALL (SELECT 'actions of type ' || type, count(*)::text
          FROM millrace_history GROUP BY type ORDER BY type)
        UNION ALL (SELECT 'instances at the end: ' || status, count(*)::text
          FROM millrace_instance GROUP BY status ORDER BY status)
        UNION ALL SELECT 'handler starts', count(*)::text FROM chaos_start
        UNION ALL SELECT 'accepted transitions seen', count(*)::text FROM chaos_saved
        UNION ALL SELECT 'late answers refused', count(*)::text FROM chaos_fenced
        UNION ALL (SELECT 'calls: ' || op || ' ' || phase, count(*)::text
          FROM chaos_call GROUP BY op, phase ORDER BY op, phase)
        UNION ALL SELECT 'calls without an outcome', count(*)::text FROM chaos_call c
          WHERE c.phase = 'INVOKE' AND NOT EXISTS (SELECT 1 FROM chaos_call o
            WHERE o.key = c.key AND o.phase <> 'INVOKE')
        UNION ALL (SELECT 'faults: ' || fault, count(*)::text
          FROM chaos_fault GROUP BY fault ORDER BY fault)
        UNION ALL SELECT 'nodes that ended by themselves with code ' || code, count(*)::text
          FROM chaos_death GROUP BY code
      ) numbers (name, value) ORDER BY name
      """;

  /**
   * Times of recoveries. Those that no other fault disturbed are compared with the goals; all
   * others are reported too.
   */
  static final String TIMES =
      """
      SELECT * FROM (
        SELECT 'kill -9 to the next start (' || CASE WHEN alone THEN 'alone' ELSE 'with other faults' END
            || '), s',
          format('%s instances, p50 %s, p99 %s, max %s', count(*),
            round(percentile_cont(0.5) WITHIN GROUP (ORDER BY seconds)::numeric, 1),
            round(percentile_cont(0.99) WITHIN GROUP (ORDER BY seconds)::numeric, 1),
            round(max(seconds)::numeric, 1))
        FROM chaos_recovery GROUP BY alone
        UNION ALL
        SELECT 'database back to the next start (' || CASE WHEN alone THEN 'alone' ELSE 'with other faults' END
            || '), s',
          format('%s times, %s within 5 s, p50 %s, max %s', count(*),
            count(*) FILTER (WHERE seconds <= 5),
            round(percentile_cont(0.5) WITHIN GROUP (ORDER BY seconds)::numeric, 1),
            round(max(seconds)::numeric, 1))
        FROM chaos_resume GROUP BY alone
        UNION ALL
        SELECT 'drains (' || CASE WHEN alone THEN 'alone' ELSE 'with other faults' END || ')',
          format('%s, %s of them without a row left, slowest %s ms', count(*),
            count(*) FILTER (WHERE owned = 0), max(millis))
        FROM chaos_drain GROUP BY alone
        UNION ALL
        SELECT 'nodes frozen', format('%s, and %s steps started under a lost lease', count(*),
          (SELECT count(*) FROM chaos_start s JOIN chaos_freeze f ON f.pid = s.pid
            AND s.at > f.ends + INTERVAL '1 second'
            JOIN millrace_history a ON a.instance_id = s.id AND a.seq = s.seq + 1
            AND a.type = 'recovery' AND a.ended_at < f.ends))
        FROM chaos_freeze
        UNION ALL
        SELECT 'timers, late by',
          format('%s, p50 %s s, p99 %s s', count(*),
            round(percentile_cont(0.5) WITHIN GROUP (ORDER BY late)::numeric, 2),
            round(percentile_cont(0.99) WITHIN GROUP (ORDER BY late)::numeric, 2))
        FROM (SELECT extract(epoch FROM min(s.at) - min(a.ended_at)) - 0.5 * (1 + s.id % 5) AS late
          FROM chaos_start s JOIN millrace_history a ON a.instance_id = s.id
            AND a.from_state = 'arm' AND a.to_state = 'ring'
          WHERE s.state = 'ring' GROUP BY s.id) timers
      ) numbers (name, value) ORDER BY name
      """;

  private ReportQueries() {}
}
