package io.millrace.report.mail;

import io.millrace.instance.MillraceException;
import org.jspecify.annotations.Nullable;

/** Signals that a mail cannot be made, or was not accepted for every recipient. */
public final class MailException extends MillraceException {

  private static final long serialVersionUID = 1L;

  public MailException(String message) {
    super(message);
  }

  public MailException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
