package io.millrace.definition;

/** The kinds of states. */
public enum StateType {
  /** A state in which an instance may start; has a handler. */
  START("start"),
  /** Work. Has a handler. */
  NORMAL("normal"),
  /** Waits for a signal or a timeout, then its handler runs. */
  WAIT("wait"),
  /** Waits for a person, who moves the instance on. Has no handler. */
  MANUAL("manual"),
  /** The end. Has no handler. */
  END("end");

  private final String code;

  StateType(String code) {
    this.code = code;
  }

  /** The name in stored definitions, JSON and the UI. */
  public String code() {
    return code;
  }

  /** True when a handler runs in such a state. */
  public boolean hasHandler() {
    return this == START || this == NORMAL || this == WAIT;
  }
}
