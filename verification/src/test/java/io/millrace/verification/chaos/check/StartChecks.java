package io.millrace.verification.chaos.check;

import java.util.List;

/** The checks of I3 and I4: no acknowledged start is lost, and none happens twice. */
final class StartChecks {

  private static final String LOST =
      """
      SELECT format('%s instance %s with external id %s was acknowledged and does not exist',
        c.type, c.id, c.key)
      FROM chaos_call c
      WHERE c.op = 'start' AND c.phase = 'OK'
        AND NOT EXISTS (SELECT 1 FROM millrace_instance w
          WHERE w.id = c.id AND w.external_id = c.key AND w.type = c.type)
      """;

  private static final String NOT_FOUND =
      """
      SELECT format('%s of instance %s: %s', c.op, c.id, c.error)
      FROM chaos_call c
      WHERE c.phase = 'FAIL' AND c.error LIKE '%InstanceNotFoundException%'
      """;

  private static final String UNFINISHED =
      """
      SELECT format('%s instance %s is %s in %s, and nothing will move it', w.type, w.id, w.status,
        w.state)
      FROM millrace_instance w
      WHERE w.status IN ('created', 'inProgress') AND w.next_activation_at IS NULL
        AND w.waiting_for IS NULL
      """;

  /**
   * Instances that have not ended. Instances started after the faults are excluded, because the
   * nodes continue to start instances. So is a parent whose child waits for an operator.
   */
  private static final String NOT_ENDED =
      """
      SELECT format('%s instance %s is still %s in %s', w.type, w.id, w.status, w.state)
      FROM millrace_instance w
      LEFT JOIN millrace_instance p ON p.id = w.parent_id
      WHERE w.status IN ('created', 'inProgress')
        AND COALESCE(p.created_at, w.created_at) < (SELECT at FROM chaos_phase WHERE phase = 'QUIET')
        AND NOT (COALESCE(w.waiting_for, '') = 'children' AND EXISTS (
          SELECT 1 FROM millrace_instance c
          WHERE c.parent_id = w.id AND c.status IN ('manual', 'paused')))
      """;

  private static final String TWICE =
      """
      SELECT format('%s: external id %s belongs to instances %s', type, external_id,
        string_agg(id::text, ', '))
      FROM millrace_instance WHERE external_id IS NOT NULL
      GROUP BY type, executor_group, external_id HAVING count(*) > 1
      """;

  private static final String TWO_ANSWERS =
      """
      SELECT format('%s: external id %s was answered with instances %s', type, key,
        string_agg(DISTINCT id::text, ', '))
      FROM chaos_call WHERE op = 'start' AND phase = 'OK'
      GROUP BY type, key HAVING count(DISTINCT id) > 1
      """;

  private static final String UNASKED =
      """
      SELECT format('%s instance %s with external id %s was never asked for', w.type, w.id,
        w.external_id)
      FROM millrace_instance w
      WHERE w.parent_id IS NULL AND NOT EXISTS (SELECT 1 FROM chaos_call c
        WHERE c.phase = 'INVOKE' AND c.op = 'start' AND c.key = w.external_id)
      """;

  private StartChecks() {}

  static List<Check> all() {
    return List.of(
        new Check("I3", "every acknowledged start exists", LOST),
        new Check("I3", "no call is told that a started instance does not exist", NOT_FOUND),
        new Check("I3", "everything ends, waits or is parked once faults are over", UNFINISHED),
        new Check("I3", "what was started under faults ends in the quiet", NOT_ENDED),
        new Check("I4", "one external id, one instance", TWICE),
        new Check("I4", "a repeated start is answered with the same instance", TWO_ANSWERS),
        new Check("I4", "nothing exists that was not asked for", UNASKED));
  }
}
