package io.millrace.verification.chaos.check;

import io.millrace.fixtures.ProcessTicker;
import java.util.List;

/**
 * The checks of I7 and I8: an executor that has lost the lease stops, so that two executors run a
 * step at once only if one of them cannot.
 *
 * <p>An executor gets a second to stop, and as many beats as a second has, because it is not at
 * fault if a busy machine did not let its process run.
 */
final class StopChecks {

  /**
   * Condition that process {@code %1$s} has more than a second's beats between {@code %2$s} and
   * {@code %3$s}.
   */
  private static final String COULD_RUN =
      """
        AND (SELECT count(*) FROM chaos_beat p
          WHERE p.pid = %1$s AND p.at > %2$s AND p.at < %3$s) > {second}
      """
          .replace("{second}", "" + ProcessTicker.PER_SECOND);

  /**
   * Steps that start under a lost lease. An operator action takes a lease at any time; its holder
   * learns of it with the next heartbeat.
   */
  private static final String START_AFTER_FENCE =
      """
      SELECT format('instance %s, state %s, seq %s: started by %s at %s under lease version %s, but seq %s (%s) was accepted at %s',
        s.id, s.state, s.seq, s.node, s.at, s.lv, a.seq, a.type, a.ended_at)
      FROM chaos_start s
      JOIN millrace_history a ON a.instance_id = s.id AND a.seq = s.seq + 1
      WHERE s.at > a.ended_at + INTERVAL '1 second'
        AND (a.type LIKE 'stateExecution%' OR a.type = 'recovery')
        AND NOT EXISTS (SELECT 1 FROM chaos_freeze f WHERE f.pid = s.pid
          AND f.begins < s.at AND f.ends + INTERVAL '1 second' > s.at)
      """
          + COULD_RUN.formatted("s.pid", "a.ended_at", "s.at");

  private static final String START_AFTER_NOTICE =
      """
      SELECT format('instance %s, state %s: started by %s at %s under lease version %s, lost at %s',
        s.id, s.state, s.node, s.at, s.lv, f.at)
      FROM chaos_start s
      JOIN chaos_fenced f ON f.id = s.id AND f.lv = s.lv AND f.pid = s.pid
      WHERE s.at > f.at + INTERVAL '1 second'
      """
          + COULD_RUN.formatted("s.pid", "f.at", "s.at");

  private static final String HELD_ON =
      """
      SELECT format('instance %s, state %s: the handler of %s ended at %s, %s after its lease was known to be lost',
        s.id, s.state, s.node, e.at, e.at - f.at)
      FROM chaos_fenced f
      JOIN chaos_start s ON s.id = f.id AND s.lv = f.lv AND s.pid = f.pid AND s.at < f.at
      JOIN chaos_end e ON e.id = s.id AND e.lv = s.lv AND e.seq = s.seq AND e.pid = s.pid
      WHERE e.at > f.at + INTERVAL '1 second' AND s.state <> 'deaf'
        AND NOT EXISTS (SELECT 1 FROM chaos_freeze z WHERE z.pid = s.pid
          AND z.begins < e.at AND z.ends + INTERVAL '1 second' > f.at)
      """
          + COULD_RUN.formatted("s.pid", "f.at", "e.at");

  private static final String OVERLAP =
      """
      SELECT format('instance %s, state %s: %s began at %s while %s ran from %s to %s', a.id,
        a.state, b.node, b.at, a.node, a.at, e.at)
      FROM chaos_start a
      JOIN chaos_end e ON e.id = a.id AND e.lv = a.lv AND e.seq = a.seq AND e.pid = a.pid
      JOIN chaos_start b ON b.id = a.id AND b.lv > a.lv AND b.at >= a.at
        AND b.at + INTERVAL '1 second' < e.at
      WHERE a.state <> 'deaf'
        AND NOT EXISTS (SELECT 1 FROM chaos_freeze z WHERE z.pid = a.pid
          AND z.begins < e.at AND z.ends > a.at)
      """
          + COULD_RUN.formatted("a.pid", "b.at", "e.at");

  private StopChecks() {}

  static List<Check> all() {
    return List.of(
        new Check("I7", "no step starts once the transition is accepted", START_AFTER_FENCE),
        new Check("I7", "no step starts under a lease known to be lost", START_AFTER_NOTICE),
        new Check("I7", "a handler that heeds its interrupt is gone within a second", HELD_ON),
        new Check("I8", "steps overlap only where one was frozen or deaf", OVERLAP));
  }
}
