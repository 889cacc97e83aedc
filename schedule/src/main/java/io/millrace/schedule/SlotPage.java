package io.millrace.schedule;

import java.util.List;

/**
 * A page of slots, earliest first.
 *
 * @param more true if there are further ones than requested
 */
public record SlotPage(List<Slot> slots, boolean more) {
  public SlotPage {
    slots = List.copyOf(slots);
  }
}
