package io.millrace.continuous;

import io.millrace.instance.MillraceException;

/**
 * Thrown if the queue of a workflow's events is full; the event was not stored and can be sent
 * again.
 */
public final class TooManyEventsException extends MillraceException {

  private static final long serialVersionUID = 1L;

  TooManyEventsException(String name, int most) {
    super(
        "%s events wait for the continuous workflow '%s', the most that are kept. Send this one again later; if they do not become fewer, see whether the workflow is enabled and what its execution waits for, or raise maxWaitingEvents."
            .formatted(most, name));
  }
}
