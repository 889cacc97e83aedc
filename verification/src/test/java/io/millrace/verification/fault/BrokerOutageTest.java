package io.millrace.verification.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.fixtures.ConditionPoller;
import io.millrace.rabbitmq.RabbitSettings;
import io.millrace.rabbitmq.RabbitTransport;
import io.millrace.sequence.ChannelTransport.DeliveryOutcome;
import io.millrace.sequence.ChannelTransport.Outgoing;
import io.millrace.sequence.ChannelTransport.QueueStatus;
import io.millrace.sequence.ChannelTransport.Subscription;
import io.millrace.verification.chaos.proxy.TcpProxy;
import io.millrace.verification.chaos.proxy.TrafficRule;
import io.millrace.verification.chaos.rabbitmq.RabbitServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests of broker outages of all kinds: every message that the broker has confirmed arrives. */
@Timeout(300)
@Tag("brokers")
class BrokerOutageTest {

  private static final String CHANNEL = "REPORT.KPI";
  private static final Duration LIMIT = Duration.ofMillis(1_500);

  /** Additional time that a machine with busy processors may need beyond the limit. */
  private static final Duration GRACE = Duration.ofSeconds(15);

  @TempDir private Path folder;

  private final Set<String> received = ConcurrentHashMap.newKeySet();
  private final List<RabbitTransport> transports = new ArrayList<>();
  private RabbitServer server;
  private TcpProxy proxy;

  @BeforeEach
  void prepare() throws Exception {
    server = RabbitServer.in(folder);
    proxy = TcpProxy.start(server.port());
  }

  @AfterEach
  void stop() throws Exception {
    proxy.close();
    transports.forEach(RabbitTransport::close);
    server.close();
  }

  private RabbitTransport open(int port) {
    RabbitTransport transport =
        RabbitTransport.open(RabbitSettings.of(RabbitServer.uri(port)).confirmLimit(LIMIT));
    transports.add(transport);
    return transport;
  }

  private Subscription receive(RabbitTransport transport) {
    return transport.subscribe(
        CHANNEL,
        4,
        message -> {
          received.add(message.body());
          return new DeliveryOutcome.Acknowledge();
        });
  }

  private static List<Outgoing> messages(String mark, int number) {
    List<Outgoing> all = new ArrayList<>();
    for (int i = 0; i < number; i++) {
      all.add(new Outgoing(CHANNEL, mark + i, mark + i, null));
    }
    return all;
  }

  /** Publishes messages and returns the bodies of those that the broker has confirmed. */
  private static List<String> publish(RabbitTransport transport, String mark, int number) {
    List<Outgoing> all = messages(mark, number);
    long begin = System.nanoTime();
    List<String> answers = transport.publish(all);
    assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(LIMIT.plus(GRACE));
    List<String> safe = new ArrayList<>();
    for (int i = 0; i < number; i++) {
      if (answers.get(i) == null) {
        safe.add(all.get(i).body());
      }
    }
    return safe;
  }

  private static void untilAllSafe(RabbitTransport transport, String mark) throws Exception {
    ConditionPoller.await(
        "messages " + mark + " are safe", () -> publish(transport, mark, 5).size() == 5);
  }

  private void untilReceived(List<String> bodies) throws Exception {
    ConditionPoller.await("all are received", () -> received.containsAll(bodies));
  }

  @Test
  void aBrokerThatIsKilledKeepsWhatItHasConfirmed() throws Exception {
    server.start();
    RabbitTransport one = open(server.port());
    RabbitTransport other = open(server.port());
    untilAllSafe(one, "early-");
    server.awaitQueueOnDisk(CHANNEL.replace('.', '_'));
    List<String> safe = new ArrayList<>(publish(one, "stored-", 200));
    assertThat(safe).hasSize(200);

    List<String> around = new ArrayList<>();
    Thread killer = Thread.ofVirtual().start(this::kill);
    for (int i = 0; killer.isAlive(); i++) {
      around.addAll(publish(one, "around-" + i + "-", 20));
    }
    killer.join();
    safe.addAll(around);
    assertThat(one.publish(messages("away-", 2))).hasSize(2).doesNotContainNull();
    Subscription subscription = receive(other);
    assertThat(subscription.isConnected()).isFalse();

    server.start();
    untilReceived(safe);
    assertThat(subscription.isConnected()).isTrue();
    untilAllSafe(one, "late-");
    ConditionPoller.await("late ones come", () -> received.contains("late-4"));

    server.kill();
    ConditionPoller.await("noticed", () -> !subscription.isConnected());
    server.wipe();
    server.start();
    untilAllSafe(one, "later-");
    ConditionPoller.await("new ones come", () -> received.contains("later-4"));
    ConditionPoller.await(
        "all acknowledged",
        () -> other.queueStatus(CHANNEL).equals(new QueueStatus(CHANNEL, 0, 1, 0)));
  }

