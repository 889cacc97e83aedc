package io.millrace.data;

import io.millrace.instance.InvalidRequestException;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** The state of a period. A period that was never claimed has no state. */
public enum PeriodState {
  /** Claimed by a holder that has not reported a start. */
  CLAIMED("claimed"),
  /** An instance does the work, or the holder reported its start. */
  RUNNING("running"),
  /** The work is done. */
  SUCCEEDED("succeeded"),
  /** The work failed and is not tried again. */
  FAILED("failed"),
  /** The holder released the period; it can be claimed again. */
  RELEASED("released"),
  /** The period passed without a claim. */
  MISSED("missed");

  /** An operation on a period. */
  public enum Operation {
    /** Claims the period; if it is held, only when its lease has expired and attempts are left. */
    CLAIM,
    START,
    COMPLETE,
    FAIL,
    RELEASE,
    MISS
  }

  /** The table of transitions: the states in which an operation is allowed. */
  private static final Map<Operation, Set<PeriodState>> FROM = new EnumMap<>(Operation.class);

  /** The state after each operation. */
  private static final Map<Operation, PeriodState> TO = new EnumMap<>(Operation.class);

  static {
    row(Operation.CLAIM, CLAIMED, RELEASED, CLAIMED, RUNNING);
    row(Operation.START, RUNNING, CLAIMED);
    row(Operation.COMPLETE, SUCCEEDED, CLAIMED, RUNNING);
    row(Operation.FAIL, FAILED, CLAIMED, RUNNING);
    row(Operation.RELEASE, RELEASED, CLAIMED, RUNNING);
    row(Operation.MISS, MISSED, RELEASED);
  }

  private final String code;

  PeriodState(String code) {
    this.code = code;
  }

  private static void row(Operation operation, PeriodState to, PeriodState... from) {
    FROM.put(operation, EnumSet.copyOf(Arrays.asList(from)));
    TO.put(operation, to);
  }

  /** Returns the name in tables, URLs and JSON. */
  public String code() {
    return code;
  }

  /** Returns true if an operation is allowed in this state. */
  public boolean allows(Operation operation) {
    return from(operation).contains(this);
  }

  /** Returns the states in which an operation is allowed. */
  public static Set<PeriodState> from(Operation operation) {
    return FROM.getOrDefault(operation, Set.of());
  }

  /** Returns the state after an operation. */
  public static PeriodState to(Operation operation) {
    return Objects.requireNonNull(TO.get(operation));
  }

  /** Returns true while the period has a holder. */
  public boolean isHeld() {
    return this == CLAIMED || this == RUNNING;
  }

  /**
   * Returns the state with this code.
   *
   * @throws InvalidRequestException if there is none
   */
  public static PeriodState ofCode(String code) {
    for (PeriodState state : values()) {
      if (state.code.equals(code)) {
        return state;
      }
    }
    throw new InvalidRequestException(
        "The state of a fire '"
            + code
            + "' is unknown; expected one of "
            + Arrays.stream(values()).map(PeriodState::code).toList()
            + ".");
  }
}
