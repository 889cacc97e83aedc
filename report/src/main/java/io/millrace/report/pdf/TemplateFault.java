package io.millrace.report.pdf;

import io.millrace.instance.MillraceException;
import org.jspecify.annotations.Nullable;

/** A template cannot be used as it is. */
public final class TemplateFault extends MillraceException {

  private static final long serialVersionUID = 1L;

  public TemplateFault(String message) {
    super(message);
  }

  public TemplateFault(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
