package io.millrace.continuous;

/** The way in which a run of a continuous workflow, or an execution of its type, was started. */
public enum ContinuousStartMode {
  /** A start by the engine, because the workflow is enabled. */
  AUTO_START("AutoStart"),
  /** A start by the engine on the same node, in place of the previous run. */
  CONTINUATION("AutoStart (Continuation)"),
  /** A start by a user who enabled the workflow. */
  MANUAL_START("ManualStart"),
  /** An execution without the trigger. */
  RUN_NOW("RunNow"),
  /** An execution started by a client. */
  API_INVOKE("ApiInvoke"),
  /** An execution without the trigger, for debugging. */
  DEBUG("Debug");

  private final String code;

  ContinuousStartMode(String code) {
    this.code = code;
  }

  /** Returns the text for start information, such as {@code AutoStart (Continuation)}. */
  public String code() {
    return code;
  }

  /**
   * Returns the mode with this code; {@link #AUTO_START} for one that this version does not know.
   */
  public static ContinuousStartMode of(String code) {
    for (ContinuousStartMode mode : values()) {
      if (mode.code.equals(code)) {
        return mode;
      }
    }
    return AUTO_START;
  }
}
