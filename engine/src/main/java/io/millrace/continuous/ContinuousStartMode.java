package io.millrace.continuous;

/** The way in which a run of a continuous workflow, or an execution of its type, was started. */
public enum ContinuousStartMode {
  /** By the engine, since the workflow shall run. */
  AUTO_START("AutoStart"),
  /** By the engine, in place of the run before, on the same node. */
  CONTINUATION("AutoStart (Continuation)"),
  /** Enabled by a user. */
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

  /** The mode of a code; {@link #AUTO_START} for one that this version does not know. */
  public static ContinuousStartMode of(String code) {
    for (ContinuousStartMode mode : values()) {
      if (mode.code.equals(code)) {
        return mode;
      }
    }
    return AUTO_START;
  }
}
