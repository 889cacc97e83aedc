package io.millrace.instance;

/** The result of waking an instance. */
public enum WakeResult {
  /** The instance is due now. */
  WOKEN("woken"),
  /** The instance is executing and runs again after its current attempt. */
  AFTER_ATTEMPT("afterAttempt"),
  /** The instance is not in the expected state; nothing was done. */
  OTHER_STATE("otherState");

  private final String code;

  WakeResult(String code) {
    this.code = code;
  }

  /** Returns the name in JSON. */
  public String code() {
    return code;
  }
}
