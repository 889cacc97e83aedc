package io.millrace.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.Connection;
import io.millrace.lifecycle.EngineRuntime;
import io.millrace.lifecycle.Loop;
import io.millrace.lifecycle.Runner;
import io.millrace.lifecycle.RunningTask;
import io.millrace.lifecycle.Waiter;
import io.millrace.sequence.ChannelTransport.Outgoing;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests of a queue that the broker does not answer for, like one without a leader. */
@Tag("races")
class StuckQueueTest {

  /**
   * Confirm limit of messages that are never confirmed; the limit of the others allows for slow
   * machines.
   */
  private static final Duration HASTE = Duration.ofSeconds(2);

  private final CountDownLatch reached = new CountDownLatch(1);
  private final CountDownLatch judged = new CountDownLatch(1);
  private final CountDownLatch release = new CountDownLatch(1);
  private TestBroker testBroker;
  private BrokerProxy brokerProxy;
  private RabbitConnection rabbitConnection;
  private Publisher publisher;
  private Publisher hasty;
  private String stuck;

  @BeforeEach
  void connect() throws Exception {
    testBroker = new TestBroker();
    stuck = testBroker.channel("STUCK");
    brokerProxy = new BrokerProxy();
    RabbitSettings settings =
        RabbitSettings.of(brokerProxy.uri()).exchange(testBroker.settings().exchange());
    EngineRuntime system = EngineRuntime.system();
    EngineRuntime runtime =
        new EngineRuntime(system.clock(), watched(system.runner()), system.random());
    rabbitConnection =
        new RabbitConnection(settings, "sender", runtime, RabbitConnection.MaintenanceTask.NONE);
    rabbitConnection.start();
    Topology topology =
        new Topology(new RabbitNames(settings.exchange()), settings.deliveryLimit(), null);
    Publisher.TopologyDeclarer topologyDeclarer =
        (connection, channel) -> {
          if (channel.equals(stuck)) {
            stall();
          }
          topology.declare(connection, channel);
        };
    publisher = new Publisher(rabbitConnection, topologyDeclarer, runtime, Patience.LIMIT);
    hasty = new Publisher(rabbitConnection, topologyDeclarer, runtime, HASTE);
  }

  /** Returns a runner that reports when the decision about ending the connection was made. */
  private Runner watched(Runner runner) {
    return new Runner() {
      @Override
      public Loop loop(String name, Loop.Work work) {
        return runner.loop(name, work);
      }

      @Override
      public RunningTask run(String name, Runnable task) {
        return runner.run(
            name,
            () -> {
              task.run();
              if (name.equals("millrace-rabbitmq-judge")) {
                judged.countDown();
              }
            });
      }

      @Override
      public Waiter waiter() {
        return runner.waiter();
      }
    };
  }

  private void stall() throws IOException {
    reached.countDown();
    try {
      assertThat(release.await(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  @AfterEach
  void disconnect() throws Exception {
    release.countDown();
    rabbitConnection.close();
    brokerProxy.close();
    testBroker.close();
  }

  private OutgoingMessage parcel(String channel) {
    return MessageCodec.of(
        new Outgoing(channel, "{}", "1", null), new RabbitNames(testBroker.settings().exchange()));
  }

  private @Nullable Connection connection() throws Exception {
    return rabbitConnection.await(Patience.LIMIT)
            instanceof RabbitConnection.State.Connected connected
        ? connected.connection()
        : null;
  }

  @Test
  void messagesOfOtherQueuesAreSentMeanwhile() throws Exception {
    Connection before = connection();
    CompletableFuture<List<String>> waiting =
        CompletableFuture.supplyAsync(() -> publisher.send(List.of(parcel(stuck))));
    assertThat(reached.await(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();

    String other = testBroker.channel("OTHER");
    assertThat(publisher.send(List.of(parcel(other)))).containsOnlyNulls();
    assertThat(waiting).isNotDone();

    release.countDown();
    assertThat(waiting.get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS)).containsOnlyNulls();
    assertThat(publisher.send(List.of(parcel(stuck), parcel(other)))).containsOnlyNulls();
    assertThat(connection()).isSameAs(before);
  }

  @Test
  void aQueueThatIsSilentAloneDoesNotEndTheConnection() throws Exception {
    Connection before = connection();

    assertThat(hasty.send(List.of(parcel(stuck))).getFirst()).contains("not confirmed");

    assertThat(judged.await(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(before.isOpen()).isTrue();
    assertThat(connection()).isSameAs(before);
  }

  @Test
  void aConnectionThatSaysNothingAtAllIsReplaced() throws Exception {
    String channel = testBroker.channel("SILENT");
    TestBroker.until(
        "confirmed in its haste", () -> hasty.send(List.of(parcel(channel))).getFirst() == null);
    Connection before = connection();
    brokerProxy.silence();

    assertThat(hasty.send(List.of(parcel(channel))).getFirst()).contains("not confirmed");

    TestBroker.until(
        "another connection",
        () -> {
          Connection now = connection();
          return now != null && !now.equals(before);
        });
    assertThat(publisher.send(List.of(parcel(channel)))).containsOnlyNulls();
  }
}
