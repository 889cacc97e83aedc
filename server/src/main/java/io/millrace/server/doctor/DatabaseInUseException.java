package io.millrace.server.doctor;

import io.millrace.instance.MillraceException;

/** Another process has the H2 file, which may well be a server in good health. */
public final class DatabaseInUseException extends MillraceException {
  public DatabaseInUseException(String message, Throwable cause) {
    super(message, cause);
  }
}
