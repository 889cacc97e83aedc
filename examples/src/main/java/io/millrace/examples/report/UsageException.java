package io.millrace.examples.report;

/** A problem that the user must fix; the message says what to do. */
final class UsageException extends RuntimeException {

  UsageException(String message) {
    super(message);
  }
}
