package io.millrace.examples.report.git;

/**
 * An error about a path that cannot be reported on; the message addresses the user who named it.
 */
public final class RepositoryException extends RuntimeException {

  public RepositoryException(String message) {
    super(message);
  }
}
