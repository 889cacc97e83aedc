package io.millrace.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.GetResponse;
import io.millrace.instance.InvalidRequestException;
import io.millrace.sequence.ChannelTransport.Depth;
import io.millrace.sequence.ChannelTransport.Incoming;
import io.millrace.sequence.ChannelTransport.Outgoing;
import io.millrace.sequence.ChannelTransport.Subscription;
import io.millrace.sequence.ChannelTransport.Verdict;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Messages go out and come in. */
class RabbitTransportTest {

  private static final String SAMPLE =
      """
      {"executionId":1602843384824,"workflowId":"Report_1602842568","currentTaskId":2,\
      "nextTaskId":3,"sequence":1,"isWorkflowTaskRetry":false}\
      """;

  private Broker broker;

  @BeforeEach
  void connect() throws Exception {
    broker = new Broker();
  }

  @AfterEach
  void disconnect() throws Exception {
    broker.close();
  }

  private static Outgoing message(String channel, String body) {
    return new Outgoing(channel, body, "id-" + body, null);
  }

  private static List<Outgoing> messages(String channel, int number) {
    List<Outgoing> all = new ArrayList<>();
    for (int i = 0; i < number; i++) {
      all.add(message(channel, "" + i));
    }
    return all;
  }

  @Test
  void aMessageArrivesWithItsId() throws Exception {
    String channel = broker.channel("WORK");
    RabbitTransport transport = broker.open();
    Inbox inbox = Inbox.ofAll();
    transport.subscribe(channel, 1, inbox);
    assertThat(transport.publish(List.of(new Outgoing(channel, SAMPLE, "7", null))))
        .containsExactly((String) null);
    assertThat(inbox.next()).isEqualTo(new Incoming(channel, SAMPLE, "7"));
    assertThat(transport.name()).isEqualTo("rabbitmq");
  }

  @Test
  void aMessageIsStoredUntilSomebodyComes() throws Exception {
    String channel = broker.channel("LATE");
    RabbitTransport transport = broker.open();
    transport.publish(List.of(new Outgoing(channel, "\"ü\"", "7", "31")));
    Broker.untilDepth(transport, new Depth(channel, 1, 0, 0));

    GetResponse stored = broker.plain().basicGet(Broker.queue(channel), false);
    assertThat(stored.getEnvelope().getExchange()).isEqualTo(broker.settings().exchange());
    assertThat(stored.getEnvelope().getRoutingKey()).isEqualTo(channel);
    assertThat(stored.getProps().getDeliveryMode()).isEqualTo(2);
    assertThat(stored.getProps().getContentType()).isEqualTo("application/json");
    assertThat(stored.getProps().getMessageId()).isEqualTo("7");
    assertThat(stored.getProps().getHeaders().get("executionHistoryId")).hasToString("31");
    broker.plain().basicNack(stored.getEnvelope().getDeliveryTag(), false, true);

    Inbox inbox = Inbox.ofAll();
    transport.subscribe(channel, 1, inbox);
    assertThat(inbox.next().body()).isEqualTo("\"ü\"");
    Broker.until("one consumer", () -> transport.depth(channel).consumers() == 1);
  }

  @Test
  void aPlainClientsMessageIsReceivedLikeAnyOther() throws Exception {
    String channel = broker.channel("REPORT.KPI");
    String exchange = broker.settings().exchange();
    Channel amqp = broker.plain();
    Inbox inbox = Inbox.ofAll();
    Subscription subscription = broker.open().subscribe(channel, 4, inbox);
    Broker.until("subscribed", subscription::isConnected);
    // docs:plain
    String message =
        """
        {"executionId":1602843384824,"workflowId":"Report_1602842568","currentTaskId":2,
        "nextTaskId":3,"sequence":1,"isWorkflowTaskRetry":false}\
        """;
    amqp.basicPublish(exchange, channel, null, message.getBytes(StandardCharsets.UTF_8));
    // docs:end
    assertThat(inbox.next()).isEqualTo(new Incoming(channel, message, null));
  }

