package io.millrace.verification.chaos.check;

import io.millrace.verification.chaos.node.ChaosWorkflows;
import java.util.List;

/**
 * The checks of I6: variables, children, signals and history of a transition are written together.
 */
final class AtomicityChecks {

  private static final String COUNTED =
      """
      SELECT format('chain %s: n is %s after %s accepted steps', w.id, n.value, steps.number)
      FROM millrace_instance w
      LEFT JOIN millrace_variable n ON n.instance_id = w.id AND n.name = 'n'
      CROSS JOIN LATERAL (SELECT count(*) AS number FROM millrace_history a
        WHERE a.instance_id = w.id AND a.type = 'stateExecution') steps
      WHERE w.type = 'chain' AND COALESCE(n.value::int, 0) <> steps.number
      """;

  private static final String EFFECT =
      """
      SELECT format('chain %s: its token %s belongs to no effect of it', t.instance_id, t.value)
      FROM millrace_instance w
      JOIN millrace_variable t ON t.instance_id = w.id AND t.name = 'token'
      WHERE w.type = 'chain' AND NOT EXISTS (SELECT 1 FROM chaos_effect e
        WHERE e.id = w.id AND '"' || e.token || '"' = t.value)
      """;

  private static final String CHILDREN =
      """
      SELECT format('family %s: %s children and %s in its row, after %s accepted spawns', w.id,
        c.number, w.child_count, s.number)
      FROM millrace_instance w
      CROSS JOIN LATERAL (SELECT count(*) AS number FROM millrace_instance c
        WHERE c.parent_id = w.id) c
      CROSS JOIN LATERAL (SELECT count(*) AS number FROM millrace_history a
        WHERE a.instance_id = w.id AND a.type = 'stateExecution' AND a.from_state = 'spawn') s
      WHERE w.type = 'family'
        AND (c.number <> {each} * s.number OR w.child_count <> c.number)
      """
          .replace("{each}", "" + ChaosWorkflows.CHILDREN);

  private static final String OPEN =
      """
      SELECT format('family %s: its row says %s open children, there are %s', w.id,
        w.open_child_count, c.number)
      FROM millrace_instance w
      CROSS JOIN LATERAL (SELECT count(*) AS number FROM millrace_instance c
        WHERE c.parent_id = w.id AND c.ended_at IS NULL) c
      WHERE w.type = 'family' AND w.open_child_count <> c.number
      """;

  private static final String JOINED =
      """
      SELECT format('family %s joined with %s open children', w.id, o.value)
      FROM millrace_instance w
      JOIN millrace_variable o ON o.instance_id = w.id AND o.name = 'open'
      WHERE w.type = 'family' AND o.value <> '0'
        AND NOT EXISTS (SELECT 1 FROM millrace_history a
          WHERE a.instance_id = w.id AND a.type = 'wake')
        AND NOT EXISTS (SELECT 1 FROM millrace_message s
          WHERE s.instance_id = w.id AND s.kind = 'wake')
      """;

  private static final String CONSUMED =
      """
      SELECT format('instance %s: signal %s says it was consumed with seq %s, of which history has %s',
        s.instance_id, s.id, s.consumed_seq, COALESCE(a.from_state, 'nothing'))
      FROM millrace_message s
      JOIN millrace_instance w ON w.id = s.instance_id
      LEFT JOIN millrace_history a
        ON a.instance_id = s.instance_id AND a.seq = s.consumed_seq
      WHERE s.kind = 'signal' AND s.consumed_seq IS NOT NULL
        AND (a.seq IS NULL OR a.type <> 'stateExecution' OR a.from_state <> 'collect')
      """;

  private static final String CAME =
      """
      SELECT format('signal instance %s: its variable says %s, its inbox has %s consumed', w.id,
        c.value, s.number)
      FROM millrace_instance w
      JOIN millrace_variable c ON c.instance_id = w.id AND c.name = 'came'
      CROSS JOIN LATERAL (SELECT count(*) AS number FROM millrace_message s
        WHERE s.instance_id = w.id AND s.kind = 'signal' AND s.consumed_seq IS NOT NULL) s
      WHERE w.type = 'signal' AND (c.value = 'true') <> (s.number > 0)
      """;

  private AtomicityChecks() {}

  static List<Check> all() {
    return List.of(
        new Check("I6", "a variable agrees with the history", COUNTED),
        new Check("I6", "the stored result of an effect is one that happened", EFFECT),
        new Check("I6", "children come with the transition that started them", CHILDREN),
        new Check("I6", "the count of open children is right", OPEN),
        new Check("I6", "a parent goes on when all children have ended", JOINED),
        new Check("I6", "a signal is consumed by an accepted transition", CONSUMED),
        new Check("I6", "what a handler took is what was consumed", CAME));
  }
}
