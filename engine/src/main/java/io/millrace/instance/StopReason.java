package io.millrace.instance;

/** Why an executor stops. */
public enum StopReason {
  /** Somebody asked for it. */
  DRAIN,
  /** It begins anew, to be rid of what it has gathered. */
  RECYCLE,
  /** One executor after another is replaced. */
  ROLLOUT,
  /** Its process ends, or its application closes the engine. */
  SHUTDOWN;

  /** The reason with this name; one that a newer version has written is a drain. */
  public static StopReason of(String name) {
    for (StopReason reason : values()) {
      if (reason.name().equals(name)) {
        return reason;
      }
    }
    return DRAIN;
  }
}
