package io.millrace.rabbitmq;

import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import java.io.IOException;
import java.util.Map;

/**
 * The exchanges and queues of the channels, all durable; queues are quorum queues, which count
 * deliveries. Thread-safe.
 */
record Topology(RabbitNames names, int deliveryLimit) {

  private static final String TYPE = "x-queue-type";
  private static final String LIMIT = "x-delivery-limit";

  /** Dead letters may be looked at any number of times, though each look counts as a delivery. */
  private static final int NO_LIMIT = Integer.MAX_VALUE;

  /**
   * Makes what a channel needs, unless it is there.
   *
   * @throws IOException when it cannot be made, or is there with other properties
   */
  void declare(Connection connection, String channel) throws IOException {
    String queue = names.queue(channel);
    String dead = names.deadQueue(channel);
    // A refusal closes the channel it came over.
    Channel own = AmqpChannels.open(connection);
    try {
      own.exchangeDeclare(names.exchange(), BuiltinExchangeType.TOPIC, true);
      own.exchangeDeclare(names.deadExchange(), BuiltinExchangeType.TOPIC, true);
      own.queueDeclare(dead, true, false, false, Map.of(TYPE, "quorum", LIMIT, NO_LIMIT));
      own.queueBind(dead, names.deadExchange(), channel);
      own.queueDeclare(
          queue,
          true,
          false,
          false,
          Map.of(
              TYPE,
              "quorum",
              LIMIT,
              deliveryLimit,
              "x-dead-letter-exchange",
              names.deadExchange(),
              "x-dead-letter-routing-key",
              channel));
      own.queueBind(queue, names.exchange(), channel);
    } finally {
      AmqpChannels.close(own);
    }
  }
}
