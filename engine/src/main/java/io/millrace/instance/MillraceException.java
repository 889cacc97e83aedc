package io.millrace.instance;

import org.jspecify.annotations.Nullable;

/**
 * The base of all errors that Millrace throws at its callers. The message names the thing, what was
 * wrong, what was expected and what to do.
 */
public class MillraceException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public MillraceException(String message) {
    super(message);
  }

  public MillraceException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
