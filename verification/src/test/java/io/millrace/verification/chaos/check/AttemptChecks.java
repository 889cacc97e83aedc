package io.millrace.verification.chaos.check;

import io.millrace.verification.chaos.node.ChaosWorkflows;
import io.millrace.verification.chaos.node.NodeMain;
import java.util.List;

/**
 * The checks of I10: an attempt is counted before it runs, and an instance that kills its holders
 * is parked.
 */
final class AttemptChecks {

  private static final String UNCOUNTED =
      """
      SELECT format('instance %s, state %s, seq %s: started %s times under lease version %s', id,
        max(state), seq, count(*), lv)
      FROM chaos_start GROUP BY id, seq, lv HAVING count(*) > 1
      """;

  private static final String TOO_OFTEN =
      """
      SELECT format('instance %s was recovered %s times in a row', instance_id, count(*))
      FROM (SELECT instance_id, type, count(*) FILTER (WHERE type <> 'recovery')
              OVER (PARTITION BY instance_id ORDER BY seq) AS others
            FROM millrace_history) a
      WHERE type = 'recovery' GROUP BY instance_id, others HAVING count(*) > {most}
      """
          .replace("{most}", "" + NodeMain.MAX_RECOVERIES);

  private static final String PARKED_EARLY =
      """
      SELECT format('%s instance %s is parked after %s recoveries', w.type, w.id, r.number)
      FROM millrace_instance w
      CROSS JOIN LATERAL (SELECT count(*) AS number FROM millrace_history a
        WHERE a.instance_id = w.id AND a.type = 'recovery' AND a.seq > COALESCE(
          (SELECT max(seq) FROM millrace_history b
            WHERE b.instance_id = w.id AND b.type LIKE 'stateExecution%'), 0)) r
      WHERE w.status = 'manual' AND r.number < {most}
      """
          .replace("{most}", "" + NodeMain.MAX_RECOVERIES);

  private static final String POISON =
      """
      SELECT format('%s instance %s, which kills its holders, is %s after %s starts', w.type, w.id,
        w.status, (SELECT count(*) FROM chaos_start s WHERE s.id = w.id))
      FROM millrace_instance w WHERE w.type IN ('poison', 'exit') AND w.status <> 'manual'
      """;

  private static final String DIED =
      """
      SELECT format('%s (process %s) ended by itself with code %s', node, pid, code)
      FROM chaos_death WHERE code NOT IN ({known})
      """
          .replace(
              "{known}",
              ChaosWorkflows.HALTED + ", " + ChaosWorkflows.EXITED + ", " + NodeMain.NOT_STARTED);

  private AttemptChecks() {}

  static List<Check> all() {
    return List.of(
        new Check("I10", "a lease starts a step once", UNCOUNTED),
        new Check(
            "I10", "an instance that kills its holders is not run again and again", TOO_OFTEN),
        new Check("I10", "nothing is parked that did not kill its holders", PARKED_EARLY),
        new Check("I10", "poison is parked", POISON),
        new Check("I10", "no node dies of anything but poison", DIED));
  }
}
