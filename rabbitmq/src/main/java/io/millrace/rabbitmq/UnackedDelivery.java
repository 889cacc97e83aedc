package io.millrace.rabbitmq;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import java.io.IOException;
import java.util.Arrays;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A message that the broker waits for an answer to; it gives it to others when the protocol channel
 * ends. Thread-safe.
 */
final class UnackedDelivery {

  private static final Logger LOG = LoggerFactory.getLogger(UnackedDelivery.class);

  private final Channel channel;
  private final long tag;
  private final BasicProperties properties;
  private final byte[] body;
  private final int length;

  /** Many wait at a time, so of a body that is too long only what is kept of it is held. */
  UnackedDelivery(Channel channel, long tag, BasicProperties properties, byte[] body) {
    this.channel = channel;
    this.tag = tag;
    this.properties = properties;
    this.body =
        body.length > MessageCodec.MAX_LENGTH ? Arrays.copyOf(body, MessageCodec.MAX_LENGTH) : body;
    this.length = body.length;
  }

  BasicProperties properties() {
    return properties;
  }

  /** At most its first {@link MessageCodec#MAX_LENGTH} bytes. */
  byte[] body() {
    return body;
  }

  /** How many bytes the body had when it came. */
  int length() {
    return length;
  }

  /** False when the broker has taken it back. */
  boolean isOpen() {
    return channel.isOpen();
  }

  void ack() {
    answer(() -> channel.basicAck(tag, false));
  }

  /** Gives it back to the queue, which counts it. */
  void requeue() {
    answer(() -> channel.basicNack(tag, false, true));
  }

  /** Has the broker put it among the dead letters, without a reason. */
  void reject() {
    answer(() -> channel.basicNack(tag, false, false));
  }

  @FunctionalInterface
  private interface Answer {
    void give() throws IOException;
  }

  private static void answer(Answer answer) {
    try {
      answer.give();
    } catch (IOException | AlreadyClosedException e) {
      LOG.debug("A message comes again, for its answer was not sent: {}", e.toString());
    }
  }
}
