package io.millrace.verification.chaos.check;

import java.util.List;
import java.util.stream.Stream;

/**
 * A check for one kind of violation.
 *
 * @param invariant invariant that the check belongs to, such as I1
 * @param description the condition that must hold, in words
 * @param sql statement that finds violations: one column of text, one row for each
 */
record Check(String invariant, String description, String sql) {

  /** Returns all checks, in the order of the invariants. */
  static List<Check> all() {
    return Stream.of(
            FenceChecks.all(),
            ChainChecks.all(),
            StartChecks.all(),
            DurabilityChecks.all(),
            AtomicityChecks.all(),
            StopChecks.all(),
            LivenessChecks.all(),
            AttemptChecks.all(),
            TimerChecks.all(),
            DrainChecks.all())
        .flatMap(List::stream)
        .toList();
  }
}
