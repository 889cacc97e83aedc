package io.millrace.store;

import java.time.Duration;

/**
 * A message to whoever serves the channel of the state that an instance comes to.
 *
 * @param channel at most 255 characters
 * @param after when it is to be sent, from the transition on
 * @param retry true when the state is to be tried again
 */
public record ChannelMessage(String channel, Duration after, boolean retry) {}
