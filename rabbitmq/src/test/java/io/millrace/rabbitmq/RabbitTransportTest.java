package io.millrace.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.GetResponse;
import io.millrace.instance.InvalidRequestException;
import io.millrace.sequence.ChannelTransport.DeadLetter;
import io.millrace.sequence.ChannelTransport.DeliveryOutcome;
import io.millrace.sequence.ChannelTransport.Incoming;
import io.millrace.sequence.ChannelTransport.Outgoing;
import io.millrace.sequence.ChannelTransport.QueueStatus;
import io.millrace.sequence.ChannelTransport.Subscription;
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

/** Tests of sending and receiving messages. */
class RabbitTransportTest {

  private static final String SAMPLE =
      """
      {"executionId":1602843384824,"workflowId":"Report_1602842568","currentTaskId":2,\
      "nextTaskId":3,"sequence":1,"isWorkflowTaskRetry":false}\
      """;

  private TestBroker testBroker;

  @BeforeEach
  void connect() throws Exception {
    testBroker = new TestBroker();
  }

  @AfterEach
  void disconnect() throws Exception {
    testBroker.close();
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
    String channel = testBroker.channel("WORK");
    RabbitTransport transport = testBroker.open();
    RecordingReceiver recordingReceiver = RecordingReceiver.ofAll();
    transport.subscribe(channel, 1, recordingReceiver);
    assertThat(transport.publish(List.of(new Outgoing(channel, SAMPLE, "7", null))))
        .containsExactly((String) null);
    assertThat(recordingReceiver.next()).isEqualTo(new Incoming(channel, SAMPLE, "7"));
    assertThat(transport.name()).isEqualTo("rabbitmq");
  }

  @Test
  void aMessageIsStoredUntilAReceiverSubscribes() throws Exception {
    String channel = testBroker.channel("LATE");
    RabbitTransport transport = testBroker.open();
    transport.publish(List.of(new Outgoing(channel, "\"ü\"", "7", "31")));
    TestBroker.untilDepth(transport, new QueueStatus(channel, 1, 0, 0));

    GetResponse stored = testBroker.plain().basicGet(TestBroker.queue(channel), false);
    assertThat(stored.getEnvelope().getExchange()).isEqualTo(testBroker.settings().exchange());
    assertThat(stored.getEnvelope().getRoutingKey()).isEqualTo(channel);
    assertThat(stored.getProps().getDeliveryMode()).isEqualTo(2);
    assertThat(stored.getProps().getContentType()).isEqualTo("application/json");
    assertThat(stored.getProps().getMessageId()).isEqualTo("7");
    assertThat(stored.getProps().getHeaders().get("executionHistoryId")).hasToString("31");
    testBroker.plain().basicNack(stored.getEnvelope().getDeliveryTag(), false, true);

    RecordingReceiver recordingReceiver = RecordingReceiver.ofAll();
    transport.subscribe(channel, 1, recordingReceiver);
    assertThat(recordingReceiver.next().body()).isEqualTo("\"ü\"");
    TestBroker.until("one consumer", () -> transport.queueStatus(channel).consumers() == 1);
  }

  @Test
  void aPlainClientsMessageIsReceivedLikeAnyOther() throws Exception {
    String channel = testBroker.channel("REPORT.KPI");
    String exchange = testBroker.settings().exchange();
    Channel amqp = testBroker.plain();
    RecordingReceiver recordingReceiver = RecordingReceiver.ofAll();
    Subscription subscription = testBroker.open().subscribe(channel, 4, recordingReceiver);
    TestBroker.until("subscribed", subscription::isConnected);
    // docs:plain
    String message =
        """
        {"executionId":1602843384824,"workflowId":"Report_1602842568","currentTaskId":2,
        "nextTaskId":3,"sequence":1,"isWorkflowTaskRetry":false}\
        """;
    amqp.basicPublish(exchange, channel, null, message.getBytes(StandardCharsets.UTF_8));
    // docs:end
    assertThat(recordingReceiver.next()).isEqualTo(new Incoming(channel, message, null));
  }

  @Test
  void aBatchIsConfirmedMessageByMessage() throws Exception {
    String one = testBroker.channel("ONE");
    String other = testBroker.channel("OTHER");
    RabbitTransport transport = testBroker.open();
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
    TestBroker.untilDepth(transport, new QueueStatus(one, 500, 0, 0));
    TestBroker.untilDepth(transport, new QueueStatus(other, 500, 0, 0));
    assertThat(transport.publish(List.of())).isEmpty();
  }

