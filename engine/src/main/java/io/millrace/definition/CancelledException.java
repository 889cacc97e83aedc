package io.millrace.definition;

import io.millrace.instance.MillraceException;

/** Thrown inside a handler whose result is no longer wanted. */
public final class CancelledException extends MillraceException {

  private static final long serialVersionUID = 1L;

  public CancelledException(String why) {
    super(why);
  }
}
