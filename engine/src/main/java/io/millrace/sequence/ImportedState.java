package io.millrace.sequence;

import io.millrace.instance.OperatorAction;
import io.millrace.schedule.PlannedSlot;
import io.millrace.store.SequenceStore.Flags;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The state of a sequence in another system.
 *
 * @param nextRun the first slot that runs here; a time that is not a slot stands for the first slot
 *     after it; null for none
 * @param lastEnded when its last run ended there; null if it never ran
 * @param runRequested true while a requested run has not started
 * @param pause operator and reason of a pause; null for none
 */
public record ImportedState(
    @Nullable Instant nextRun,
    @Nullable Instant lastEnded,
    boolean runRequested,
    @Nullable OperatorAction pause) {

  static final ImportedState NEW = new ImportedState(null, null, false, null);

  /** Returns the first slot; the rules by which the other system has computed it are unknown. */
  @Nullable PlannedSlot planned() {
    return nextRun == null ? null : new PlannedSlot(nextRun, null);
  }

  /** Returns the flags of the row, without those of the sequence itself. */
  Flags flags() {
    return new Flags(
        true,
        true,
        runRequested,
        false,
        pause == null ? null : pause.actor(),
        pause == null ? null : pause.reason());
  }
}
