package io.millrace.verification.chaos.check;

import java.util.List;

/** The checks of I2: the history of an instance is one chain without gaps. */
final class ChainChecks {

  private static final String GAP =
      """
      SELECT format('instance %s: action number %s has seq %s', instance_id, number, seq)
      FROM (SELECT instance_id, seq,
              row_number() OVER (PARTITION BY instance_id ORDER BY seq) AS number
            FROM millrace_history) a
      WHERE seq <> number
      """;

  private static final String BREAK =
      """
      SELECT format('instance %s, seq %s: from %s, but the action before went to %s', instance_id,
        seq, from_state, came)
      FROM (SELECT instance_id, seq, from_state,
              lag(to_state) OVER (PARTITION BY instance_id ORDER BY seq) AS came
            FROM millrace_history) a
      WHERE from_state <> came
      """;

  private static final String ROW =
      """
      SELECT format('instance %s: its row says seq %s in state %s, its history seq %s in state %s',
        w.id, w.seq, w.state, a.seq, a.to_state)
      FROM millrace_instance w
      LEFT JOIN LATERAL (SELECT seq, to_state FROM millrace_history
        WHERE instance_id = w.id ORDER BY seq DESC LIMIT 1) a ON true
      WHERE w.seq <> COALESCE(a.seq, 0) OR w.state <> COALESCE(a.to_state, w.state)
      """;

  private static final String NOBODYS =
      """
      SELECT format('instance %s: %s actions and no row', instance_id, count(*))
      FROM millrace_history a
      WHERE NOT EXISTS (SELECT 1 FROM millrace_instance w WHERE w.id = a.instance_id)
      GROUP BY instance_id
      """;

  private ChainChecks() {}

  static List<Check> all() {
    return List.of(
        new Check("I2", "seq counts from 1 without gap", GAP),
        new Check("I2", "each action begins where the one before ended", BREAK),
        new Check("I2", "the row agrees with the last action", ROW),
        new Check("I2", "every action belongs to an instance", NOBODYS));
  }
}
