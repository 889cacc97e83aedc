package io.millrace.verification.chaos.check;

import io.millrace.verification.chaos.node.ChaosWorkflows;
import java.util.List;

/** The checks of I13: a node that is told to stop leaves no owned instance behind. */
final class DrainChecks {

  private static final String OWNS =
      """
      SELECT format('%s (process %s) left %s instances owned', name, process, owned)
      FROM chaos_drain WHERE owned > 0 AND alone
      """;

  private static final String EXIT =
      """
      SELECT format('%s (process %s) ended with %s after %s ms', name, process, code, millis)
      FROM chaos_drain WHERE alone AND (code NOT IN (143, {exited}) OR millis > 25000)
      """
          .replace("{exited}", "" + ChaosWorkflows.EXITED);

  private static final String RECOVERED =
      """
      SELECT format('instance %s, seq %s: recovered from %s, which had been drained at %s', a.instance_id,
        a.seq, d.name, d.ends)
      FROM chaos_drain d
      JOIN chaos_start s ON s.pid = d.process
      JOIN millrace_history a ON a.instance_id = s.id AND a.seq = s.seq + 1
        AND a.type = 'recovery' AND a.lease_version = s.lv AND a.ended_at > d.begins
      WHERE d.alone AND s.type <> 'exit'
      """;

  private static final String COUNTED =
      """
      SELECT format('instance %s, seq %s: attempt %s failed while %s was drained: %s', a.instance_id,
        a.seq, a.attempt, d.name, a.reason)
      FROM chaos_drain d
      JOIN chaos_ready r ON r.pid = d.process
      JOIN millrace_history a ON a.executor_id = r.executor
        AND a.type = 'stateExecutionFailed' AND a.ended_at BETWEEN d.begins AND d.ends
      WHERE COALESCE(a.reason, '') NOT LIKE '%{planned}%'
      """
          .replace("{planned}", ChaosWorkflows.PLANNED);

  private DrainChecks() {}

  static List<Check> all() {
    return List.of(
        new Check("I13", "a drained node owns nothing", OWNS),
        new Check("I13", "a drain ends in time and in good order", EXIT),
        new Check("I13", "nothing is recovered from a drained node", RECOVERED),
        new Check("I13", "a drain counts no failure", COUNTED));
  }
}
