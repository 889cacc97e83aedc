package io.millrace.continuous;

import io.millrace.instance.MillraceException;

/**
 * Thrown if as many events as allowed are offered to a workflow and not accepted yet; the event was
 * not stored and can be sent again.
 */
public final class TooManyOfferedEventsException extends MillraceException {

  private static final long serialVersionUID = 1L;

  TooManyOfferedEventsException(String name, int most) {
    super(
        "%s offered events wait for the continuous workflow '%s', the most that are kept. Send this one again later; if they do not become fewer, see whether the workflow is enabled and what its execution waits for, or raise maxOfferedEvents."
            .formatted(most, name));
  }
}
