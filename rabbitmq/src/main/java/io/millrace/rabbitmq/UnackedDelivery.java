package io.millrace.rabbitmq;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import java.io.IOException;
import java.util.Arrays;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A message that the broker expects an answer for. The broker delivers it elsewhere when the
 * protocol channel ends. Thread-safe.
 */
final class UnackedDelivery {

  private static final Logger LOG = LoggerFactory.getLogger(UnackedDelivery.class);

  private final Channel channel;
  private final long tag;
  private final BasicProperties properties;
  private final byte[] body;
  private final int length;

  /**
   * Keeps of a body that is too long only the first bytes, because many deliveries wait at a time.
   */
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

  /** Returns at most the first {@link MessageCodec#MAX_LENGTH} bytes of the body. */
  byte[] body() {
    return body;
  }

  /** Returns the number of bytes that the body had on arrival. */
  int length() {
    return length;
  }

  /** Returns false when the broker has taken the message back. */
  boolean isOpen() {
    return channel.isOpen();
  }

  void ack() {
    answer(() -> channel.basicAck(tag, false));
  }

  /** Returns the message to the queue, which counts it as a delivery. */
  void requeue() {
    answer(() -> channel.basicNack(tag, false, true));
  }

  /** Makes the broker move the message to the dead letters, without a reason. */
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
