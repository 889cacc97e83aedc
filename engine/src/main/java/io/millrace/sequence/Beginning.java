package io.millrace.sequence;

import io.millrace.schedule.Schedule;
import io.millrace.store.ScheduleStore;
import io.millrace.store.ScheduleStore.Fire;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where a schedule begins that takes the place of another one. */
final class Beginning {

  private static final int PAGE = 500;

  private Beginning() {}

  /**
   * After the newest of its slots that was decided about, as if the workflow were added at {@code
   * now} when none was; null when it is never due.
   */
  static @Nullable Instant of(
      Schedule schedule, String workflowId, ScheduleStore store, Instant now) {
    Instant first = schedule.first(now);
    if (first == null) {
      return null;
    }
    Instant before = null;
    List<Fire> page;
    do {
      page = store.fires(workflowId, before, PAGE);
      for (Fire fire : page) {
        Instant slot = fire.fire().slot();
        if (slot.isBefore(first)) {
          return first;
        }
        if (fire.fire().attempt() == 0 && slot.equals(schedule.nextOrSame(slot))) {
          return schedule.recurs() ? schedule.next(slot) : null;
        }
        before = slot;
      }
    } while (page.size() == PAGE);
    return first;
  }
}
