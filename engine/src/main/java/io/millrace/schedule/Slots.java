package io.millrace.schedule;

import java.util.List;

/**
 * Some slots of a schedule, the earliest first.
 *
 * @param more true when there are further ones than were asked for
 */
public record Slots(List<Slot> slots, boolean more) {
  public Slots {
    slots = List.copyOf(slots);
  }
}
