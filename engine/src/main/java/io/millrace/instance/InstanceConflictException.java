package io.millrace.instance;

/** Thrown when an instance forbids a request: by its status, or since it has the external id. */
public final class InstanceConflictException extends ConflictException {

  private static final long serialVersionUID = 1L;

  private final long instanceId;

  public InstanceConflictException(long instanceId, String message) {
    super(message);
    this.instanceId = instanceId;
  }

  /** Returns the instance that conflicts with the request. */
  public long instanceId() {
    return instanceId;
  }
}
