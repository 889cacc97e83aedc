package io.millrace.redis.admin;

import io.millrace.instance.MillraceException;

/**
 * Signals that no process has registered a flow or queue of this name, or that there is no such
 * job.
 */
public final class UnknownFlowException extends MillraceException {
  public UnknownFlowException(String message) {
    super(message);
  }
}