  @Test
  void aBatchIsConfirmedMessageByMessage() throws Exception {
    String one = broker.channel("ONE");
    String other = broker.channel("OTHER");
    RabbitTransport transport = broker.open();
    List<Outgoing> batch = new ArrayList<>(messages(one, 500));
    batch.add(message("bad * name", "x"));
    batch.add(new Outgoing(one, "y".repeat(70_000), "long", null));
    batch.add(new Outgoing(one, "z", "z".repeat(256), null));
    batch.addAll(messages(other, 500));
    List<String> answers = transport.publish(batch);
    assertThat(answers).hasSize(1003);
    assertThat(answers.get(500)).contains("bad * name").contains("routing key");
    assertThat(answers.get(501)).contains("70,000 bytes").contains("65,536");
    assertThat(answers.get(502)).contains("over 255 bytes");
    assertThat(answers.stream().filter(answer -> answer != null)).hasSize(3);
    Broker.untilDepth(transport, new Depth(one, 500, 0, 0));
    Broker.untilDepth(transport, new Depth(other, 500, 0, 0));
    assertThat(transport.publish(List.of())).isEmpty();
  }

  @Test
  void severalThreadsPublishAtOnce() throws Exception {
    String channel = broker.channel("MANY");
    RabbitTransport transport = broker.open();
    List<String> answers = Collections.synchronizedList(new ArrayList<>());
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      threads.add(
          Thread.ofVirtual()
              .start(() -> answers.addAll(transport.publish(messages(channel, 100)))));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(answers).hasSize(800).containsOnlyNulls();
    Broker.untilDepth(transport, new Depth(channel, 800, 0, 0));
  }

  @Test
  void aSlowMessageDoesNotHoldTheOthersUp() throws Exception {
    String channel = broker.channel("SLOW");
    RabbitTransport transport = broker.open();
    CountDownLatch release = new CountDownLatch(1);
    Inbox inbox =
        new Inbox(message -> {
          if (message.body().equals("0")) {
            await(release);
          }
          return new Verdict.Done();
        });
    transport.subscribe(channel, 2, inbox);
    transport.publish(messages(channel, 20));
    assertThat(inbox.bodies(20)).contains("0", "19");
    release.countDown();
    Broker.until("all settled", () -> transport.depth(channel).ready() == 0);
  }

  @Test
  void noMoreAreReceivedAtATimeThanAskedFor() throws Exception {
    String channel = broker.channel("FEW");
    // The broker hands over more than may be received at a time.
    RabbitTransport transport = broker.open(broker.settings().prefetch(50));
    AtomicInteger now = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    CountDownLatch three = new CountDownLatch(3);
    Inbox inbox =
        new Inbox(message -> {
          most.accumulateAndGet(now.incrementAndGet(), Math::max);
          three.countDown();
          await(three);
          now.decrementAndGet();
          return new Verdict.Done();
        });
    transport.subscribe(channel, 3, inbox);
    transport.publish(messages(channel, 200));
    assertThat(inbox.bodies(200)).doesNotHaveDuplicates();
    assertThat(most).hasValue(3);
  }

  @Test
  void nodesShareAQueueAndNoneTakesMoreThanItCanHandle() throws Exception {
    String channel = broker.channel("SHARED");
    RabbitTransport busy = broker.open();
    RabbitTransport idle = broker.open();
    CountDownLatch release = new CountDownLatch(1);
    Inbox stuck =
        new Inbox(message -> {
          await(release);
          return new Verdict.Done();
        });
    Inbox free = Inbox.ofAll();
    Subscription first = busy.subscribe(channel, 2, stuck);
    Subscription second = idle.subscribe(channel, 2, free);
    Broker.until("both subscribed", () -> first.isConnected() && second.isConnected());
    assertThat(busy.publish(messages(channel, 100))).containsOnlyNulls();
    List<String> taken = free.bodies(98);
    taken.addAll(stuck.bodies(2));
    assertThat(stuck.size()).isZero();
    release.countDown();
    assertThat(taken).doesNotHaveDuplicates().hasSize(100);
    Broker.untilDepth(idle, new Depth(channel, 0, 2, 0));
  }

