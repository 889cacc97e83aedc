package io.millrace.definition;

import io.millrace.instance.InvalidRequestException;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when the answer of a handler is incomplete or out of range. It is a mistake in the code of
 * the handler, so the attempt is not retried.
 */
public final class InvalidAnswerException extends InvalidRequestException {

  private static final long serialVersionUID = 1L;

  InvalidAnswerException(String message) {
    super(message);
  }

  static <T> T requireInAnswer(@Nullable T value, String what) {
    if (value == null) {
      throw new InvalidAnswerException(what + " is null; expected a value.");
    }
    return value;
  }
}
