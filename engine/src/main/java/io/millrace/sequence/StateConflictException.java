package io.millrace.sequence;

import io.millrace.instance.InvalidRequestException;

/**
 * Thrown if the stored state conflicts with the request: a name exists, an object is in use, or a
 * status forbids it. The same request may succeed later.
 */
public final class StateConflictException extends InvalidRequestException {

  private static final long serialVersionUID = 1L;

  StateConflictException(String message) {
    super(message);
  }
}
