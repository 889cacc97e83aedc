package io.millrace.sequence;

import io.millrace.schedule.DataWindow;
import io.millrace.schedule.DayWindow;
import io.millrace.schedule.MisfirePolicy;
import io.millrace.schedule.PlannedSlot;
import io.millrace.schedule.Schedule;
import io.millrace.schedule.SlotPlanner;
import io.millrace.store.FireNumber;
import io.millrace.store.SequenceStore;
import io.millrace.store.SequenceStore.SlotOutcome;
import io.millrace.store.SequenceStore.SlotRecord;
import io.millrace.store.SequenceStore.SlotRecordCursor;
import io.millrace.store.SequenceStore.StoredSequence;
import io.millrace.store.SequenceStore.StoredSlotRecord;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The next run of a sequence whose schedule changes.
 *
 * @param nextRun null if it is never due
 * @param droppedSlots the slots of the previous schedule that no longer run
 */
record ScheduleChange(@Nullable PlannedSlot nextRun, List<SlotRecord> droppedSlots) {

  private static final int PAGE = 500;
  private static final String WHY = "the schedule was changed";

  /**
   * Returns the next run under the changed schedule. If the next slot belongs to both schedules,
   * with the same data window, it stays. Otherwise the schedule restarts as if the sequence were
   * added at {@code now}, without slots that were decided.
   *
   * @param before null if this node cannot read it
   */
  static ScheduleChange of(
      StoredSequence row,
      @Nullable Schedule before,
      Schedule after,
      SequenceStore store,
      Instant now) {
    PlannedSlot nextRun = row.times().planned();
    if (after.equals(before)) {
      return new ScheduleChange(nextRun, List.of());
    }
    if (nextRun == null || before == null) {
      return new ScheduleChange(
          planned(after, fromNow(after, row.sequenceId(), store, now)), List.of());
    }
    Instant same = same(before, after, nextRun);
    return same != null
        ? new ScheduleChange(PlannedSlot.of(after, same), List.of())
        : new ScheduleChange(
            planned(after, fromNow(after, row.sequenceId(), store, now)),
            FirePlanner.unfiredSlots(SlotPlanner.planAbandoned(before, nextRun, now, WHY)));
  }

  /**
   * Returns the next slot if the changed schedule has it too, with the same data window; null if
   * not.
   */
  private static @Nullable Instant same(Schedule before, Schedule after, PlannedSlot nextRun) {
    Instant old = nextRun.byCurrentRules(before);
    return old != null && isSlot(after, old, before.slot(old).window()) ? old : null;
  }

  static @Nullable PlannedSlot planned(Schedule schedule, @Nullable Instant slot) {
    return slot == null ? null : PlannedSlot.of(schedule, slot);
  }

  /**
   * Returns the first slot of a schedule that is added at {@code now}. An earlier slot does not
   * count as missed if no late slot of the schedule runs.
   */
  static @Nullable Instant first(Schedule schedule, Instant now) {
    Instant first = schedule.first(now);
    boolean runsNoneLate = schedule.policy().misfire() == MisfirePolicy.NONE && schedule.recurs();
    return runsNoneLate && first != null && first.isBefore(now) ? schedule.nextOrSame(now) : first;
  }

  /** Returns the slot after the last decided one, or the first. */
  private static @Nullable Instant fromNow(
      Schedule schedule, String sequenceId, SequenceStore store, Instant now) {
    Instant first = first(schedule, now);
    if (first == null) {
      return null;
    }
    SlotRecordCursor before = null;
    List<StoredSlotRecord> page;
    do {
      page = store.slotRecords(sequenceId, before, PAGE);
      for (StoredSlotRecord stored : page) {
        Instant slot = stored.slotRecord().slot();
        if (isOfSamePeriod(schedule, first, stored)) {
          return schedule.next(first);
        }
        if (slot.isBefore(first)) {
          return first;
        }
        if (!FireNumber.isAsked(stored.slotRecord().fireNumber())
            && isSlot(schedule, slot, stored.slotRecord().window())) {
          return schedule.recurs() ? schedule.next(slot) : null;
        }
        before = SlotRecordCursor.of(stored);
      }
    } while (page.size() == PAGE);
    return first;
  }

  /**
   * Returns true if a day window that was moved within its day has already run for the same period.
   */
  private static boolean isOfSamePeriod(Schedule schedule, Instant first, StoredSlotRecord stored) {
    return schedule.recurs()
        && schedule.recurrence() instanceof DayWindow dayWindow
        && dayWindow.once() != null
        && stored.slotRecord().outcome() == SlotOutcome.FIRED
        && !FireNumber.isAsked(stored.slotRecord().fireNumber())
        && schedule.slot(first).window().equals(stored.slotRecord().window());
  }

  /**
   * Returns true if a schedule is due at {@code at} for this data window.
   *
   * @param window null if unknown
   */
  static boolean isSlot(Schedule schedule, Instant at, @Nullable DataWindow window) {
    return at.equals(schedule.nextOrSame(at))
        && (window == null || window.equals(schedule.slot(at).window()));
  }
}