  @Test
  void aMessageForLaterComesAgainWithoutUsingUpItsDeliveries() throws Exception {
    String channel = broker.channel("PUT.OFF");
    RabbitTransport transport = broker.open(broker.settings().deliveryLimit(1));
    AtomicInteger times = new AtomicInteger();
    Inbox inbox =
        new Inbox(message ->
            message.body().equals("early") && times.incrementAndGet() < 4
                ? new Verdict.Later()
                : new Verdict.Done());
    transport.subscribe(channel, 1, inbox);
    transport.publish(List.of(new Outgoing(channel, "early", "e", "5"), message(channel, "next")));
    assertThat(inbox.bodies(5)).containsExactly("early", "next", "early", "early", "early");
    Broker.until("all settled", () -> transport.depth(channel).ready() == 0);
    assertThat(transport.depth(channel).deadLetters()).isZero();
  }

  @Test
  void whoeverThrowsReceivesTheNextMessageAllTheSame() throws Exception {
    String channel = broker.channel("THROWS");
    RabbitTransport transport = broker.open(broker.settings().deliveryLimit(2));
    Inbox inbox =
        new Inbox(message -> {
          if (message.body().equals("poison")) {
            throw new StackOverflowError("thrown on purpose");
          }
          return new Verdict.Done();
        });
    transport.subscribe(channel, 1, inbox);
    transport.publish(List.of(message(channel, "poison"), message(channel, "good")));
    Broker.until("a dead letter", () -> transport.depth(channel).deadLetters() == 1);
    assertThat(inbox.bodies(4)).containsExactlyInAnyOrder("poison", "poison", "poison", "good");
    assertThat(transport.deadLetters(channel, 10).getFirst().reason()).contains("delivery limit");
  }

  @Test
  void closingASubscriptionWaitsForItsReceiver() throws Exception {
    String channel = broker.channel("CLOSING");
    RabbitTransport transport = broker.open();
    CountDownLatch release = new CountDownLatch(1);
    Set<String> ended = Collections.synchronizedSet(new HashSet<>());
    Inbox inbox =
        new Inbox(message -> {
          await(release);
          ended.add(message.body());
          return new Verdict.Done();
        });
    Subscription subscription = transport.subscribe(channel, 1, inbox);
    transport.publish(messages(channel, 3));
    assertThat(inbox.next().body()).isEqualTo("0");
    Thread closing = Thread.ofVirtual().start(subscription::close);
    Broker.until("closing", () -> !subscription.isConnected());
    assertThat(closing.isAlive()).isTrue();
    assertThat(ended).isEmpty();
    release.countDown();
    closing.join();
    int received = 1 + inbox.size();
    assertThat(ended).contains("0").hasSize(received);
    subscription.close();
    Broker.untilDepth(transport, new Depth(channel, 3 - received, 0, 0));
  }

  @Test
  void whatIsPutOffGoesBackAtOnceWhenItsSubscriptionEnds() throws Exception {
    String channel = broker.channel("HELD");
    RabbitTransport transport = broker.open();
    Inbox inbox = new Inbox(message -> new Verdict.Later());
    Subscription subscription = transport.subscribe(channel, 1, inbox);
    transport.publish(messages(channel, 1));
    inbox.bodies(4);
    subscription.close();
    Broker.untilDepth(transport, new Depth(channel, 1, 0, 0));
    GetResponse back = broker.plain().basicGet(Broker.queue(channel), true);
    assertThat(new String(back.getBody(), StandardCharsets.UTF_8)).isEqualTo("0");
    assertThat(back.getProps().getMessageId()).isEqualTo("id-0");
  }

