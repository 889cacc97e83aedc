package io.millrace.data;

import io.millrace.instance.InvalidRequestException;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** What has become of a period of a schedule. A period that nobody claimed has no state. */
public enum PeriodState {
  /** Somebody has the right to do the work, and has not said that it began. */
  CLAIMED("claimed"),
  /** An instance does the work, or the holder said that it began. */
  RUNNING("running"),
  /** Done. */
  SUCCEEDED("succeeded"),
  /** Given up. */
  FAILED("failed"),
  /** Given back; it can be claimed again. */
  RELEASED("released"),
  /** Passed by without anybody claiming it. */
  MISSED("missed");

  /** What can be done with a fire. */
  public enum Operation {
    /** Take it; while it is held, only when its lease is over and attempts are left. */
    CLAIM,
    START,
    COMPLETE,
    FAIL,
    RELEASE,
    MISS
  }

  /** The only table of transitions: from where a deed is possible. */
  private static final Map<Operation, Set<PeriodState>> FROM = new EnumMap<>(Operation.class);

  /** Where a deed leads. */
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

  /** The name in tables, URLs and JSON. */
  public String code() {
    return code;
  }

  /** True when a deed is possible here. */
  public boolean allows(Operation operation) {
    return from(operation).contains(this);
  }

  /** From where a deed is possible. */
  public static Set<PeriodState> from(Operation operation) {
    return FROM.getOrDefault(operation, Set.of());
  }

  /** Where a deed leads. */
  public static PeriodState to(Operation operation) {
    return Objects.requireNonNull(TO.get(operation));
  }

  /** True while somebody holds the period. */
  public boolean isHeld() {
    return this == CLAIMED || this == RUNNING;
  }

  /**
   * The state with this code.
   *
   * @throws InvalidRequestException when there is none
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
