package io.millrace.instance;

/** What kind of entry an {@link Action} is. */
public enum ActionType {
  /** A handler answered and its answer was accepted. */
  STATE_EXECUTION("stateExecution"),
  /** An attempt failed; it will be retried, or a failure transition was taken. */
  STATE_EXECUTION_FAILED("stateExecutionFailed"),
  /** The executor stopped before the handler had ended; the attempt does not count. */
  ABANDONED("abandoned"),
  /** The holder died and the instance was taken from it. */
  RECOVERY("recovery"),
  CANCEL("cancel"),
  PAUSE("pause"),
  RESUME("resume"),
  RETRY("retry"),
  MOVE("move"),
  WAKE("wake"),
  EDIT_VARIABLES("editVariables");

  private final String code;

  ActionType(String code) {
    this.code = code;
  }

  /** The name in tables, URLs and JSON. */
  public String code() {
    return code;
  }

  /** The type with this code. */
  public static ActionType ofCode(String code) {
    for (ActionType type : values()) {
      if (type.code.equals(code)) {
        return type;
      }
    }
    throw new InvalidRequestException("Action type '" + code + "' is unknown.");
  }
}
