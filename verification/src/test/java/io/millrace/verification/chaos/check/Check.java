package io.millrace.verification.chaos.check;

import java.util.List;
import java.util.stream.Stream;

/**
 * One thing that must not be.
 *
 * @param invariant the invariant it belongs to, as I1
 * @param description what must hold, in words
 * @param sql finds violations: one column of text, one row for each
 */
record Check(String invariant, String description, String sql) {

  /** All checks, in the order of the invariants. */
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
