package io.millrace.rabbitmq;

import static io.millrace.instance.InvalidRequestException.requirePresent;

import com.rabbitmq.client.Connection;
import io.millrace.instance.InvalidRequestException;
import io.millrace.lifecycle.EngineRuntime;
import io.millrace.lifecycle.Loop;
import io.millrace.sequence.ChannelException;
import io.millrace.sequence.ChannelTransport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * Channels over RabbitMQ 3.10 or newer, each with a durable quorum queue and another one for its
 * dead letters. The transport waits for a broker that is away; only the queries about queues throw
 * in that case. Thread-safe.
 */
public final class RabbitTransport implements ChannelTransport {

  private final RabbitSettings settings;
  private final EngineRuntime runtime;
  private final RabbitNames rabbitNames;
  private final Topology topology;
  private final RabbitConnection sender;
  private final RabbitConnection receiver;
  private final Publisher publisher;
  private final DeadLetters deadLetters;
  private final List<ChannelConsumer> subscriptions = new CopyOnWriteArrayList<>();
  private volatile boolean closed;

  private RabbitTransport(RabbitSettings settings, EngineRuntime runtime) {
    this.settings = settings;
    this.runtime = runtime;
    this.rabbitNames = new RabbitNames(settings.exchange());
    this.topology =
        new Topology(rabbitNames, settings.deliveryLimit(), new NewQueues(runtime.clock()));
    this.sender =
        new RabbitConnection(settings, "sender", runtime, RabbitConnection.MaintenanceTask.NONE);
    this.receiver = new RabbitConnection(settings, "receiver", runtime, this::keepUp);
    this.publisher = new Publisher(sender, topology::declare, runtime, settings.confirmLimit());
    this.deadLetters = new DeadLetters(receiver, rabbitNames, publisher, settings.confirmLimit());
  }

  /** Starts to connect, and returns at once. */
  public static RabbitTransport open(RabbitSettings settings) {
    return open(settings, EngineRuntime.system());
  }

  /** Starts to connect, with the clock, threads and random numbers of the caller. */
  public static RabbitTransport open(RabbitSettings settings, EngineRuntime runtime) {
    RabbitTransport made =
        new RabbitTransport(
            requirePresent(settings, "The settings of RabbitMQ"),
            requirePresent(runtime, "runtime"));
    made.sender.start();
    made.receiver.start();
    return made;
  }

  @Override
  public String name() {
    return "rabbitmq";
  }

  @Override
  public List<@Nullable String> publish(List<Outgoing> messages) {
    List<@Nullable String> answers = new ArrayList<>(messages.size());
    List<OutgoingMessage> parcels = new ArrayList<>(messages.size());
    List<Integer> places = new ArrayList<>(messages.size());
    for (Outgoing message : messages) {
      OutgoingMessage outgoingMessage = MessageCodec.of(message, rabbitNames);
      String fault = MessageCodec.fault(message, outgoingMessage);
      if (fault == null) {
        places.add(answers.size());
        parcels.add(outgoingMessage);
      }
      answers.add(fault);
    }
    List<@Nullable String> sent = publisher.send(parcels);
    for (int i = 0; i < sent.size(); i++) {
      answers.set(places.get(i), sent.get(i));
    }
    return answers;
  }

  /**
   * Receives the messages of a channel until the subscription is closed.
   *
   * @throws InvalidRequestException when the channel cannot have a queue, {@code concurrency} is
   *     not 1 to 10,000, or the transport is closed
   */
  @Override
  public Subscription subscribe(String channel, int concurrency, Receiver receiver) {
    rabbitNames.queue(channel);
    if (concurrency < 1 || concurrency > RabbitSettings.MAX_PREFETCH) {
      throw new InvalidRequestException(
          "The concurrency of channel '%s' is %s, expected 1 to %s."
              .formatted(channel, concurrency, RabbitSettings.MAX_PREFETCH));
    }
    DeliveryHandler deliveryHandler =
        new DeliveryHandler(
            channel,
            concurrency,
            requirePresent(receiver, "The receiver"),
            rabbitNames,
            publisher,
            runtime);
    int prefetch = settings.prefetch() == 0 ? concurrency : settings.prefetch();
    ChannelConsumer channelConsumer =
        new ChannelConsumer(
            channel, prefetch, topology, deliveryHandler, runtime, this.receiver::wake);
    subscriptions.add(channelConsumer);
    if (closed) {
      subscriptions.remove(channelConsumer);
      throw new InvalidRequestException("Nothing can be received, for the transport is closed.");
    }
    this.receiver.wake();
    return new TrackedSubscription(channelConsumer);
  }

  /** A subscription that is removed from the list when it is closed. */
  private final class TrackedSubscription implements Subscription {
    private final ChannelConsumer channelConsumer;

    TrackedSubscription(ChannelConsumer channelConsumer) {
      this.channelConsumer = channelConsumer;
    }

    @Override
    public boolean isConnected() {
      return channelConsumer.isConnected();
    }

    @Override
    public void close() {
      subscriptions.remove(channelConsumer);
      channelConsumer.close();
    }
  }

  private Duration keepUp(Connection connection) {
    Duration next = Loop.UNTIL_WOKEN;
    for (ChannelConsumer one : subscriptions) {
      Duration rest = one.ensureConsuming(connection);
      next = rest.compareTo(next) < 0 ? rest : next;
    }
    return next;
  }

  /** Returns the status of a channel's queue; a channel that was never used counts as empty. */
  @Override
  public QueueStatus queueStatus(String channel) {
    return deadLetters.depth(channel);
  }

  /**
   * Returns the oldest dead letters. While they are read they are not in the queue, so that of two
   * simultaneous readers each may see fewer.
   */
  @Override
  public List<DeadLetter> deadLetters(String channel, int limit) {
    return deadLetters.list(channel, limit);
  }

  /**
   * Moves the oldest dead letters of a channel back to its queue.
   *
   * @throws ChannelException when the broker does not answer; a message in doubt is in both queues
   */
  @Override
  public int requeue(String channel, int limit) {
    return deadLetters.requeue(channel, limit);
  }

  /** Ends all subscriptions and waits for their receivers. */
  @Override
  public void close() {
    closed = true;
    subscriptions.forEach(ChannelConsumer::close);
    receiver.close();
    sender.close();
  }
}
