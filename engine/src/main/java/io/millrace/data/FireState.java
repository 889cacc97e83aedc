package io.millrace.data;

import io.millrace.instance.InvalidRequestException;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** What has become of a period of a schedule. A period that nobody claimed has no state. */
public enum FireState {
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
  public enum Deed {
    /** Take it; while it is held, only when its lease is over and attempts are left. */
    CLAIM,
    START,
    COMPLETE,
    FAIL,
    RELEASE,
    MISS
  }

  /** The only table of transitions: from where a deed is possible. */
  private static final Map<Deed, Set<FireState>> FROM = new EnumMap<>(Deed.class);

  /** Where a deed leads. */
  private static final Map<Deed, FireState> TO = new EnumMap<>(Deed.class);

  static {
    row(Deed.CLAIM, CLAIMED, RELEASED, CLAIMED, RUNNING);
    row(Deed.START, RUNNING, CLAIMED);
    row(Deed.COMPLETE, SUCCEEDED, CLAIMED, RUNNING);
    row(Deed.FAIL, FAILED, CLAIMED, RUNNING);
    row(Deed.RELEASE, RELEASED, CLAIMED, RUNNING);
    row(Deed.MISS, MISSED, RELEASED);
  }

  private final String code;

  FireState(String code) {
    this.code = code;
  }

  private static void row(Deed deed, FireState to, FireState... from) {
    FROM.put(deed, EnumSet.copyOf(Arrays.asList(from)));
    TO.put(deed, to);
  }

  /** The name in tables, URLs and JSON. */
  public String code() {
    return code;
  }

  /** True when a deed is possible here. */
  public boolean allows(Deed deed) {
    return from(deed).contains(this);
  }

  /** From where a deed is possible. */
  public static Set<FireState> from(Deed deed) {
    return FROM.getOrDefault(deed, Set.of());
  }

  /** Where a deed leads. */
  public static FireState to(Deed deed) {
    return Objects.requireNonNull(TO.get(deed));
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
  public static FireState ofCode(String code) {
    for (FireState state : values()) {
      if (state.code.equals(code)) {
        return state;
      }
    }
    throw new InvalidRequestException(
        "The state of a fire '"
            + code
            + "' is unknown; expected one of "
            + Arrays.stream(values()).map(FireState::code).toList()
            + ".");
  }
}
