package io.millrace.rabbitmq;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Envelope;
import com.rabbitmq.client.ShutdownSignalException;
import io.millrace.lifecycle.EngineRuntime;
import io.millrace.lifecycle.Loop;
import io.millrace.sequence.ChannelTransport.Subscription;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Receiver of the messages of one channel; it restarts whenever it is cut off. Thread-safe. */
final class ChannelConsumer implements Subscription {

  private static final Logger LOG = LoggerFactory.getLogger(RabbitTransport.class);
  private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
  private static final Duration MAX_PAUSE = Duration.ofSeconds(30);

  /** Consumer tag. It need only be unique within a protocol channel, which has one consumer. */
  private static final String TAG = "millrace";

  private final String channel;
  private final int prefetch;
  private final Topology topology;
  private final DeliveryHandler deliveryHandler;
  private final EngineRuntime runtime;
  private final Runnable wake;
  private final RabbitBackoff backoff;
  private final PeriodicLogger periodicLogger;
  private final ReentrantLock lock = new ReentrantLock();

  private volatile @Nullable Channel open;
  private volatile boolean closed;

  /** Time before which no attempt is made, in nanoseconds. Used only by the connection's loop. */
  private long notBefore;

  /**
   * Creates a consumer that does not receive yet.
   *
   * @param wake causes a call of {@link #ensureConsuming}
   */
  ChannelConsumer(
      String channel,
      int prefetch,
      Topology topology,
      DeliveryHandler deliveryHandler,
      EngineRuntime runtime,
      Runnable wake) {
    this.channel = channel;
    this.prefetch = prefetch;
    this.topology = topology;
    this.deliveryHandler = deliveryHandler;
    this.runtime = runtime;
    this.wake = wake;
    this.backoff = new RabbitBackoff(FIRST_PAUSE, MAX_PAUSE, runtime.random());
    this.periodicLogger = new PeriodicLogger(LOG, runtime.clock());
    this.notBefore = runtime.clock().nanoTime();
  }

  /** Starts to receive unless it already does; returns the delay until it must be called again. */
  Duration ensureConsuming(Connection connection) {
    lock.lock();
    try {
      if (closed || isConnected()) {
        return Loop.UNTIL_WOKEN;
      }
      long left = notBefore - runtime.clock().nanoTime();
      if (left > 0) {
        return Duration.ofNanos(left);
      }
      return begin(connection);
    } finally {
      lock.unlock();
    }
  }

  private Duration begin(Connection connection) {
    try {
      topology.declare(connection, channel);
      open = consume(connection);
      if (periodicLogger.end()) {
        LOG.info("Messages of '{}' are received after all", channel);
      }
      backoff.reset();
      return Loop.UNTIL_WOKEN;
    } catch (IOException | AlreadyClosedException e) {
      LOG.debug("Channel {} is not received", channel, e);
      Duration rest = backoff.next();
      notBefore = runtime.clock().nanoTime() + rest.toNanos();
      if (connection.isOpen()) {
        periodicLogger.warn(
            "No messages of '%s' are received, it is tried again: %s"
                .formatted(channel, RabbitErrorMessages.of(e)));
        return rest;
      }
      return Loop.UNTIL_WOKEN;
    }
  }

  private Channel consume(Connection connection) throws IOException {
    Channel own = AmqpChannels.open(connection);
    boolean begun = false;
    try {
      own.basicQos(prefetch);
      own.addShutdownListener(this::ended);
      own.basicConsume(topology.names().queue(channel), false, TAG, new DeliveryConsumer(own));
      begun = true;
      return own;
    } finally {
      if (!begun) {
        AmqpChannels.close(own);
      }
    }
  }

  private void ended(ShutdownSignalException cause) {
    if (!cause.isInitiatedByApplication() && !cause.isHardError()) {
      LOG.info(
          "The broker has ended the receiving of '{}', which begins again: {}",
          channel,
          RabbitErrorMessages.of(cause));
    }
    wake.run();
  }

  /**
   * Consumer that passes on what the broker sends. A thread of the connection calls it, so it must
   * not block.
   */
  private final class DeliveryConsumer extends DefaultConsumer {

    DeliveryConsumer(Channel own) {
      super(own);
    }

    @Override
    public void handleDelivery(
        String tag, Envelope envelope, BasicProperties properties, byte[] body) {
      deliveryHandler.accept(
          new UnackedDelivery(getChannel(), envelope.getDeliveryTag(), properties, body));
    }

    /** Handles the loss of the queue: it was deleted, or its node went away. */
    @Override
    public void handleCancel(String tag) {
      LOG.info("The queue of '{}' is gone; it is made again and received", channel);
      runtime
          .runner()
          .runOnPool("millrace-rabbitmq-cancelled", () -> AmqpChannels.close(getChannel()));
    }
  }

  @Override
  public boolean isConnected() {
    Channel own = open;
    return !closed && own != null && own.isOpen();
  }

  @Override
  public void close() {
    Channel own;
    lock.lock();
    try {
      closed = true;
      own = open;
    } finally {
      lock.unlock();
    }
    if (own != null) {
      cancel(own);
    }
    deliveryHandler.stop();
    if (own != null) {
      AmqpChannels.close(own);
    }
  }

  /** Stops deliveries; messages that are being handled can still be acknowledged. */
  private void cancel(Channel own) {
    try {
      if (own.isOpen()) {
        own.basicCancel(TAG);
      }
    } catch (IOException | AlreadyClosedException e) {
      LOG.debug("The receiving of {} is not cancelled in order: {}", channel, e.toString());
    }
  }
}
