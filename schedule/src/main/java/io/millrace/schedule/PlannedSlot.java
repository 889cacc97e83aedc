package io.millrace.schedule;

import io.millrace.schedule.SlotDecision.SlotRange;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A slot as it was computed and stored. The offset tells its local time, even if the rules of the
 * time zone change before it is due.
 *
 * @param offset the offset of the schedule's zone at this instant, by the rules in force when the
 *     slot was computed; null if unknown
 */
public record PlannedSlot(Instant at, @Nullable ZoneOffset offset) {

  /** Returns a slot with its offset by the rules of today. */
  public static PlannedSlot of(Schedule schedule, Instant slot) {
    return new PlannedSlot(slot, schedule.zone().getRules().getOffset(slot));
  }

  /**
   * Returns the slot by the rules of today: the one with the same local time. For example, a slot
   * that was computed for 08:00 in a zone at +02:00, so for 06:00 in UTC, is at 07:00 in UTC if the
   * zone has gone to +01:00 meanwhile.
   *
   * <p>If the slots before and at this instant stay where they were, although under other local
   * times, it is the slot at the same instant. If the slot with the same local time is no later
   * than the slot before this one was, it is the first slot after that.
   *
   * @return null for none
   */
  public @Nullable Instant byCurrentRules(Schedule schedule) {
    ZoneOffset before = otherOffset(schedule);
    return before == null ? schedule.nearestSlot(at) : moved(schedule, schedule.zone(before));
  }

  /**
   * Returns the first slot by the rules of today that follows this one, about which a decision was
   * made.
   *
   * @return null for none
   */
  public @Nullable Instant next(Schedule schedule) {
    ZoneOffset before = otherOffset(schedule);
    if (before == null) {
      return schedule.next(at);
    }
    Instant next = schedule.zone(before).next(at);
    return next == null ? null : new PlannedSlot(next, before).byCurrentRules(schedule);
  }

  /**
   * Returns the slots by the rules of today that lie between the slot before this one and this one:
   * their local times passed by the earlier rules.
   *
   * @return null for none
   */
  @Nullable SlotRange passed(Schedule schedule) {
    ZoneOffset offsetBefore = otherOffset(schedule);
    Instant before = offsetBefore == null ? null : schedule.zone(offsetBefore).previous(at);
    Instant end = before == null ? null : byCurrentRules(schedule);
    if (before == null || end == null) {
      return null;
    }
    Instant first = schedule.next(before);
    Instant last = schedule.previous(end);
    return first == null || last == null || last.isBefore(first)
        ? null
        : SlotRange.of(schedule, first, last);
  }

  /** Returns the stored offset if the zone has another one by the rules of today, or else null. */
  private @Nullable ZoneOffset otherOffset(Schedule schedule) {
    boolean same =
        schedule.recurrence() instanceof Recurrence.Interval
            || schedule.zone().getRules().getOffset(at).equals(offset);
    return same ? null : offset;
  }

  private @Nullable Instant moved(Schedule schedule, Schedule earlier) {
    Instant before = earlier.previous(at);
    if (at.equals(schedule.nextOrSame(at)) && Objects.equals(before, schedule.previous(at))) {
      return at;
    }
    LocalDateTime local = LocalDateTime.ofInstant(at, earlier.zone());
    Instant slot = slot(schedule, local);
    return before == null || slot == null || slot.isAfter(before) ? slot : schedule.next(before);
  }

  private static @Nullable Instant slot(Schedule schedule, LocalDateTime local) {
    ZoneId zone = schedule.zone();
    for (ZoneOffset valid : zone.getRules().getValidOffsets(local)) {
      Instant instant = local.toInstant(valid);
      if (instant.equals(schedule.nextOrSame(instant))) {
        return instant;
      }
    }
    ZoneOffsetTransition change = zone.getRules().getTransition(local);
    return schedule.nearestSlot(
        change != null && change.isGap() ? change.getInstant() : local.atZone(zone).toInstant());
  }
}