  /** No encoding has bytes for half of a surrogate pair: it would arrive as another text. */
  @Test
  void aMessageThatWouldArriveAsAnotherIsRefused() throws Exception {
    String channel = testBroker.channel("HALF");
    RabbitTransport transport = testBroker.open();
    List<String> answers =
        transport.publish(
            List.of(
                new Outgoing(channel, "\"A-\ud83d\"", "1", null),
                new Outgoing(channel, "2", "A-\ude00", null),
                new Outgoing(channel, "3", "3", "A-\ud83d"),
                new Outgoing(channel, "\"A-😀\"", "😀", "😀")));
    assertThat(answers.get(0)).contains("The body").contains("half of a surrogate pair");
    assertThat(answers.get(1)).contains("The id 'A-\ufffd'").contains("half of a surrogate pair");
    assertThat(answers.get(2)).contains("'A-\ufffd'").contains("half of a surrogate pair");
    assertThat(answers.get(3)).isNull();
    assertThatThrownBy(() -> transport.queueStatus(channel + ".\ud83d"))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("\ufffd")
        .hasMessageContaining("half of a surrogate pair");
    TestBroker.untilDepth(transport, new QueueStatus(channel, 1, 0, 0));
  }

  @Test
  void halfOfASurrogatePairThatComesIsADeadLetterWithAReadableReason() throws Exception {
    String channel = testBroker.channel("HALVES");
    RabbitTransport transport = testBroker.open();
    String names = "\"A-\ud83d\" " + "😀".repeat(600);
    RecordingReceiver recordingReceiver =
        new RecordingReceiver(message -> new DeliveryOutcome.Reject("unknown: " + names));
    Subscription subscription = transport.subscribe(channel, 1, recordingReceiver);
    TestBroker.until("subscribed", subscription::isConnected);
    byte[] half = {'"', (byte) 0xed, (byte) 0xa0, (byte) 0xbd, '"'};
    byte[] whole = ("x" + "😀".repeat(1500)).getBytes(StandardCharsets.UTF_8);
    for (byte[] body : List.of(half, whole)) {
      testBroker.plain().basicPublish(testBroker.settings().exchange(), channel, null, body);
    }
    TestBroker.untilDepth(transport, new QueueStatus(channel, 0, 1, 2));
    assertThat(recordingReceiver.size()).isEqualTo(1);
    List<DeadLetter> letters = transport.deadLetters(channel, 10);
    assertThat(letters)
        .extracting(DeadLetter::reason)
        .containsExactlyInAnyOrder(
            "The message must be JSON in UTF-8.", "unknown: \"A-\ufffd\" " + "😀".repeat(492));
    assertThat(letters).extracting(DeadLetter::body).contains("x" + "😀".repeat(999));
  }

