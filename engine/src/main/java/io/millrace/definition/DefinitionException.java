package io.millrace.definition;

import io.millrace.instance.MillraceException;

/** A workflow definition that cannot work. */
public final class DefinitionException extends MillraceException {

  private static final long serialVersionUID = 1L;

  public DefinitionException(String message) {
    super(message);
  }
}
