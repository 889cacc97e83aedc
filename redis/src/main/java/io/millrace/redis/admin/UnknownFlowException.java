package io.millrace.redis.admin;

import io.millrace.instance.MillraceException;

/** No process has registered a flow or queue of this name, or there is no such job. */
public final class UnknownFlowException extends MillraceException {
  public UnknownFlowException(String message) {
    super(message);
  }
}
