package io.millrace.sequence;

import io.millrace.instance.MillraceException;

/** Somebody else has changed what was to be changed, in the meantime. */
public final class ConcurrentUpdateException extends MillraceException {

  private static final long serialVersionUID = 1L;

  ConcurrentUpdateException(String what) {
    super(
        "The "
            + what
            + " was changed by somebody else meanwhile. Look at it again, and repeat the change.");
  }
}
