package io.millrace.instance;

/** The reason why an executor stops. */
public enum StopReason {
  /** An operator asked for it. */
  DRAIN,
  /** The executor is recycled, which frees what its process has accumulated. */
  RECYCLE,
  /** A rollout replaces the executors one after another. */
  ROLLOUT,
  /** Its process ends, or its application closes the engine. */
  SHUTDOWN;

  /**
   * Returns the reason with this name. A reason that only a newer version knows counts as a drain.
   */
  public static StopReason of(String name) {
    for (StopReason reason : values()) {
      if (reason.name().equals(name)) {
        return reason;
      }
    }
    return DRAIN;
  }
}
