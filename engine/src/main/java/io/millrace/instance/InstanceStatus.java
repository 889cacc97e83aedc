package io.millrace.instance;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The status of an instance. {@link #EXECUTING} is not stored: an instance executes exactly while
 * an executor holds its lease.
 */
public enum InstanceStatus {
  /**
   * No transition of the instance has been saved yet. An executor may have claimed it before, and
   * released it again.
   */
  CREATED("created", false),
  /**
   * A transition was saved, or an operator has resumed, retried or moved the instance. It is due
   * now, later or on an event.
   */
  IN_PROGRESS("inProgress", false),
  /** An executor holds the instance. */
  EXECUTING("executing", false),
  /** An operator has paused the instance until it is resumed. */
  PAUSED("paused", false),
  /** The instance waits for an operator: in a manual state, or parked by the engine. */
  MANUAL("manual", false),
  /** The instance ended as designed. */
  FINISHED("finished", true),
  /** The instance ended by a failure that nothing handled; an operator may retry it. */
  FAILED("failed", true),
  /** An operator ended the instance. */
  CANCELLED("cancelled", true);

  private final String code;
  private final boolean terminal;

  InstanceStatus(String code, boolean terminal) {
    this.code = code;
    this.terminal = terminal;
  }

  /** Returns the name in tables, URLs and JSON. */
  public String code() {
    return code;
  }

  /** Returns true if the instance has ended. */
  public boolean isTerminal() {
    return terminal;
  }

  /**
   * Returns the status with this code.
   *
   * @throws InvalidRequestException if there is none
   */
  public static InstanceStatus ofCode(String code) {
    for (InstanceStatus status : values()) {
      if (status.code.equals(code)) {
        return status;
      }
    }
    throw new InvalidRequestException(
        "Instance status '" + code + "' is unknown; expected one of " + codes() + ".");
  }

  private static List<String> codes() {
    return Arrays.stream(values()).map(InstanceStatus::code).collect(Collectors.toList());
  }
}
