package io.millrace.sequence;

import io.millrace.instance.InvalidRequestException;

/**
 * What is stored stands against the request: a name is taken, something is in use, or a status
 * forbids it. The same request may succeed later.
 */
public final class StateConflictException extends InvalidRequestException {

  private static final long serialVersionUID = 1L;

  StateConflictException(String message) {
    super(message);
  }
}
