package io.millrace.continuous;

/** How a run of a continuous workflow, or an execution of its type, came to start. */
public enum ContinuousStartMode {
  /** By the engine, since the workflow shall run. */
  AUTO_START("AutoStart"),
  /** By the engine, in place of the run before, on the same node. */
  CONTINUATION("AutoStart (Continuation)"),
  /** By somebody who switched it on. */
  MANUAL_START("ManualStart"),
  /** One execution without the trigger. */
  RUN_NOW("RunNow"),
  /** One execution that a client has started. */
  API_INVOKE("ApiInvoke"),
  /** One execution without the trigger, of somebody who looks into it. */
  DEBUG("Debug");

  private final String code;

  ContinuousStartMode(String code) {
    this.code = code;
  }

  /** As start information has it, such as {@code AutoStart (Continuation)}. */
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
