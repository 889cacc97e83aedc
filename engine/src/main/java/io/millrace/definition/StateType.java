package io.millrace.definition;

/** The type of a state. */
public enum StateType {
  /** A state in which an instance may start; has a handler. */
  START("start"),
  /** A state that does work; has a handler. */
  NORMAL("normal"),
  /** A state that waits for a signal or a timeout before its handler runs. */
  WAIT("wait"),
  /** A state that waits for an operator, who moves the instance on; has no handler. */
  MANUAL("manual"),
  /** A state that ends the instance; has no handler. */
  END("end");

  private final String code;

  StateType(String code) {
    this.code = code;
  }

  /** Returns the name in stored definitions, JSON and the UI. */
  public String code() {
    return code;
  }

  /** Returns true if a handler runs in such a state. */
  public boolean hasHandler() {
    return this == START || this == NORMAL || this == WAIT;
  }
}
