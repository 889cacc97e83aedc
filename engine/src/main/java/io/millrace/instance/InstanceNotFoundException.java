package io.millrace.instance;

/** Thrown if no instance has this id: it never existed, or retention has removed it. */
public final class InstanceNotFoundException extends MillraceException {

  private static final long serialVersionUID = 1L;

  private final long instanceId;

  public InstanceNotFoundException(long instanceId) {
    super(
        "Workflow instance "
            + instanceId
            + " does not exist: the id is wrong, or retention has archived or deleted it.");
    this.instanceId = instanceId;
  }

  public long instanceId() {
    return instanceId;
  }
}
