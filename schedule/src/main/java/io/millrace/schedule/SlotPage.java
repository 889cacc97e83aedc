package io.millrace.schedule;

import java.util.List;

/**
 * A page of slots, earliest first.
 *
 * @param more true when there are further ones than were asked for
 */
public record SlotPage(List<Slot> slots, boolean more) {
  public SlotPage {
    slots = List.copyOf(slots);
  }
}
