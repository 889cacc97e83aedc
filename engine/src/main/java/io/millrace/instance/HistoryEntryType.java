package io.millrace.instance;

import java.util.Arrays;

/** The type of a {@link HistoryEntry}. */
public enum HistoryEntryType {
  /**
   * A handler answered and its answer was accepted, or the instance goes on waiting for a signal or
   * its children, so that no handler ran.
   */
  STATE_EXECUTION("stateExecution"),
  /**
   * An attempt failed, so that it is retried, or the instance goes to its failure state or ends as
   * failed. Also that the instance is parked, because its state has no handler or its row cannot be
   * run.
   */
  STATE_EXECUTION_FAILED("stateExecutionFailed"),
  /** The executor stopped before the handler had ended; the attempt does not count. */
  ABANDONED("abandoned"),
  /** The instance was recovered after its holder had died. */
  RECOVERY("recovery"),
  CANCEL("cancel"),
  PAUSE("pause"),
  RESUME("resume"),
  RETRY("retry"),
  MOVE("move"),
  WAKE("wake"),
  EDIT_VARIABLES("editVariables");

  private final String code;

  HistoryEntryType(String code) {
    this.code = code;
  }

  /** Returns the name in tables, URLs and JSON. */
  public String code() {
    return code;
  }

  /** Returns the type with this code. */
  public static HistoryEntryType ofCode(String code) {
    for (HistoryEntryType type : values()) {
      if (type.code.equals(code)) {
        return type;
      }
    }
    throw new InvalidRequestException(
        "History entry type '"
            + code
            + "' is unknown; expected one of "
            + Arrays.stream(values()).map(HistoryEntryType::code).toList()
            + ".");
  }
}