  /** A broker that is killed soon after it has created a queue knows only the queue's name. */
  @Test
  void aQueueThatComesBackWithoutALeaderIsMadeAgain() throws Exception {
    server.start();
    RabbitTransport transport = open(server.port());
    publish(transport, "early-", 1); // the other connection makes the queue
    Subscription subscription = receive(transport);
    ConditionPoller.await("received", subscription::isConnected);
    server.kill();
    server.start();

    untilAllSafe(transport, "late-");
    untilReceived(List.of("late-0", "late-4"));
    assertThat(subscription.isConnected()).isTrue();
  }

  private void kill() {
    try {
      server.kill();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void whatCannotBeConfirmedIsAnsweredWithinTheLimit() throws Exception {
    server.start();
    RabbitTransport transport = open(proxy.port());
    Subscription subscription = receive(transport);
    untilAllSafe(transport, "before-");
    untilReceived(List.of("before-0", "before-4"));

    proxy.setTraffic(TrafficRule.STALLED, TrafficRule.STALLED);
    assertThat(publish(transport, "stalled-", 3)).isEmpty();
    // More than the socket buffers hold, so the writer blocks.
    List<Outgoing> large = new ArrayList<>();
    for (int i = 0; i < 400; i++) {
      large.add(new Outgoing(CHANNEL, "x".repeat(60_000), "large-" + i, null));
    }
    assertThat(transport.publish(large)).hasSize(400).doesNotContainNull();
    assertThat(transport.publish(messages("behind-", 1)).getFirst()).contains("RabbitMQ");
    proxy.setTraffic(TrafficRule.PASS, TrafficRule.PASS);
    untilAllSafe(transport, "after-");
    ConditionPoller.await("after it", () -> received.contains("after-4"));

    proxy.resetConnections();
    untilAllSafe(transport, "recovered-");
    ConditionPoller.await("received again", () -> received.contains("recovered-4"));
    assertThat(subscription.isConnected()).isTrue();

    // A connection on which nothing arrives any more, in one direction.
    proxy.setTraffic(TrafficRule.PASS, new TrafficRule.Dropped());
    assertThat(transport.publish(messages("dropped-", 1)).getFirst()).isNotNull();
    proxy.setTraffic(TrafficRule.PASS, TrafficRule.PASS);
    untilAllSafe(transport, "end-");
    ConditionPoller.await("the end", () -> received.contains("end-4"));
  }

  /** The broker stops reading from publishing connections; the others are not affected. */
  @Test
  void aBrokerThatIsShortOfDiskSaysSo() throws Exception {
    server.configure(List.of("disk_free_limit.absolute = 1000000GB"));
    server.start();
    RabbitTransport transport = open(server.port());
    Subscription subscription = receive(transport);
    ConditionPoller.await("received", subscription::isConnected);
    ConditionPoller.await(
        "the reason is told", () -> isShortOfDisk(transport.publish(messages("full-", 1))));
    assertThat(transport.publish(messages("full-", 50))).allMatch(BrokerOutageTest::isShortOfDisk);
    assertThat(transport.queueStatus(CHANNEL).consumers()).isEqualTo(1);
    assertThat(subscription.isConnected()).isTrue();
  }

  private static boolean isShortOfDisk(List<String> answers) {
    return isShortOfDisk(answers.getFirst());
  }

  private static boolean isShortOfDisk(String answer) {
    return answer != null && answer.contains("takes no messages now: low on disk");
  }
}
