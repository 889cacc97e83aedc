package io.millrace.store;

import java.time.Duration;
import java.util.List;

/**
 * A message to the executors that serve the channel of an instance's new state.
 *
 * @param channel at most 255 characters
 * @param after when it must be sent, from the transition on
 * @param retry true if the state is retried
 */
public record ChannelMessage(String channel, Duration after, boolean retry)
    implements AttachedWrite {

  /** Returns true if there is a message among the writes. */
  public static boolean isAmong(List<AttachedWrite> writes) {
    return writes.stream().anyMatch(ChannelMessage.class::isInstance);
  }
}
