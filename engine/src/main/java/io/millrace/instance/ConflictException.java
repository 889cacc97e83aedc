package io.millrace.instance;

/**
 * Thrown when a request contradicts stored data: another payload for an external id, or an action
 * that the status forbids.
 */
public final class ConflictException extends MillraceException {

  private static final long serialVersionUID = 1L;

  private final long instanceId;

  public ConflictException(long instanceId, String message) {
    super(message);
    this.instanceId = instanceId;
  }

  /** Returns the instance that conflicts with the request. */
  public long instanceId() {
    return instanceId;
  }
}
