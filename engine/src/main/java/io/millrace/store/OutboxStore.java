package io.millrace.store;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Messages that are to be sent because an instance has come to a state with a channel. They are
 * written in the transaction of the transition or start, see {@link ChannelMessage}, and deleted
 * when the broker has them.
 */
public interface OutboxStore {

  /**
   * Takes messages that are due for sending, the oldest first, and keeps them from others for a
   * time. Those whose instance has gone on are deleted instead.
   *
   * @param reserve how long nobody else may take them
   */
  List<Message> claim(int limit, Duration reserve);

  /** Deletes messages that were sent. */
  void markSent(List<Key> keys);

  /** Writes down why messages were not sent, and lets them be taken again after a time. */
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
   * @param state the state that the instance has come to
   * @param retry true when the state is to be tried again
   * @param tries how often it was taken before
   */
  record Message(
      Key key, String channel, Instance instance, String state, boolean retry, int tries) {}

  /** The instance that a message announces. */
  record Instance(String type, int version, @Nullable String businessKey) {}
}
