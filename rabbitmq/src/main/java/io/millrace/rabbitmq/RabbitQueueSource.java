package io.millrace.rabbitmq;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Envelope;
import io.millrace.continuous.PollResult;
import io.millrace.continuous.Trigger;
import io.millrace.continuous.TriggerContext;
import io.millrace.instance.StorableText;
import io.millrace.lifecycle.EngineRuntime;
import io.millrace.lifecycle.Loop;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The messages of one queue for one trigger. With a prefetch of one, it consumes only while the
 * trigger waits for a message: the broker ends a consumer that keeps a message for long, and an
 * execution may take long. Thread-safe.
 */
final class RabbitQueueSource implements Trigger.Source {

  private static final Logger LOG = LoggerFactory.getLogger(RabbitTriggers.class);
  private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
  private static final Duration MAX_PAUSE = Duration.ofSeconds(30);
  private static final String TAG = "millrace";
  private static final int MAX_ID = 150;

  private final String name;
  private final int prefetch;
  private final Topology topology;
  private final TriggerContext scope;
  private final EngineRuntime runtime;
  private final Runnable wakeLink;
  private final RabbitBackoff backoff;
  private final PeriodicLogger periodicLogger;
  private final PeriodicLogger burials;
  private final ReentrantLock lock = new ReentrantLock();

  /** Messages received and not yet accepted; like the following fields, guarded by the lock. */
  private final Deque<HeldMessage> held = new ArrayDeque<>();

  private @Nullable Channel open;
  private boolean listening;
  private boolean wanted = true;
  private boolean closed;
  private long notBefore;
  private Runnable onClose = () -> {};

  /** A message that is not accepted yet. */
  private record HeldMessage(UnackedDelivery delivery, String text, String id) {}

  RabbitQueueSource(
      String name,
      RabbitSettings settings,
      Topology topology,
      TriggerContext scope,
      EngineRuntime runtime,
      Runnable wakeLink) {
    this.name = name;
    this.prefetch = Math.max(1, settings.prefetch());
    this.topology = topology;
    this.scope = scope;
    this.runtime = runtime;
    this.wakeLink = wakeLink;
    this.backoff = new RabbitBackoff(FIRST_PAUSE, MAX_PAUSE, runtime.random());
    this.periodicLogger = new PeriodicLogger(LOG, runtime.clock());
    this.burials = new PeriodicLogger(LOG, runtime.clock());
    this.notBefore = runtime.clock().nanoTime();
  }

  void onClose(Runnable action) {
    onClose = action;
  }

  @Override
  public PollResult poll() {
    lock.lock();
    try {
      held.removeIf(one -> !one.delivery.isOpen());
      HeldMessage first = held.peek();
      if (first != null) {
        return event(first);
      }
      wanted = true;
    } finally {
      lock.unlock();
    }
    wakeLink.run();
    return PollResult.untilWoken();
  }

  private PollResult event(HeldMessage one) {
    BasicProperties properties = one.delivery.properties();
    String type = properties.getContentType();
    RabbitTriggers.Message message =
        new RabbitTriggers.Message(
            one.id, one.text, type == null ? "" : type, MessageCodec.deliveries(properties));
    return new PollResult.Event(message, one.id, null, () -> accepted(one));
  }

  private void accepted(HeldMessage one) {
    lock.lock();
    try {
      if (prefetch == 1) {
        wanted = false;
        stopListening();
      }
      one.delivery.ack();
      held.remove(one);
    } finally {
      lock.unlock();
    }
  }

  private void stopListening() {
    Channel own = open;
    if (listening && own != null) {
      listening = false;
      try {
        own.basicCancel(TAG);
      } catch (IOException | AlreadyClosedException e) {
        LOG.debug("The listening to '{}' has ended by itself: {}", name, e.toString());
      }
    }
  }

