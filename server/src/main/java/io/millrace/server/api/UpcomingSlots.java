package io.millrace.server.api;

import io.millrace.sequence.UpcomingRun;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * The planned slots of sequences, the earliest first.
 *
 * @param more true if there are further slots in the same period
 */
record UpcomingSlots(List<SequenceSlotView> slots, boolean more) {

  /** A sequence with its remaining slots. */
  private record SequenceSlots(String sequenceId, SlotCursor slots) {

    /**
     * Returns the time of the next slot; the maximum if there is none, so that the sequence sorts
     * last.
     */
    Instant at() {
      Instant at = slots.peek();
      return at == null ? Instant.MAX : at;
    }
  }

  /**
   * Returns the slots between two times.
   *
   * @param from inclusive; not before now
   * @param to exclusive
   */
  static UpcomingSlots of(List<UpcomingRun> runs, Instant from, Instant to, int most) {
    PriorityQueue<SequenceSlots> queue =
        new PriorityQueue<>(
            Comparator.comparing(SequenceSlots::at).thenComparing(SequenceSlots::sequenceId));
    for (UpcomingRun run : runs) {
      if (run.at().isBefore(to)) {
        add(queue, new SequenceSlots(run.sequenceId(), SlotCursor.of(run, from)), to);
      }
    }
    List<SequenceSlotView> planned = new ArrayList<>();
    while (!queue.isEmpty() && planned.size() < most) {
      SequenceSlots sequenceSlots = queue.remove();
      planned.add(SequenceSlotView.of(sequenceSlots.sequenceId, sequenceSlots.slots.next()));
      add(queue, sequenceSlots, to);
    }
    return new UpcomingSlots(planned, !queue.isEmpty());
  }

  private static void add(
      PriorityQueue<SequenceSlots> queue, SequenceSlots sequenceSlots, Instant to) {
    if (sequenceSlots.at().isBefore(to)) {
      queue.add(sequenceSlots);
    }
  }
}
