package io.millrace.instance;

import org.jspecify.annotations.Nullable;

/**
 * The base class of all exceptions that Millrace throws to its callers. The message names the
 * thing, the error, the expected value and the remedy.
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
