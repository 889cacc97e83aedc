package io.millrace.server.api;

import io.millrace.schedule.Schedule;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The changes to and from daylight saving time in the zones of schedules. */
final class DstTransitions {

  private DstTransitions() {}

  /** One change in one zone. */
  record ChangeView(Instant at, String zone, String sentence) {

    static ChangeView of(ZoneId zone, ZoneOffsetTransition change) {
      LocalTime before = change.getDateTimeBefore().toLocalTime();
      LocalTime after = change.getDateTimeAfter().toLocalTime();
      String move = change.isGap() ? "forward" : "back";
      String times = change.isGap() ? "do not exist" : "exist twice";
      return new ChangeView(
          change.getInstant(),
          zone.getId(),
          "Clocks go %s from %s to %s; the times between them %s."
              .formatted(move, before, after, times));
    }
  }

  /** Returns the changes between two times, the earliest first. */
  static List<ChangeView> of(List<Schedule> schedules, Instant from, Instant to) {
    List<ChangeView> changes = new ArrayList<>();
    schedules.stream()
        .map(Schedule::zone)
        .distinct()
        .forEach(zone -> {
          ZoneOffsetTransition change = zone.getRules().nextTransition(from.minusNanos(1));
          while (change != null && change.getInstant().isBefore(to)) {
            changes.add(ChangeView.of(zone, change));
            change = zone.getRules().nextTransition(change.getInstant());
          }
        });
    changes.sort(Comparator.comparing(ChangeView::at).thenComparing(ChangeView::zone));
    return changes;
  }
}
