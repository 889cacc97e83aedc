package io.millrace.instance;

/** Thrown when a request would store more than one instance may have. */
public final class TooLargeException extends InvalidRequestException {

  private static final long serialVersionUID = 1L;

  public TooLargeException(String message) {
    super(message);
  }
}