  @Test
  void aQueueThatWasDeletedIsMadeAgain() throws Exception {
    String channel = broker.channel("DELETED");
    RabbitTransport transport = broker.open();
    Inbox inbox = Inbox.ofAll();
    transport.subscribe(channel, 1, inbox);
    transport.publish(List.of(message(channel, "first")));
    inbox.next();
    broker.plain().queueDelete(Broker.queue(channel));
    Broker.until("received again", () -> transport.depth(channel).consumers() == 1);
    assertThat(transport.publish(List.of(message(channel, "second")))).containsOnlyNulls();
    assertThat(inbox.next().body()).isEqualTo("second");
  }

  @Test
  void aMessageThatNoQueueTakesIsReported() throws Exception {
    String channel = broker.channel("GONE");
    String other = broker.channel("STAYS");
    RabbitTransport transport = broker.open();
    transport.publish(List.of(message(channel, "first"), message(other, "first")));
    broker.plain().queueDelete(Broker.queue(channel));
    assertThat(transport.publish(List.of(message(channel, "lost"), message(other, "safe"))))
        .satisfiesExactly(
            lost -> assertThat(lost).contains("No queue takes messages of '" + channel),
            safe -> assertThat(safe).isNull());
    assertThat(transport.publish(List.of(message(channel, "third")))).containsOnlyNulls();
    Broker.untilDepth(transport, new Depth(channel, 1, 0, 0));
  }

  @Test
  void anExchangeThatWasDeletedIsMadeAgain() throws Exception {
    String channel = broker.channel("EXCHANGE");
    RabbitTransport transport = broker.open();
    transport.publish(List.of(message(channel, "first")));
    broker.plain().exchangeDelete(broker.settings().exchange());
    assertThat(transport.publish(List.of(message(channel, "lost"))).getFirst())
        .contains("no exchange");
    assertThat(transport.publish(List.of(message(channel, "second")))).containsOnlyNulls();
  }

  @Test
  void aQueueWithOtherPropertiesIsNamedAndTheOthersGoOn() throws Exception {
    String classic = broker.channel("CLASSIC");
    String good = broker.channel("GOOD");
    Channel plain = broker.plain();
    plain.queueDeclare(Broker.queue(classic), true, false, false, Map.of());
    RabbitTransport transport = broker.open();
    Inbox inbox = Inbox.ofAll();
    Inbox refused = Inbox.ofAll();
    Subscription closed = transport.subscribe(classic, 1, refused);
    transport.subscribe(good, 1, inbox);
    assertThat(transport.publish(List.of(message(classic, "a"), message(good, "b"))))
        .satisfiesExactly(
            why ->
                assertThat(why)
                    .contains("queue '" + Broker.queue(classic) + "'")
                    .containsPattern("its x-\\S+ is .+, expected '.+'")
                    .contains("rabbitmqctl delete_queue"),
            safe -> assertThat(safe).isNull());
    assertThat(inbox.next().body()).isEqualTo("b");
    assertThat(closed.isConnected()).isFalse();

    plain.queueDelete(Broker.queue(classic));
    assertThat(transport.publish(List.of(message(classic, "c")))).containsOnlyNulls();
    assertThat(refused.next().body()).isEqualTo("c");
  }

  @Test
  void channelsThatWouldShareAQueueAreRefused() {
    RabbitTransport transport = broker.open();
    String channel = broker.channel("A.B");
    transport.subscribe(channel, 1, Inbox.ofAll());
    String twin = channel.replace("A.B", "A_B");
    assertThatThrownBy(() -> transport.subscribe(twin, 1, Inbox.ofAll()))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining(channel)
        .hasMessageContaining(twin);
    assertThatThrownBy(() -> transport.subscribe(channel, 0, Inbox.ofAll()))
        .hasMessageContaining("is 0, expected 1");
    assertThat(transport.publish(List.of(message(twin, "x"))).getFirst()).contains(channel, twin);
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(Broker.SECONDS, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
