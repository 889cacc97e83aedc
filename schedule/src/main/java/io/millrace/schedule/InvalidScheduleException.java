package io.millrace.schedule;

/** Thrown when a schedule, or a part of one, is invalid; the message names the value. */
public class InvalidScheduleException extends IllegalArgumentException {

  private static final long serialVersionUID = 1L;

  public InvalidScheduleException(String message) {
    super(message);
  }
}
