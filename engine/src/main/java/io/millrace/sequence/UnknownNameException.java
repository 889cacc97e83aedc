package io.millrace.sequence;

import io.millrace.instance.InvalidRequestException;

/** There is no sequence, task or type of the name that was asked for. */
public final class UnknownNameException extends InvalidRequestException {

  private static final long serialVersionUID = 1L;

  UnknownNameException(String message) {
    super(message);
  }
}
