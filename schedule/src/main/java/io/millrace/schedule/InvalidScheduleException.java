package io.millrace.schedule;

/** A schedule, or a part of one, that cannot be valid; the message names the value. */
public class InvalidScheduleException extends IllegalArgumentException {

  private static final long serialVersionUID = 1L;

  public InvalidScheduleException(String message) {
    super(message);
  }
}
