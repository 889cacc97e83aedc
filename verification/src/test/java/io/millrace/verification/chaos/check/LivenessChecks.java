package io.millrace.verification.chaos.check;

import io.millrace.fixtures.ProcessTicker;
import java.util.List;

/**
 * The checks of I9: a due instance runs, and no executor owns an instance for long without knowing
 * it.
 */
final class LivenessChecks {

  private static final String OWNED =
      """
      SELECT format('%s instance %s is owned by executor %s, which is gone', w.type, w.id,
        w.executor_id)
      FROM millrace_instance w WHERE w.executor_id IS NOT NULL
      """;

  private static final String STUCK =
      """
      SELECT format('%s instance %s in %s has been due since %s', w.type, w.id, w.state,
        w.next_activation_at)
      FROM millrace_instance w
      WHERE w.status IN ('created', 'inProgress')
        AND w.next_activation_at < (SELECT at FROM chaos_phase WHERE phase = 'QUIET_ENDED')
          - INTERVAL '15 seconds'
      """;

  private static final String FORGOTTEN_WAIT =
      """
      SELECT format('family %s waits for children, all of which have ended', w.id)
      FROM millrace_instance w
      WHERE w.waiting_for = 'children' AND w.status = 'inProgress' AND w.next_activation_at IS NULL
        AND w.open_child_count = 0
      """;

  /** Slow recoveries, counted only if at least one process could run for nearly as long. */
  private static final String SLOW_RECOVERY =
      """
      SELECT format('instance %s, held by %s when it was killed at %s, started again after %s s',
        id, node, killed, round(seconds::numeric, 1))
      FROM chaos_recovery r WHERE alone AND seconds > 20
        AND (SELECT max(n) FROM (SELECT count(*) AS n FROM chaos_beat p WHERE p.at > killed
          AND p.at < killed + seconds * INTERVAL '1 second' GROUP BY p.pid) beats) > {limit}
      """
          .replace("{limit}", "" + 19 * ProcessTicker.PER_SECOND);

  private static final String NO_RECOVERY =
      """
      SELECT format('instance %s, held by %s when it was killed at %s, never started again', id,
        node, killed)
      FROM chaos_recovery WHERE seconds IS NULL
      """;

  private LivenessChecks() {}

  static List<Check> all() {
    return List.of(
        new Check("I9", "nothing is owned when all nodes have stopped", OWNED),
        new Check("I9", "nothing stays due", STUCK),
        new Check("I9", "no parent waits for ended children", FORGOTTEN_WAIT),
        new Check("I9", "what a killed node held starts again within 20 s", SLOW_RECOVERY),
        new Check("I9", "what a killed node held starts again at all", NO_RECOVERY));
  }
}
