package io.millrace.sequence;

import io.millrace.schedule.Slot;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The plan of a backfill: the outcome of each slot in a past range of time.
 *
 * @param slots the earliest first
 * @param truncated true if there are more slots than one backfill runs, {@link #MAX_SLOTS}
 * @param instanceId the instance that runs them one after another; null if nothing was started
 */
public record Backfill(List<Entry> slots, boolean truncated, @Nullable Long instanceId) {

  /** Maximum number of slots that one backfill lists and runs. */
  public static final int MAX_SLOTS = 1_000;

  /**
   * A slot with its outcome.
   *
   * @param executionId the execution that the slot has; null for none
   */
  public record Entry(Slot slot, Outcome outcome, @Nullable Long executionId) {}

  /** The outcome of a slot. */
  public enum Outcome {
    /** The slot will run. */
    TO_RUN,
    /** The slot has an execution already, with any result. */
    HAS_RUN,
    /** A calendar excludes the slot. */
    EXCLUDED
  }

  public Backfill {
    slots = List.copyOf(slots);
  }

  /** Returns the slots that will run. */
  List<Slot> toRun() {
    return slots.stream().filter(e -> e.outcome == Outcome.TO_RUN).map(Entry::slot).toList();
  }
}
