package io.millrace.rabbitmq;

import com.rabbitmq.client.AMQP.BasicProperties;
import java.nio.ByteBuffer;

/**
 * A message on its way to the broker.
 *
 * @param channel the task channel; its topology is declared first
 * @param exchange the exchange; empty for the default one, which routes to the queue named by
 *     {@code key}
 */
record OutgoingMessage(
    String channel, String exchange, String key, BasicProperties properties, ByteBuffer body) {

  byte[] bytes() {
    byte[] bytes = new byte[body.remaining()];
    body.duplicate().get(bytes);
    return bytes;
  }
}
