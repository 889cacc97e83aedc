package io.millrace.sequence;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A transport of messages between tasks, with a queue for each channel. It may lose, repeat and
 * reorder messages, which costs time and nothing else. Thread-safe.
 */
public interface ChannelTransport extends AutoCloseable {

  /** Returns the name for people, for example {@code rabbitmq}. */
  String name();

  /**
   * Sends messages and waits a limited time for the broker to confirm them.
   *
   * @return for each message, in their order, null if the broker has confirmed it, or else the
   *     reason; never throws if the broker is away
   */
  List<@Nullable String> publish(List<Outgoing> messages);

  /**
   * Receives messages of a channel until the subscription is closed, across losses of the
   * connection. The close returns when no call of {@code receiver} runs any more.
   *
   * @param concurrency number of messages that are received at a time
   */
  Subscription subscribe(String channel, int concurrency, Receiver receiver);

  /**
   * Returns the status of the queue of a channel.
   *
   * @throws ChannelException when the broker does not answer
   */
  QueueStatus queueStatus(String channel);

  /**
   * Returns the oldest dead letters of a channel, at most {@code limit}; they stay in the queue.
   *
   * @throws ChannelException if the broker does not answer
   */
  List<DeadLetter> deadLetters(String channel, int limit);

  /**
   * Moves the oldest dead letters back into the channel, at most {@code limit}.
   *
   * @return how many were moved; fewer than there are if the broker failed in between
   * @throws ChannelException if the broker does not answer, and nothing was moved
   */
  int requeue(String channel, int limit);

  @Override
  void close();

  /**
   * A message to be sent.
   *
   * @param body JSON text
   * @param id identifies the message; the same for a repeated one
   * @param retryOf the retried history entry, sent in the header {@code executionHistoryId}; null
   *     unless the message is for a retry
   */
  record Outgoing(String channel, String body, String id, @Nullable String retryOf) {}

  /**
   * A received message.
   *
   * @param id as set by its sender; null for none
   */
  record Incoming(String channel, String body, @Nullable String id) {}

  /** A receiver that handles messages, several at a time. */
  @FunctionalInterface
  interface Receiver {
    /** Handles a message and returns its outcome; may block, does not throw. */
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

  /** A subscription to a channel, which ends when it is closed. */
  interface Subscription extends AutoCloseable {
    /** Returns false while the connection is lost. */
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
   * A message that was rejected.
   *
   * @param body at most its first 2,000 characters
   */
  record DeadLetter(String channel, String body, @Nullable String id, String reason) {}
}
