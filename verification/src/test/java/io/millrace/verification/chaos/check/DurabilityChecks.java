package io.millrace.verification.chaos.check;

import java.util.List;

/** The checks of I5: a transition that was seen as accepted is in the history later. */
final class DurabilityChecks {

  private static final String SAVED =
      """
      SELECT format('instance %s, seq %s: %s to %s under lease version %s of executor %s was accepted, and history has %s',
        s.id, s.seq, s.from_state, s.to_state, s.lv, s.executor,
        COALESCE(a.from_state || ' to ' || a.to_state || ' by ' || a.executor_id, 'nothing'))
      FROM chaos_saved s
      LEFT JOIN millrace_history a ON a.instance_id = s.id AND a.seq = s.seq
      WHERE a.seq IS NULL OR a.lease_version <> s.lv OR a.executor_id IS DISTINCT FROM s.executor
        OR a.from_state <> s.from_state OR a.to_state <> s.to_state
      """;

  private static final String ACTIONS =
      """
      SELECT format('%s of instance %s with key %s was acknowledged and left nothing', c.op, c.id, c.key)
      FROM chaos_call c
      WHERE c.phase = 'OK' AND c.op IN ('cancel', 'pause', 'resume', 'wake')
        AND NOT EXISTS (SELECT 1 FROM millrace_history a
          WHERE a.instance_id = c.id AND a.reason = c.key)
        AND NOT EXISTS (SELECT 1 FROM millrace_message s
          WHERE s.instance_id = c.id AND s.reason = c.key)
      """;

  private static final String SIGNALS =
      """
      SELECT format('signal %s to instance %s was acknowledged and is stored %s times', c.key, c.id,
        (SELECT count(*) FROM millrace_message s
          WHERE s.instance_id = c.id AND s.dedupe_key = c.key))
      FROM chaos_call c
      WHERE c.phase = 'OK' AND c.op = 'signal'
        AND (SELECT count(*) FROM millrace_message s
          WHERE s.instance_id = c.id AND s.dedupe_key = c.key) <> 1
      """;

  private static final String UNDOCUMENTED =
      """
      SELECT format('%s by %s: %s', c.op, c.node, c.error)
      FROM chaos_call c
      WHERE c.phase = 'UNKNOWN' AND c.node = 'client'
        AND c.error NOT LIKE 'io.millrace.store.StoreException%'
      """;

  private DurabilityChecks() {}

  static List<Check> all() {
    return List.of(
        new Check("I5", "an accepted transition is in the history", SAVED),
        new Check("I5", "an acknowledged action is in the history or in the inbox", ACTIONS),
        new Check("I5", "an acknowledged signal is stored once", SIGNALS),
        new Check("I5", "callers get the documented exceptions only", UNDOCUMENTED));
  }
}
