package io.millrace.sequence;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Carries messages between tasks, each channel in a queue of its own. It may lose, repeat and
 * reorder them: that costs time and nothing else. Thread-safe.
 */
public interface ChannelTransport extends AutoCloseable {

  /** Returns the name for people, for example {@code rabbitmq}. */
  String name();

  /**
   * Sends messages and waits for the broker to confirm them, for a limited time.
   *
   * @return for each message, in their order, null when it is safe with the broker, or else why
   *     not; never throws for a broker that is away
   */
  List<@Nullable String> publish(List<Outgoing> messages);

  /**
   * Receives messages of a channel until the subscription is closed, across losses of the
   * connection. The close returns when no call of {@code receiver} runs any more.
   *
   * @param concurrency how many messages are received at a time
   */
  Subscription subscribe(String channel, int concurrency, Receiver receiver);

  /**
   * Returns the status of the queue of a channel.
   *
   * @throws ChannelException when the broker does not answer
   */
  QueueStatus queueStatus(String channel);

  /**
   * The oldest dead letters of a channel, at most {@code limit}; they stay where they are.
   *
   * @throws ChannelException when the broker does not answer
   */
  List<DeadLetter> deadLetters(String channel, int limit);

  /**
   * Moves the oldest dead letters back into the channel, at most {@code limit}.
   *
   * @return how many were moved; fewer than there are when the broker has failed in between
   * @throws ChannelException when the broker does not answer, and nothing was moved
   */
  int requeue(String channel, int limit);

  @Override
  void close();

  /**
   * A message to be sent.
   *
   * @param body JSON text
   * @param id names the message; the same for a repeated one
   * @param retryOf what is retried, sent in the header {@code executionHistoryId}; null unless the
   *     message is for a retry
   */
  record Outgoing(String channel, String body, String id, @Nullable String retryOf) {}

  /**
   * A message that has come.
   *
   * @param id as given by its sender; null for none
   */
  record Incoming(String channel, String body, @Nullable String id) {}

  /** Handles messages, several at a time. */
  @FunctionalInterface
  interface Receiver {
    /** Answers when it is settled what becomes of the message; may block, does not throw. */
    DeliveryOutcome receive(Incoming message);
  }

  /** The outcome of a delivery. */
  sealed interface DeliveryOutcome {
    /** Acknowledges the message: it was accepted or is obsolete. */
    record Acknowledge() implements DeliveryOutcome {}

    /** Rejects an unusable message to the dead letters, with a reason. */
    record Reject(String reason) implements DeliveryOutcome {}

    /** Requeues the message for another delivery, here or on another node. */
    record Requeue() implements DeliveryOutcome {}
  }

  /** Ends receiving when closed. */
  interface Subscription extends AutoCloseable {
    /** False while the connection is lost. */
    boolean isConnected();

    @Override
    void close();
  }

  /**
   * The state of a channel's queue.
   *
   * @param ready messages that wait
   * @param consumers of all nodes
   * @param deadLetters messages that were rejected
   */
  record QueueStatus(String channel, long ready, long consumers, long deadLetters) {}

  /**
   * A message that could not be used.
   *
   * @param body at most its first 2,000 characters
   */
  record DeadLetter(String channel, String body, @Nullable String id, String reason) {}
}
