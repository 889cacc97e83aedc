package io.millrace.rabbitmq;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.millrace.sequence.ChannelTransport.QueueStatus;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The broker that script/test starts, with an exchange of the test's own and a plain client next to
 * the transports under test.
 */
final class TestBroker implements AutoCloseable {

  private static final String VARIABLE = "MILLRACE_TEST_RABBITMQ_URI";
  private static final long REST_MILLIS = 20;

  private final String mark = UUID.randomUUID().toString().substring(0, 8);
  private final Set<String> channels = new HashSet<>();
  private final List<RabbitTransport> transports = new ArrayList<>();
  private final Connection connection;
  private final Channel plain;

  TestBroker() throws Exception {
    ConnectionFactory factory = new ConnectionFactory();
    factory.setUri(uri());
    connection = factory.newConnection("test");
    plain = connection.createChannel();
  }

  static String uri() {
    String uri = System.getenv(VARIABLE);
    if (uri == null || uri.isBlank()) {
      throw new IllegalStateException(
          VARIABLE + " is not set; run the tests through script/test, which starts RabbitMQ");
    }
    return uri;
  }

  RabbitSettings settings() {
    return RabbitSettings.of(uri()).exchange("test-" + mark).confirmLimit(Patience.LIMIT);
  }

  /** Opens a transport, as one node does. */
  RabbitTransport open() {
    return open(settings());
  }

  RabbitTransport open(RabbitSettings settings) {
    RabbitTransport transport = RabbitTransport.open(settings);
    transports.add(transport);
    return transport;
  }

  /** Returns the name of a channel that no other test uses. */
  String channel(String name) {
    String channel = "TEST." + mark + "." + name;
    channels.add(channel);
    return channel;
  }

  static String queue(String channel) {
    return channel.replace('.', '_');
  }

  static String deadQueue(String channel) {
    return queue(channel) + ".dead";
  }

  /** Returns a client that knows nothing of Millrace. */
  Channel plain() {
    return plain;
  }

  /**
   * Opens another channel of the plain client, for an operation that closes its protocol channel.
   */
  Channel another() throws Exception {
    return connection.createChannel();
  }

  /** Waits until a condition of the broker, which is another process, is true. */
  static void until(String what, Callable<Boolean> condition) throws Exception {
    long begin = System.nanoTime();
    while (!condition.call()) {
      if (System.nanoTime() - begin > Patience.LIMIT.toNanos()) {
        throw new AssertionError("Not within " + Patience.LIMIT + ": " + what);
      }
      TimeUnit.MILLISECONDS.sleep(REST_MILLIS);
    }
  }

  /**
   * Waits for a queue status, because the broker updates its counts shortly after it has answered.
   */
  static void untilDepth(RabbitTransport transport, QueueStatus expected) throws Exception {
    until("" + expected, () -> transport.queueStatus(expected.channel()).equals(expected));
  }

  @Override
  public void close() throws IOException, TimeoutException {
    transports.forEach(RabbitTransport::close);
    try (Channel last = connection.createChannel()) {
      for (String channel : channels) {
        last.queueDelete(queue(channel));
        last.queueDelete(deadQueue(channel));
      }
      last.exchangeDelete(settings().exchange());
      last.exchangeDelete(settings().exchange() + ".dead");
    }
    connection.close();
  }
}
