package io.millrace.examples.report;

/** Something that the person who started the program has to change; the message says what. */
final class UsageException extends RuntimeException {

  UsageException(String message) {
    super(message);
  }
}
