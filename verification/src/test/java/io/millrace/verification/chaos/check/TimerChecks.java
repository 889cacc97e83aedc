package io.millrace.verification.chaos.check;

import java.util.List;

/** The checks of I12: no timer fires before its time by the database's clock. */
final class TimerChecks {

  private static final String EARLY =
      """
      SELECT format('timer %s: rang at %s, armed at %s for %s ms', s.id, s.at, a.ended_at,
        500 * (1 + s.id % 5))
      FROM chaos_start s
      JOIN millrace_history a ON a.instance_id = s.id AND a.from_state = 'arm'
        AND a.to_state = 'ring' AND a.type = 'stateExecution'
      WHERE s.type = 'timer' AND s.state = 'ring'
        AND s.at < a.ended_at + (500 * (1 + s.id % 5)) * INTERVAL '1 millisecond'
        AND NOT EXISTS (SELECT 1 FROM chaos_call c WHERE c.op = 'wake' AND c.id = s.id)
      """;

  private static final String EARLY_RETRY =
      """
      SELECT format('instance %s, state %s: attempt %s began %s after the one before had failed',
        s.id, s.state, s.attempt, s.at - a.ended_at)
      FROM chaos_start s
      JOIN millrace_history a ON a.instance_id = s.id AND a.seq = s.seq
        AND a.type = 'stateExecutionFailed'
      WHERE s.type = 'flaky' AND s.at < a.ended_at + INTERVAL '240 milliseconds'
        AND NOT EXISTS (SELECT 1 FROM chaos_call c WHERE c.op = 'wake' AND c.id = s.id)
      """;

  private TimerChecks() {}

  static List<Check> all() {
    return List.of(
        new Check("I12", "no timer fires early", EARLY),
        new Check("I12", "no retry comes before its back-off", EARLY_RETRY));
  }
}