  @Test
  void severalThreadsPublishAtOnce() throws Exception {
    String channel = testBroker.channel("MANY");
    RabbitTransport transport = testBroker.open();
    List<String> answers = Collections.synchronizedList(new ArrayList<>());
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      threads.add(
          Thread.ofVirtual()
              .start(() -> answers.addAll(transport.publish(messages(channel, 100)))));
    }
    for (Thread thread : threads) {
      Patience.join(thread);
    }
    assertThat(answers).hasSize(800).containsOnlyNulls();
    TestBroker.untilDepth(transport, new QueueStatus(channel, 800, 0, 0));
  }

  @Test
  void aSlowMessageDoesNotHoldTheOthersUp() throws Exception {
    String channel = testBroker.channel("SLOW");
    RabbitTransport transport = testBroker.open();
    CountDownLatch release = new CountDownLatch(1);
    RecordingReceiver recordingReceiver =
        new RecordingReceiver(message -> {
          if (message.body().equals("0")) {
            await(release);
          }
          return new DeliveryOutcome.Acknowledge();
        });
    transport.subscribe(channel, 2, recordingReceiver);
    transport.publish(messages(channel, 20));
    assertThat(recordingReceiver.bodies(20)).contains("0", "19");
    release.countDown();
    TestBroker.until("all acknowledged", () -> transport.queueStatus(channel).ready() == 0);
  }

  @Test
  void noMoreAreReceivedAtATimeThanAskedFor() throws Exception {
    String channel = testBroker.channel("SOME");
    // The broker delivers more messages than may be handled at a time.
    RabbitTransport transport = testBroker.open(testBroker.settings().prefetch(50));
    AtomicInteger now = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    CountDownLatch three = new CountDownLatch(3);
    RecordingReceiver recordingReceiver =
        new RecordingReceiver(message -> {
          most.accumulateAndGet(now.incrementAndGet(), Math::max);
          three.countDown();
          await(three);
          now.decrementAndGet();
          return new DeliveryOutcome.Acknowledge();
        });
    transport.subscribe(channel, 3, recordingReceiver);
    transport.publish(messages(channel, 200));
    assertThat(recordingReceiver.bodies(200)).doesNotHaveDuplicates();
    assertThat(most).hasValue(3);
  }

  @Test
  void nodesShareAQueueAndNoneTakesMoreThanItCanHandle() throws Exception {
    String channel = testBroker.channel("SHARED");
    RabbitTransport busy = testBroker.open();
    RabbitTransport idle = testBroker.open();
    CountDownLatch release = new CountDownLatch(1);
    RecordingReceiver stuck =
        new RecordingReceiver(message -> {
          await(release);
          return new DeliveryOutcome.Acknowledge();
        });
    RecordingReceiver free = RecordingReceiver.ofAll();
    Subscription first = busy.subscribe(channel, 2, stuck);
    Subscription second = idle.subscribe(channel, 2, free);
    TestBroker.until("both subscribed", () -> first.isConnected() && second.isConnected());
    assertThat(busy.publish(messages(channel, 100))).containsOnlyNulls();
    List<String> taken = free.bodies(98);
    taken.addAll(stuck.bodies(2));
    assertThat(stuck.size()).isZero();
    release.countDown();
    assertThat(taken).doesNotHaveDuplicates().hasSize(100);
    TestBroker.untilDepth(idle, new QueueStatus(channel, 0, 2, 0));
  }

  @Test
  void aMessageForLaterComesAgainWithoutUsingUpItsDeliveries() throws Exception {
    String channel = testBroker.channel("PUT.OFF");
    RabbitTransport transport = testBroker.open(testBroker.settings().deliveryLimit(1));
    AtomicInteger times = new AtomicInteger();
    RecordingReceiver recordingReceiver =
        new RecordingReceiver(message ->
            message.body().equals("early") && times.incrementAndGet() < 4
                ? new DeliveryOutcome.Requeue()
                : new DeliveryOutcome.Acknowledge());
    transport.subscribe(channel, 1, recordingReceiver);
    transport.publish(List.of(new Outgoing(channel, "early", "e", "5"), message(channel, "next")));
    assertThat(recordingReceiver.bodies(5))
        .containsExactly("early", "next", "early", "early", "early");
    TestBroker.until("all acknowledged", () -> transport.queueStatus(channel).ready() == 0);
    assertThat(transport.queueStatus(channel).deadLetters()).isZero();
  }

  @Test
  void aReceiverThatThrewGetsTheNextMessage() throws Exception {
    String channel = testBroker.channel("THROWS");
    RabbitTransport transport = testBroker.open(testBroker.settings().deliveryLimit(2));
    RecordingReceiver recordingReceiver =
        new RecordingReceiver(message -> {
          if (message.body().equals("poison")) {
            throw new StackOverflowError("thrown on purpose");
          }
          return new DeliveryOutcome.Acknowledge();
        });
    transport.subscribe(channel, 1, recordingReceiver);
    transport.publish(List.of(message(channel, "poison"), message(channel, "good")));
    TestBroker.until("a dead letter", () -> transport.queueStatus(channel).deadLetters() == 1);
    assertThat(recordingReceiver.bodies(4))
        .containsExactlyInAnyOrder("poison", "poison", "poison", "good");
    assertThat(transport.deadLetters(channel, 10).getFirst().reason()).contains("delivery limit");
  }

  @Test
  void closingASubscriptionWaitsForItsReceiver() throws Exception {
    String channel = testBroker.channel("CLOSING");
    RabbitTransport transport = testBroker.open();
    CountDownLatch release = new CountDownLatch(1);
    Set<String> ended = Collections.synchronizedSet(new HashSet<>());
    RecordingReceiver recordingReceiver =
        new RecordingReceiver(message -> {
          await(release);
          ended.add(message.body());
          return new DeliveryOutcome.Acknowledge();
        });
    Subscription subscription = transport.subscribe(channel, 1, recordingReceiver);
    transport.publish(messages(channel, 3));
    assertThat(recordingReceiver.next().body()).isEqualTo("0");
    Thread closing = Thread.ofVirtual().start(subscription::close);
    TestBroker.until("closing", () -> !subscription.isConnected());
    assertThat(closing.isAlive()).isTrue();
    assertThat(ended).isEmpty();
    release.countDown();
    Patience.join(closing);
    int received = 1 + recordingReceiver.size();
    assertThat(ended).contains("0").hasSize(received);
    subscription.close();
    TestBroker.untilDepth(transport, new QueueStatus(channel, 3 - received, 0, 0));
  }

  @Test
  void whatIsPutOffGoesBackAtOnceWhenItsSubscriptionEnds() throws Exception {
    String channel = testBroker.channel("HELD");
    RabbitTransport transport = testBroker.open();
    RecordingReceiver recordingReceiver =
        new RecordingReceiver(message -> new DeliveryOutcome.Requeue());
    Subscription subscription = transport.subscribe(channel, 1, recordingReceiver);
    transport.publish(messages(channel, 1));
    recordingReceiver.bodies(4);
    subscription.close();
    TestBroker.untilDepth(transport, new QueueStatus(channel, 1, 0, 0));
    GetResponse back = testBroker.plain().basicGet(TestBroker.queue(channel), true);
    assertThat(new String(back.getBody(), StandardCharsets.UTF_8)).isEqualTo("0");
    assertThat(back.getProps().getMessageId()).isEqualTo("id-0");
  }

  @Test
  void aQueueThatWasDeletedIsMadeAgain() throws Exception {
    String channel = testBroker.channel("DELETED");
    RabbitTransport transport = testBroker.open();
    RecordingReceiver recordingReceiver = RecordingReceiver.ofAll();
    transport.subscribe(channel, 1, recordingReceiver);
    transport.publish(List.of(message(channel, "first")));
    recordingReceiver.next();
    testBroker.plain().queueDelete(TestBroker.queue(channel));
    TestBroker.until("received again", () -> transport.queueStatus(channel).consumers() == 1);
    assertThat(transport.publish(List.of(message(channel, "second")))).containsOnlyNulls();
    assertThat(recordingReceiver.next().body()).isEqualTo("second");
  }

  @Test
  void aMessageThatNoQueueTakesIsReported() throws Exception {
    String channel = testBroker.channel("GONE");
    String other = testBroker.channel("STAYS");
    RabbitTransport transport = testBroker.open();
    transport.publish(List.of(message(channel, "first"), message(other, "first")));
    testBroker.plain().queueDelete(TestBroker.queue(channel));
    assertThat(transport.publish(List.of(message(channel, "lost"), message(other, "safe"))))
        .satisfiesExactly(
            lost -> assertThat(lost).contains("No queue takes messages of '" + channel),
            safe -> assertThat(safe).isNull());
    assertThat(transport.publish(List.of(message(channel, "third")))).containsOnlyNulls();
    TestBroker.untilDepth(transport, new QueueStatus(channel, 1, 0, 0));
  }

  @Test
  void anExchangeThatWasDeletedIsMadeAgain() throws Exception {
    String channel = testBroker.channel("EXCHANGE");
    RabbitTransport transport = testBroker.open();
    transport.publish(List.of(message(channel, "first")));
    testBroker.plain().exchangeDelete(testBroker.settings().exchange());
    assertThat(transport.publish(List.of(message(channel, "lost"))).getFirst())
        .contains("no exchange");
    assertThat(transport.publish(List.of(message(channel, "second")))).containsOnlyNulls();
  }

  @Test
  void aQueueWithOtherPropertiesIsNamedAndTheOthersGoOn() throws Exception {
    String classic = testBroker.channel("CLASSIC");
    String good = testBroker.channel("GOOD");
    Channel plain = testBroker.plain();
    plain.queueDeclare(TestBroker.queue(classic), true, false, false, Map.of());
    RabbitTransport transport = testBroker.open();
    RecordingReceiver recordingReceiver = RecordingReceiver.ofAll();
    RecordingReceiver refused = RecordingReceiver.ofAll();
    Subscription closed = transport.subscribe(classic, 1, refused);
    transport.subscribe(good, 1, recordingReceiver);
    assertThat(transport.publish(List.of(message(classic, "a"), message(good, "b"))))
        .satisfiesExactly(
            why ->
                assertThat(why)
                    .contains("queue '" + TestBroker.queue(classic) + "'")
                    .containsPattern("its x-\\S+ is .+, expected '.+'")
                    .contains("rabbitmqctl delete_queue"),
            safe -> assertThat(safe).isNull());
    assertThat(recordingReceiver.next().body()).isEqualTo("b");
    assertThat(closed.isConnected()).isFalse();

    plain.queueDelete(TestBroker.queue(classic));
    assertThat(transport.publish(List.of(message(classic, "c")))).containsOnlyNulls();
    assertThat(refused.next().body()).isEqualTo("c");
  }

  @Test
  void channelsThatWouldShareAQueueAreRefused() {
    RabbitTransport transport = testBroker.open();
    String channel = testBroker.channel("A.B");
    transport.subscribe(channel, 1, RecordingReceiver.ofAll());
    String twin = channel.replace("A.B", "A_B");
    assertThatThrownBy(() -> transport.subscribe(twin, 1, RecordingReceiver.ofAll()))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining(channel)
        .hasMessageContaining(twin);
    assertThatThrownBy(() -> transport.subscribe(channel, 0, RecordingReceiver.ofAll()))
        .hasMessageContaining("is 0, expected 1");
    assertThat(transport.publish(List.of(message(twin, "x"))).getFirst()).contains(channel, twin);
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
