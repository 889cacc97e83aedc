package io.millrace.report.pdf;

import io.millrace.instance.MillraceException;
import org.jspecify.annotations.Nullable;

/** Signals that a template cannot be used. */
public final class TemplateException extends MillraceException {

  private static final long serialVersionUID = 1L;

  public TemplateException(String message) {
    super(message);
  }

  public TemplateException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
