package io.millrace.schedule;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The plan for the due slots of a schedule.
 *
 * @param decisions the earliest slot first; at most one of them is a {@link SlotDecision.Fire}
 * @param nextRun the first undecided slot; if it is due already and nothing is waited for, the next
 *     plan can be made at once; null if the schedule has ended
 * @param waiting reason why due slots were left undecided, in words; null for none
 */
public record SlotPlan(
    List<SlotDecision> decisions, @Nullable Instant nextRun, @Nullable String waiting) {

  public SlotPlan {
    decisions = List.copyOf(decisions);
  }

  /** Returns the slot to execute, if any. */
  public Optional<SlotDecision.Fire> fire() {
    return decisions.stream()
        .filter(SlotDecision.Fire.class::isInstance)
        .map(SlotDecision.Fire.class::cast)
        .findFirst();
  }
}