  /**
   * Starts to consume if that is wanted; called by the connection's loop. Returns the delay until
   * the next call.
   */
  Duration keepUp(Connection connection) {
    lock.lock();
    try {
      Channel own = open;
      boolean alive = own != null && own.isOpen();
      if (closed || !wanted || (alive && listening)) {
        return Loop.UNTIL_WOKEN;
      }
      long left = notBefore - runtime.clock().nanoTime();
      return left > 0 ? Duration.ofNanos(left) : listen(connection, alive ? own : null);
    } finally {
      lock.unlock();
    }
  }

  private Duration listen(Connection connection, @Nullable Channel own) {
    try {
      if (own == null) {
        topology.declare(connection, name);
        own = AmqpChannels.open(connection);
        open = own;
        own.addShutdownListener(cause -> wakeLink.run());
        own.basicQos(prefetch);
      }
      listening = true;
      own.basicConsume(topology.names().queue(name), false, TAG, new DeliveryConsumer(own));
      if (periodicLogger.end()) {
        LOG.info("Messages of '{}' are received after all", name);
      }
      backoff.reset();
      return Loop.UNTIL_WOKEN;
    } catch (IOException | AlreadyClosedException e) {
      listening = false;
      Duration rest = backoff.next();
      notBefore = runtime.clock().nanoTime() + rest.toNanos();
      if (!connection.isOpen()) {
        return Loop.UNTIL_WOKEN; // the connection loop makes another connection and calls again
      }
      periodicLogger.warn(
          "No messages of '%s' are received, it is tried again: %s"
              .formatted(name, RabbitErrorMessages.of(e)));
      return rest;
    }
  }

  /** Consumer that a thread of the connection calls, so it must not block. */
  private final class DeliveryConsumer extends DefaultConsumer {

    DeliveryConsumer(Channel own) {
      super(own);
    }

    @Override
    public void handleDelivery(
        String tag, Envelope envelope, BasicProperties properties, byte[] body) {
      UnackedDelivery unackedDelivery =
          new UnackedDelivery(getChannel(), envelope.getDeliveryTag(), properties, body);
      Optional<String> text =
          unackedDelivery.length() > MessageCodec.MAX_LENGTH
              ? Optional.empty()
              : MessageCodec.text(body);
      if (text.isEmpty()) {
        bury(
            unackedDelivery,
            unackedDelivery.length() > MessageCodec.MAX_LENGTH
                ? MessageCodec.tooLong(unackedDelivery.length())
                : "it is no UTF-8");
        return;
      }
      lock.lock();
      try {
        held.add(new HeldMessage(unackedDelivery, text.get(), id(properties, text.get())));
      } finally {
        lock.unlock();
      }
      scope.wake();
    }

    /** Handles the loss of the queue: it was deleted, or its node went away. */
    @Override
    public void handleCancel(String tag) {
      LOG.info("The queue of '{}' is gone; it is made again", name);
      runtime
          .runner()
          .runOnPool("millrace-rabbitmq-cancelled", () -> AmqpChannels.close(getChannel()));
    }
  }

  /**
   * Returns the id of a message. Two equal messages without an id are two events, so each gets a
   * random part.
   */
  private String id(BasicProperties properties, String text) {
    String given = properties.getMessageId();
    if (given != null
        && !given.isBlank()
        && given.length() <= MAX_ID
        && StorableText.isStorable(given)) {
      return given;
    }
    return given == null || given.isBlank()
        ? hash(text).substring(0, 32)
            + "-"
            + HexFormat.of().toHexDigits(runtime.random().nextLong())
        : hash(given);
  }

  private static String hash(String text) {
    try {
      return HexFormat.of()
          .formatHex(
              MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JVM has SHA-256", e);
    }
  }

  private void bury(UnackedDelivery unackedDelivery, String why) {
    burials.warnThrottled("A message of '" + name + "' is put among its dead letters: " + why);
    unackedDelivery.reject();
  }

  @Override
  public void close() {
    Channel own;
    lock.lock();
    try {
      closed = true;
      own = open;
      held.clear();
    } finally {
      lock.unlock();
    }
    onClose.run();
    if (own != null) {
      AmqpChannels.close(own); // the messages it holds go back to the queue
    }
  }
}
