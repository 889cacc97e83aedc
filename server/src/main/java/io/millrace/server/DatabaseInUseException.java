package io.millrace.server;

import io.millrace.instance.MillraceException;

/** Another process has the H2 file. */
final class DatabaseInUseException extends MillraceException {
  DatabaseInUseException(String message, Throwable cause) {
    super(message, cause);
  }
}
