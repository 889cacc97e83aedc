package io.millrace.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ChannelContinuationTimeoutException;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ShutdownSignalException;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The exchanges and queues of the channels. All are durable; queues are quorum queues, which count
 * deliveries. Thread-safe.
 *
 * @param newQueues null to keep a queue that came back without a leader, since its messages exist
 *     nowhere else
 */
record Topology(RabbitNames names, int deliveryLimit, @Nullable NewQueues newQueues) {

  private static final Logger LOG = LoggerFactory.getLogger(RabbitTransport.class);

  private static final String TYPE = "x-queue-type";
  private static final String LIMIT = "x-delivery-limit";

  /**
   * Delivery limit of dead-letter queues. Letters may be looked at any number of times, though each
   * look counts as a delivery.
   */
  private static final int NO_LIMIT = Integer.MAX_VALUE;

  private static final int DELETE_SECONDS = 30;

  /**
   * Creates the exchanges and queues of a channel that do not exist yet.
   *
   * @throws IOException when one cannot be created, or exists with other properties
   */
  void declare(Connection connection, String channel) throws IOException {
    String queue = names.queue(channel);
    String dead = names.deadQueue(channel);
    if (newQueues != null) {
      deleteLeaderless(connection, dead, newQueues);
      deleteLeaderless(connection, queue, newQueues);
    }
    // A refusal closes the protocol channel, so it has one of its own.
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

  /** Deletes a queue that has no leader since the broker ended just after it was made. */
  private static void deleteLeaderless(Connection connection, String queue, NewQueues newQueues)
      throws IOException {
    if (!exists(connection, queue)) {
      newQueues.add(queue, connection);
    } else if (newQueues.mayHaveNoLeader(queue)) {
      if (answers(connection, queue)) {
        newQueues.remove(queue);
        return;
      }
      LOG.warn(
          "Queue '{}' was made just before RabbitMQ ended, and came back without a leader; it is"
              + " deleted and made again",
          queue);
      delete(connection, queue);
      newQueues.add(queue, connection);
    }
  }

  private static boolean exists(Connection connection, String queue) throws IOException {
    Channel own = AmqpChannels.open(connection);
    try {
      own.queueDeclarePassive(queue);
      return true;
    } catch (IOException e) {
      if (e.getCause() instanceof ShutdownSignalException refusal
          && refusal.getReason() instanceof AMQP.Channel.Close close
          && close.getReplyCode() == AMQP.NOT_FOUND) {
        return false;
      }
      throw e;
    } finally {
      AmqpChannels.close(own);
    }
  }

  /**
   * True if the queue has a leader. A message that it delivers goes back when the channel is
   * closed.
   */
  private static boolean answers(Connection connection, String queue) throws IOException {
    Channel own = AmqpChannels.open(connection);
    try {
      own.basicGet(queue, false);
      return true;
    } catch (ChannelContinuationTimeoutException e) {
      LOG.debug("Queue {} does not answer", queue, e);
      return false;
    } finally {
      AmqpChannels.close(own);
    }
  }

  /**
   * Deletes a queue. The broker asks the missing leader for some seconds, so this takes longer than
   * a call.
   */
  private static void delete(Connection connection, String queue) throws IOException {
    Channel own = AmqpChannels.open(connection);
    try {
      own.asyncCompletableRpc(new AMQP.Queue.Delete.Builder().queue(queue).build())
          .get(DELETE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted before queue '" + queue + "' was deleted", e);
    } catch (ExecutionException | TimeoutException e) {
      throw new IOException("Queue '" + queue + "' has no leader and was not deleted", e);
    } finally {
      AmqpChannels.close(own);
    }
  }
}
