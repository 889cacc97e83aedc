package io.millrace.server.doctor;

import io.millrace.instance.MillraceException;

/** The failure of a command that reads a database whose H2 file does not exist. */
public final class DatabaseMissingException extends MillraceException {
  public DatabaseMissingException(String message, Throwable cause) {
    super(message, cause);
  }
}
