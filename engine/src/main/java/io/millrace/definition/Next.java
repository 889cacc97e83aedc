package io.millrace.definition;

import static io.millrace.definition.InvalidAnswerException.requireInAnswer;

import io.millrace.instance.Due;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A handler's answer: the next transition of the instance, and its reason. The reason is shown in
 * the history, log and UI. States are named by their enum constant or by text.
 */
public sealed interface Next {

  /** Returns the reason, in words for people. */
  String reason();

  /** Goes to {@code state} when due. */
  record Move(String state, Due due, String reason) implements Next {
    public Move {
      requireGiven(state, reason);
      requireInAnswer(due, "The due time of an answer");
    }
  }

  /**
   * Stays in the state. The attempt counts as failed and the handler runs again after {@code
   * delay}.
   *
   * @param delay null for that of the state's retry policy
   * @param cause the error, for the history and the policy; null if nothing was thrown
   */
  record Retry(@Nullable Duration delay, String reason, @Nullable Throwable cause) implements Next {
    public Retry {
      requireInAnswer(reason, "The reason of an answer");
      requireNotNegative("delay", delay);
    }
  }

  /**
   * Goes to {@code state}, which runs when {@code signal} has arrived or {@code timeout} has
   * passed; null for no limit.
   */
  record WaitForSignal(String state, String signal, @Nullable Duration timeout, String reason)
      implements Next {
    public WaitForSignal {
      requireGiven(state, reason);
      requireInAnswer(signal, "The signal that an answer waits for");
      requireNotNegative("timeout", timeout);
    }
  }

  /** Goes to {@code state}, which runs when all children of the instance have ended. */
  record WaitForChildren(String state, String reason) implements Next {
    public WaitForChildren {
      requireGiven(state, reason);
    }
  }

  /** Ends the instance as finished, in the current state. */
  record Done(String reason) implements Next {
    public Done {
      requireInAnswer(reason, "The reason of an answer");
    }
  }

  /** Fails this state without further attempts: takes its failure transition, or ends as failed. */
  record Fail(String reason) implements Next {
    public Fail {
      requireInAnswer(reason, "The reason of an answer");
    }
  }

  /** Goes to a state at once. */
  static Next moveTo(Enum<?> state, String reason) {
    return moveTo(nameOf(state), reason);
  }

  /** Goes to a state at once. */
  static Next moveTo(String state, String reason) {
    return new Move(state, Due.NOW, reason);
  }

  /** Goes to a state that runs after {@code delay}. */
  static Next moveAfter(Enum<?> state, Duration delay, String reason) {
    return moveAfter(nameOf(state), delay, reason);
  }

  /** Goes to a state that runs after {@code delay}. */
  static Next moveAfter(String state, Duration delay, String reason) {
    Duration time = requireInAnswer(delay, "The delay of an answer");
    requireNotNegative("delay", time);
    return new Move(state, time.isZero() ? Due.NOW : new Due.After(time), reason);
  }

  /** Goes to a state that runs at {@code instant}. */
  static Next moveAt(Enum<?> state, Instant instant, String reason) {
    return moveAt(nameOf(state), instant, reason);
  }

  /** Goes to a state that runs at {@code instant}. */
  static Next moveAt(String state, Instant instant, String reason) {
    return new Move(
        state, new Due.At(requireInAnswer(instant, "The instant of an answer")), reason);
  }

  /** Runs the same handler again after {@code delay}; counts as a failed attempt. */
  static Next retryAfter(Duration delay, String reason) {
    return new Retry(requireInAnswer(delay, "The delay of an answer"), reason, null);
  }

  /**
   * Fails the attempt with a cause, as if the handler had thrown it, with a reason and a delay of
   * its own.
   *
   * @param delay null for that of the state's retry policy
   */
  static Next retry(@Nullable Duration delay, String reason, Throwable cause) {
    return new Retry(delay, reason, requireInAnswer(cause, "The cause of an answer"));
  }

  /**
   * Goes to a state that runs when the signal has arrived, see {@link StateContext#signal}, or the
   * timeout has passed.
   */
  static Next waitForSignal(
      Enum<?> state, String signal, @Nullable Duration timeout, String reason) {
    return waitForSignal(nameOf(state), signal, timeout, reason);
  }

  /**
   * Goes to a state that runs when the signal has arrived, see {@link StateContext#signal}, or the
   * timeout has passed.
   */
  static Next waitForSignal(
      String state, String signal, @Nullable Duration timeout, String reason) {
    return new WaitForSignal(state, signal, timeout, reason);
  }

  /**
   * Goes to a state that runs when all children have ended, failed ones too; see {@link
   * StateContext#children}.
   */
  static Next waitForChildren(Enum<?> state, String reason) {
    return waitForChildren(nameOf(state), reason);
  }

  /**
   * Goes to a state that runs when all children have ended, failed ones too; see {@link
   * StateContext#children}.
   */
  static Next waitForChildren(String state, String reason) {
    return new WaitForChildren(state, reason);
  }

  /** Ends the instance as finished without moving to an end state. */
  static Next done(String reason) {
    return new Done(reason);
  }

  /** Fails the state: takes its failure transition, or without one ends the instance as failed. */
  static Next fail(String reason) {
    return new Fail(reason);
  }

  private static void requireNotNegative(String what, @Nullable Duration time) {
    if (time != null && time.isNegative()) {
      throw new InvalidAnswerException(
          "The " + what + " " + time + " is negative; expected zero or more.");
    }
  }

  private static void requireGiven(String state, String reason) {
    requireInAnswer(state, "The state of an answer");
    requireInAnswer(reason, "The reason of an answer");
  }

  private static String nameOf(Enum<?> state) {
    return requireInAnswer(state, "The state of an answer").name();
  }
}
