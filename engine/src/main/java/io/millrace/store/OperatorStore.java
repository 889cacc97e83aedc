package io.millrace.store;

import io.millrace.instance.OperatorAction;
import org.jspecify.annotations.Nullable;

/** Commands and signals from operators and clients. */
public interface OperatorStore {

  /**
   * Carries a command out under {@link OperatorCommandRules}, with a history entry, in one
   * transaction.
   */
  CommandResult apply(long instanceId, OperatorCommand command, OperatorAction action);

  /** Puts a signal into the inbox and wakes the instance if it waits for it, in one transaction. */
  SignalResult signal(SignalRequest request);

  /**
   * A signal to be put into the inbox.
   *
   * @param payload JSON text; null for none
   * @param actor null if unknown
   * @param key a second signal with the same key is dropped; null for none
   */
  record SignalRequest(
      long instanceId,
      String name,
      @Nullable String payload,
      @Nullable String actor,
      @Nullable String key) {}

  /** The result of a signal. */
  enum SignalResult {
    /** The instance was waiting for it and is due now. */
    WOKEN,
    /** The signal is kept in the inbox until a transition consumes it. */
    IN_INBOX,
    /** A signal with this key had been sent before. */
    DUPLICATE,
    /** The instance has ended. */
    ENDED,
    /** The inbox is full, by {@link InboxRules}, and the instance does not wait for this signal. */
    FULL,
    NOT_FOUND
  }

  /** The result of a command. */
  sealed interface CommandResult {
    /**
     * The command was carried out and written as history entry {@code seq}; {@code due} is true if
     * the instance is due now.
     */
    record Applied(int seq, boolean due, @Nullable Long previousExecutorId)
        implements CommandResult {}

    /** The instance is executing; the command takes effect after the current attempt. */
    record AfterAttempt() implements CommandResult {}

    /**
     * The command is not allowed; the message says why and what to do.
     *
     * @param inOtherState true if only because the instance is not in the expected state
     */
    record Refused(String message, boolean inOtherState) implements CommandResult {}

    /** The variables would have this number of bytes, which is over the limit of the command. */
    record TooLarge(long bytes) implements CommandResult {}

    record NotFound() implements CommandResult {}
  }
}
