package io.millrace.instance;

/**
 * The request contradicts what is stored: another payload for an external id, or an action that the
 * status forbids.
 */
public final class ConflictException extends MillraceException {

  private static final long serialVersionUID = 1L;

  private final long instanceId;

  public ConflictException(long instanceId, String message) {
    super(message);
    this.instanceId = instanceId;
  }

  /** The instance that stands against the request. */
  public long instanceId() {
    return instanceId;
  }
}
