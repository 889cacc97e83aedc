package io.millrace.verification.chaos.check;

import java.util.List;

/** The checks of I1: at any moment the writes of at most one holder can be accepted. */
final class FenceChecks {

  private static final String FALLING =
      """
      SELECT format('instance %s, seq %s: lease version %s after %s', instance_id, seq,
        lease_version, before)
      FROM (SELECT instance_id, seq, lease_version,
              lag(lease_version) OVER (PARTITION BY instance_id ORDER BY seq) AS before
            FROM millrace_history) a
      WHERE lease_version < before
      """;

  private static final String SHARED =
      """
      SELECT format('instance %s: lease version %s was written under by executors %s',
        instance_id, lease_version, string_agg(DISTINCT executor_id::text, ', '))
      FROM millrace_history WHERE type LIKE 'stateExecution%'
      GROUP BY instance_id, lease_version HAVING count(DISTINCT executor_id) > 1
      """;

  private static final String AFTER_RECOVERY =
      """
      SELECT format('instance %s, seq %s: written under lease version %s, which was recovered with seq %s',
        late.instance_id, late.seq, late.lease_version, recovery.seq)
      FROM millrace_history late
      JOIN millrace_history recovery ON recovery.instance_id = late.instance_id
        AND recovery.seq < late.seq AND recovery.type = 'recovery'
        AND recovery.lease_version >= late.lease_version
      WHERE late.type LIKE 'stateExecution%'
      """;

  private FenceChecks() {}

  static List<Check> all() {
    return List.of(
        new Check("I1", "the lease version never falls", FALLING),
        new Check("I1", "one executor writes under one lease version", SHARED),
        new Check("I1", "nothing is accepted under a lease that was recovered", AFTER_RECOVERY));
  }
}
