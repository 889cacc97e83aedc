package io.millrace.store;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The messages to send because an instance has entered a state with a channel. They are written in
 * the transaction of the transition or start, see {@link ChannelMessage}, and deleted when the
 * broker has confirmed them.
 */
public interface OutboxStore {

  /**
   * Claims messages that are due for sending, the oldest first, and keeps them from others for a
   * time. Messages whose instance has continued are deleted instead.
   *
   * @param reserve time for which no other node can claim them
   */
  List<Message> claim(int limit, Duration reserve);

  /** Deletes messages that were sent. */
  void markSent(List<Key> keys);

  /** Records why messages were not sent, and makes them claimable again after a time. */
  void markFailed(List<Key> keys, String why, Duration again);

  /** Returns the message of the transition or start that was not sent; empty for none. */
  Optional<Unsent> unsent(Key key);

  /**
   * A message that was not sent.
   *
   * @param error why; null if that has not been tried
   */
  record Unsent(String channel, @Nullable String error) {}

  /** The transition or start that a message belongs to. */
  record Key(long instanceId, int seq) {}

  /**
   * A message to be sent.
   *
   * @param state the entered state of the instance
   * @param retry true if the state is retried
   * @param tries number of earlier claims
   */
  record Message(
      Key key, String channel, Instance instance, String state, boolean retry, int tries) {}

  /** The instance that a message announces. */
  record Instance(String type, int version, @Nullable String businessKey) {}
}
