package io.millrace.examples.report.git;

/** A path that cannot be reported on; the message is for the person who named it. */
public final class RepositoryException extends RuntimeException {

  public RepositoryException(String message) {
    super(message);
  }
}
