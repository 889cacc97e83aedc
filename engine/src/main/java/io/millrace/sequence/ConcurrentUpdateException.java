package io.millrace.sequence;

import io.millrace.instance.ConflictException;

/** Thrown if the object was changed concurrently. */
public final class ConcurrentUpdateException extends ConflictException {

  private static final long serialVersionUID = 1L;

  ConcurrentUpdateException(String what) {
    super(
        "The "
            + what
            + " was changed by another user or program meanwhile. Read it again, and repeat the change.");
  }
}
