package io.millrace.instance;

/**
 * Thrown when stored data forbid a request that is valid in itself: a status forbids an action, a
 * name or an external id is taken, something is in use, or another change was faster. The same
 * request may succeed later.
 */
public class ConflictException extends MillraceException {

  private static final long serialVersionUID = 1L;

  public ConflictException(String message) {
    super(message);
  }
}
