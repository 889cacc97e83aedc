package io.millrace.definition;

import io.millrace.instance.MillraceException;

/** Thrown when a workflow definition is invalid. */
public final class DefinitionException extends MillraceException {

  private static final long serialVersionUID = 1L;

  public DefinitionException(String message) {
    super(message);
  }
}
