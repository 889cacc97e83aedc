package io.millrace.dispatch;

import io.millrace.instance.MillraceException;
import java.time.Duration;

/** Thrown when an attempt exceeds its state's timeout. */
final class AttemptTimeoutException extends MillraceException {

  private static final long serialVersionUID = 1L;

  AttemptTimeoutException(String state, Duration limit) {
    super(
        "The attempt of state '"
            + state
            + "' took longer than its timeout of "
            + limit
            + " and was cancelled.");
  }
}
