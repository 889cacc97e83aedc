package io.millrace.report.source;

import io.millrace.instance.MillraceException;
import org.jspecify.annotations.Nullable;

/** Signals that a source cannot be read or written. */
public final class SourceException extends MillraceException {

  private static final long serialVersionUID = 1L;

  public SourceException(String message) {
    super(message);
  }

  public SourceException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
