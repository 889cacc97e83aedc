package io.millrace.instance;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The status of an instance. {@link #EXECUTING} is not stored: an instance executes exactly while
 * an executor holds its lease.
 */
public enum InstanceStatus {
  /** Started and not claimed yet. */
  CREATED("created", false),
  /** Ran at least once, and is due now, later or on an event. */
  IN_PROGRESS("inProgress", false),
  /** Held by an executor. */
  EXECUTING("executing", false),
  /** Taken out of work by an operator until resumed. */
  PAUSED("paused", false),
  /** Waits for a person: in a manual state, or parked by the engine. */
  MANUAL("manual", false),
  /** Ended as designed. */
  FINISHED("finished", true),
  /** Ended by a failure that nothing handled; an operator may retry it. */
  FAILED("failed", true),
  /** Ended by an operator. */
  CANCELLED("cancelled", true);

  private final String code;
  private final boolean terminal;

  InstanceStatus(String code, boolean terminal) {
    this.code = code;
    this.terminal = terminal;
  }

  /** The name in tables, URLs and JSON. */
  public String code() {
    return code;
  }

  /** True when the instance has ended. */
  public boolean isTerminal() {
    return terminal;
  }

  /**
   * The status with this code.
   *
   * @throws InvalidRequestException when there is none
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
