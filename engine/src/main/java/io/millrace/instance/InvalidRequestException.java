package io.millrace.instance;

import org.jspecify.annotations.Nullable;

/** Thrown when a request can never succeed as it is. */
public class InvalidRequestException extends MillraceException {

  private static final long serialVersionUID = 1L;

  public InvalidRequestException(String message) {
    super(message);
  }

  /**
   * Returns the value after checking that it is not null.
   *
   * @param what begins the message, for example "The name of a signal"
   * @throws InvalidRequestException if it is null
   */
  public static <T> T requirePresent(@Nullable T value, String what) {
    if (value == null) {
      throw new InvalidRequestException(what + " is null; expected a value.");
    }
    return value;
  }
}
