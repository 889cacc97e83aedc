package io.millrace.sequence;

import io.millrace.instance.OperatorAction;
import io.millrace.store.SequenceStore.Flags;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The state of a sequence in another system.
 *
 * @param nextRun the first slot that is run here; one that is no slot stands for the first after
 *     it; null for none
 * @param lastRun when its last run ended there; null when it never ran
 * @param immediate to be run at once, before its time
 * @param pause who keeps it from running until somebody resumes it, and why; null for nobody
 */
public record ImportedState(
    @Nullable Instant nextRun,
    @Nullable Instant lastRun,
    boolean immediate,
    @Nullable OperatorAction pause) {

  static final ImportedState NEW = new ImportedState(null, null, false, null);

  /** Returns the flags of the row, without those of the sequence itself. */
  Flags flags() {
    return new Flags(
        true,
        true,
        immediate,
        false,
        pause == null ? null : pause.actor(),
        pause == null ? null : pause.reason());
  }
}
