package io.millrace.instance;

/** The result of waking an instance. */
public enum WakeResult {
  /** It is due now. */
  WOKEN("woken"),
  /** It is executing and runs again after its current step. */
  AFTER_STEP("afterStep"),
  /** Nothing was done: it is not in the expected state. */
  OTHER_STATE("otherState");

  private final String code;

  WakeResult(String code) {
    this.code = code;
  }

  /** The name in JSON. */
  public String code() {
    return code;
  }
}
