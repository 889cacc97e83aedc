package io.millrace.server.notice;

import io.millrace.instance.InvalidRequestException;
import java.time.Instant;
import java.util.List;

/**
 * The plan of a maintenance, as it is published.
 *
 * @param title one line, at most 200 characters
 * @param text further text, at most 4,000 characters; may be empty
 * @param affected names of the affected parts, such as executor groups; empty for everything
 * @param from planned start
 * @param until planned end
 * @param automatic whether it starts and ends automatically at these times
 */
public record MaintenancePlan(
    String title,
    String text,
    List<String> affected,
    Impact impact,
    Instant from,
    Instant until,
    boolean automatic) {

  /** The effect that users will notice. */
  public enum Impact {
    NONE,
    DELAYS,
    OUTAGE
  }

  public MaintenancePlan {
    affected = List.copyOf(affected);
    if (title.isBlank()) {
      throw new InvalidRequestException(
          "The title of a maintenance is blank; expected a line that says what is done.");
    }
    if (!until.isAfter(from)) {
      throw new InvalidRequestException(
          "Maintenance '"
              + title
              + "' ends at "
              + until
              + ", but begins at "
              + from
              + "; expected an end after the beginning.");
    }
  }

  /**
   * True if the plan affects a subscription to {@code wanted}; an empty list stands for everything.
   */
  boolean concerns(List<String> wanted) {
    return wanted.isEmpty() || affected.isEmpty() || affected.stream().anyMatch(wanted::contains);
  }
}
