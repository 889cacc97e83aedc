package io.millrace.instance;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The current position of an instance: state, status and reason.
 *
 * @param state the current state's name
 * @param status the stored status, never {@link InstanceStatus#EXECUTING}
 * @param reason why it is here, in the words of the last handler, operator or engine
 * @param enteredSeq the {@code seq} with which the visit of the state began, which identifies it
 * @param nextActivation when it is due; null if only an event or an operator can move it
 * @param waitingFor the event it waits for; null for none
 * @param waitUntil when the wait for the event ends without it, or the due time that a wake-up or
 *     pause request overrode; null for no limit
 */
public record Position(
    String state,
    InstanceStatus status,
    @Nullable String reason,
    int enteredSeq,
    @Nullable Instant nextActivation,
    @Nullable String waitingFor,
    @Nullable Instant waitUntil) {

  /** Value of {@link #waitingFor} for an instance that waits for its children. */
  public static final String CHILDREN = "children";

  private static final String SIGNAL = "signal:";

  /**
   * Returns the value of {@link #waitingFor} for an instance that waits for the signal {@code
   * name}.
   */
  public static String signal(String name) {
    return SIGNAL + name;
  }

  /** Returns the name of the awaited signal; null if it waits for no signal. */
  public @Nullable String awaitedSignal() {
    return waitingFor != null && waitingFor.startsWith(SIGNAL)
        ? waitingFor.substring(SIGNAL.length())
        : null;
  }

  /** Returns true if it waits for its children. */
  public boolean awaitsChildren() {
    return CHILDREN.equals(waitingFor);
  }
}
