package io.millrace.rabbitmq;

import static io.millrace.instance.InvalidRequestException.requirePresent;

import com.rabbitmq.client.Connection;
import io.millrace.continuous.Trigger;
import io.millrace.continuous.TriggerContext;
import io.millrace.instance.InvalidRequestException;
import io.millrace.lifecycle.EngineRuntime;
import io.millrace.lifecycle.Loop;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Queues of a broker whose messages start executions: durable quorum queues, bound to the exchange
 * of the settings by their names, each with a queue for dead letters. All of them share a
 * connection, which is restored whenever it is lost. Thread-safe.
 *
 * <p>A message is acknowledged when its execution is durable, and the next one comes when that
 * execution has ended. A message that is not acknowledged is delivered again, here or on another
 * node. It becomes a dead letter when it was delivered more often than {@link
 * RabbitSettings#deliveryLimit}, when it is not UTF-8, or when it is longer than 65,536 bytes. A
 * message without a message id may start two executions if a node dies at that moment.
 */
public final class RabbitTriggers implements AutoCloseable {

  /**
   * The event of a message.
   *
   * @param id the message id, or a generated one when the message has none
   * @param deliveries how often the message was delivered before
   */
  public record Message(String id, String body, String contentType, int deliveries) {}

  private final RabbitSettings settings;
  private final EngineRuntime runtime;
  private final RabbitNames rabbitNames;
  private final RabbitConnection rabbitConnection;
  private final List<RabbitQueueSource> sources = new CopyOnWriteArrayList<>();
  private volatile boolean closed;

  private RabbitTriggers(RabbitSettings settings, EngineRuntime runtime) {
    this.settings = settings;
    this.runtime = runtime;
    this.rabbitNames = new RabbitNames(settings.exchange());
    this.rabbitConnection = new RabbitConnection(settings, "triggers", runtime, this::keepUp);
  }

  /** Starts to connect, and returns at once. */
  public static RabbitTriggers open(RabbitSettings settings) {
    return open(settings, EngineRuntime.system());
  }

  /** Starts to connect, with the clock, threads and random numbers of the caller. */
  public static RabbitTriggers open(RabbitSettings settings, EngineRuntime runtime) {
    RabbitTriggers made =
        new RabbitTriggers(
            requirePresent(settings, "The settings of RabbitMQ"),
            requirePresent(runtime, "runtime"));
    made.rabbitConnection.start();
    return made;
  }

  /**
   * Returns a trigger for the messages of a queue. With a {@link RabbitSettings#prefetch} of 2 or
   * more, that many messages are held while an execution runs, which must take less than the
   * broker's consumer timeout of half an hour. Otherwise none is held.
   *
   * @param name the routing key; the queue has {@code _} where it has dots
   * @throws InvalidRequestException when there can be no such queue
   */
  public Trigger queue(String name) {
    rabbitNames.queue(name);
    return new Queue(name);
  }

  private final class Queue implements Trigger {
    private final String name;

    Queue(String name) {
      this.name = name;
    }

    @Override
    public String describe() {
      return "messages of the queue " + rabbitNames.queue(name);
    }

    @Override
    public Source open(TriggerContext scope) {
      RabbitQueueSource source =
          new RabbitQueueSource(
              name,
              settings,
              new Topology(rabbitNames, settings.deliveryLimit(), null),
              scope,
              runtime,
              rabbitConnection::wake);
      sources.add(source);
      source.onClose(() -> sources.remove(source));
      if (closed) {
        source.close();
        throw new InvalidRequestException(
            "The queue '" + name + "' cannot be listened to, for its connection is closed.");
      }
      rabbitConnection.wake();
      return source;
    }
  }

  private Duration keepUp(Connection connection) {
    Duration next = Loop.UNTIL_WOKEN;
    for (RabbitQueueSource one : sources) {
      Duration rest = one.keepUp(connection);
      next = rest.compareTo(next) < 0 ? rest : next;
    }
    return next;
  }

  /**
   * Closes the connection. Call it after the engine is closed. Messages that are not acknowledged
   * stay in their queues.
   */
  @Override
  public void close() {
    closed = true;
    sources.forEach(RabbitQueueSource::close);
    rabbitConnection.close();
  }
}
