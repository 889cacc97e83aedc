package io.millrace.redis.admin;

import io.millrace.instance.MillraceException;

/** Thrown if no process has registered a flow or queue of this name. */
public final class UnknownFlowException extends MillraceException {
  public UnknownFlowException(String message) {
    super(message);
  }
}
