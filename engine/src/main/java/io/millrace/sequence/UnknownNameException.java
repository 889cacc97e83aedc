package io.millrace.sequence;

import io.millrace.instance.InvalidRequestException;

/** Thrown if there is no sequence, task or type of the requested name. */
public final class UnknownNameException extends InvalidRequestException {

  private static final long serialVersionUID = 1L;

  UnknownNameException(String message) {
    super(message);
  }
}
