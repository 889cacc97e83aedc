package io.millrace.sequence;

import io.millrace.schedule.DataWindow;
import io.millrace.schedule.DayWindow;
import io.millrace.schedule.MisfirePolicy;
import io.millrace.schedule.Schedule;
import io.millrace.schedule.SlotPlanner;
import io.millrace.store.SequenceStore;
import io.millrace.store.SequenceStore.Fire;
import io.millrace.store.SequenceStore.FireCursor;
import io.millrace.store.SequenceStore.NewFire;
import io.millrace.store.SequenceStore.SlotOutcome;
import io.millrace.store.SequenceStore.StoredSequence;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The next run of a sequence whose schedule changes.
 *
 * @param nextRun null when it is never due
 * @param droppedFires the slots of the schedule before that are not to run any more
 */
record ScheduleChange(@Nullable Instant nextRun, List<NewFire> droppedFires) {

  private static final int PAGE = 500;
  private static final String WHY = "the schedule was changed";

  /**
   * At the slot that is next when that is a slot of both schedules, for the same window; else as if
   * the sequence were added at {@code now}, but for what was decided about.
   *
   * @param before null when this node cannot read it
   */
  static ScheduleChange of(
      StoredSequence row,
      @Nullable Schedule before,
      Schedule after,
      SequenceStore store,
      Instant now) {
    Instant nextRun = row.times().nextRun();
    if (after.equals(before)) {
      return new ScheduleChange(nextRun, List.of());
    }
    if (nextRun == null || before == null) {
      return new ScheduleChange(anew(after, row.sequenceId(), store, now), List.of());
    }
    Instant same = same(before, after, nextRun);
    return same != null
        ? new ScheduleChange(same, List.of())
        : new ScheduleChange(
            anew(after, row.sequenceId(), store, now),
            FirePlanner.unfiredSlots(SlotPlanner.planAbandoned(before, nextRun, now, WHY)));
  }

  /** The slot from {@code nextRun} on that both schedules have first; null for none. */
  private static @Nullable Instant same(Schedule before, Schedule after, Instant nextRun) {
    Instant old = before.slotOf(nextRun);
    Instant next = after.slotOf(nextRun);
    return old != null
            && old.equals(next)
            && before.slot(old).window().equals(after.slot(old).window())
        ? old
        : null;
  }

  /**
   * Returns the first slot of a schedule that is added at {@code now}. A slot from before that is
   * not missed when the schedule skips what is late: it was never to run.
   */
  static @Nullable Instant first(Schedule schedule, Instant now) {
    Instant first = schedule.first(now);
    boolean skips = schedule.policy().misfire() == MisfirePolicy.SKIP && schedule.recurs();
    return skips && first != null && first.isBefore(now) ? schedule.nextOrSame(now) : first;
  }

  /** Returns the slot after the last decided one, or the first. */
  private static @Nullable Instant anew(
      Schedule schedule, String sequenceId, SequenceStore store, Instant now) {
    Instant first = first(schedule, now);
    if (first == null) {
      return null;
    }
    FireCursor before = null;
    List<Fire> page;
    do {
      page = store.fires(sequenceId, before, PAGE);
      for (Fire fire : page) {
        Instant slot = fire.fire().slot();
        if (isOfSamePeriod(schedule, first, fire)) {
          return schedule.next(first);
        }
        if (slot.isBefore(first)) {
          return first;
        }
        if (fire.fire().attempt() <= 0 && isSlot(schedule, slot, fire.fire().window())) {
          return schedule.recurs() ? schedule.next(slot) : null;
        }
        before = FireCursor.of(fire);
      }
    } while (page.size() == PAGE);
    return first;
  }

  /** A window that was moved within its day is not run again for a period that it has run for. */
  private static boolean isOfSamePeriod(Schedule schedule, Instant first, Fire fire) {
    return schedule.recurs()
        && schedule.recurrence() instanceof DayWindow window
        && window.once() != null
        && fire.fire().outcome() == SlotOutcome.FIRED
        && fire.fire().attempt() <= 0
        && schedule.slot(first).window().equals(fire.fire().window());
  }

  /**
   * True when a schedule is due at {@code at} to report this window.
   *
   * @param window null when it is not known
   */
  static boolean isSlot(Schedule schedule, Instant at, @Nullable DataWindow window) {
    return at.equals(schedule.nextOrSame(at))
        && (window == null || window.equals(schedule.slot(at).window()));
  }
}
