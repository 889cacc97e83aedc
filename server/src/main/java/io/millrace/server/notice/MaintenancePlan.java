package io.millrace.server.notice;

import io.millrace.instance.InvalidRequestException;
import java.time.Instant;
import java.util.List;

/**
 * What is planned, as the public may read it.
 *
 * @param title one line, at most 200 characters
 * @param text more, at most 4,000 characters; may be empty
 * @param affected names of what it is about, such as executor groups; empty for everything
 * @param from when it shall begin
 * @param until when it shall be over
 * @param automatic whether it begins and ends by itself at these times
 */
public record MaintenancePlan(
    String title,
    String text,
    List<String> affected,
    Impact impact,
    Instant from,
    Instant until,
    boolean automatic) {

  /** What users will notice. */
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

  /** Whether somebody who asked for {@code wanted} is to be told; empty stands for everything. */
  boolean concerns(List<String> wanted) {
    return wanted.isEmpty() || affected.isEmpty() || affected.stream().anyMatch(wanted::contains);
  }
}
