package io.millrace.instance;

/** The caller's request can never succeed as it is. */
public final class InvalidRequestException extends MillraceException {

  private static final long serialVersionUID = 1L;

  public InvalidRequestException(String message) {
    super(message);
  }
}
