package io.millrace.server.doctor;

import io.millrace.instance.MillraceException;

/** The failure to open an H2 file that another process has open, possibly a healthy server. */
public final class DatabaseInUseException extends MillraceException {
  public DatabaseInUseException(String message, Throwable cause) {
    super(message, cause);
  }
}
