package io.millrace.rabbitmq;

import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import java.io.IOException;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opens and closes channels of the protocol, which are not those of tasks. */
final class AmqpChannels {

  private static final Logger LOG = LoggerFactory.getLogger(AmqpChannels.class);

  private AmqpChannels() {}

  static Channel open(Connection connection) throws IOException {
    return connection
        .openChannel()
        .orElseThrow(() ->
            new IOException(
                "The connection has all the "
                    + connection.getChannelMax()
                    + " channels that the broker allows; raise its channel_max."));
  }

  /** Closes a channel that may be closed already; does not throw. */
  static void close(Channel channel) {
    try {
      if (channel.isOpen()) {
        channel.close();
      }
    } catch (IOException | TimeoutException | AlreadyClosedException e) {
      LOG.debug("A channel was not closed in order: {}", e.toString());
    }
  }
}
