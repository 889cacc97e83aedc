package io.millrace.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.GetResponse;
import io.millrace.sequence.ChannelTransport.DeadLetter;
import io.millrace.sequence.ChannelTransport.DeliveryOutcome;
import io.millrace.sequence.ChannelTransport.Outgoing;
import io.millrace.sequence.ChannelTransport.QueueStatus;
import io.millrace.sequence.ChannelTransport.Subscription;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests that messages that cannot be used become dead letters with their reason. */
class DeadLettersTest {

  private TestBroker testBroker;
  private RabbitTransport transport;

  @BeforeEach
  void connect() throws Exception {
    testBroker = new TestBroker();
    transport = testBroker.open();
  }

  @AfterEach
  void disconnect() throws Exception {
    testBroker.close();
  }

  private void untilDead(String channel, int number) throws Exception {
    TestBroker.until(
        number + " dead letters", () -> transport.queueStatus(channel).deadLetters() == number);
  }

  /** Sends a message as a client that knows nothing of Millrace. */
  private void send(String channel, byte[] body, BasicProperties properties) throws Exception {
    testBroker.plain().basicPublish(testBroker.settings().exchange(), channel, properties, body);
  }

  @Test
  void aRejectedMessageIsKeptWithItsReason() throws Exception {
    String channel = testBroker.channel("REJECTED");
    RecordingReceiver recordingReceiver =
        new RecordingReceiver(
            message -> new DeliveryOutcome.Reject("No execution 17 waits for it."));
    transport.subscribe(channel, 1, recordingReceiver);
    transport.publish(List.of(new Outgoing(channel, "{}", "id-1", "44")));
    untilDead(channel, 1);
    DeadLetter expected = new DeadLetter(channel, "{}", "id-1", "No execution 17 waits for it.");
    assertThat(transport.deadLetters(channel, 10)).containsExactly(expected);
    assertThat(transport.deadLetters(channel, 10)).containsExactly(expected);
    TestBroker.untilDepth(transport, new QueueStatus(channel, 0, 1, 1));
    assertThat(recordingReceiver.size()).isEqualTo(1);
  }

  @Test
  void bytesThatAreNoTextAreKept() throws Exception {
    String channel = testBroker.channel("BYTES");
    RecordingReceiver recordingReceiver = RecordingReceiver.ofAll();
    Subscription subscription = transport.subscribe(channel, 1, recordingReceiver);
    TestBroker.until("subscribed", subscription::isConnected);
    byte[] poison = {'{', (byte) 0xC3, (byte) 0x28, (byte) 0xFF};
    send(channel, poison, null);
    send(channel, "good".getBytes(StandardCharsets.UTF_8), null);
    assertThat(recordingReceiver.next().body()).isEqualTo("good");
    untilDead(channel, 1);
    DeadLetter letter = transport.deadLetters(channel, 1).getFirst();
    assertThat(letter.reason()).contains("must be JSON in UTF-8");
    assertThat(letter.id()).isNull();
    assertThat(testBroker.plain().basicGet(TestBroker.deadQueue(channel), true).getBody())
        .isEqualTo(poison);
  }

  @Test
  void aHugeMessageIsCutShortAndKept() throws Exception {
    String channel = testBroker.channel("HUGE");
    RecordingReceiver recordingReceiver = RecordingReceiver.ofAll();
    Subscription subscription = transport.subscribe(channel, 1, recordingReceiver);
    TestBroker.until("subscribed", subscription::isConnected);
    send(channel, new byte[10_000_000], new BasicProperties.Builder().messageId("big").build());
    send(channel, "good".getBytes(StandardCharsets.UTF_8), null);
    assertThat(recordingReceiver.next().body()).isEqualTo("good");
    untilDead(channel, 1);
    DeadLetter letter = transport.deadLetters(channel, 1).getFirst();
    assertThat(letter.reason()).contains("10,000,000 bytes", "65,536");
    assertThat(letter.id()).isEqualTo("big");
    assertThat(letter.body()).hasSize(2_000);
    GetResponse kept = testBroker.plain().basicGet(TestBroker.deadQueue(channel), true);
    assertThat(kept.getBody()).hasSize(65_536);
    assertThat(recordingReceiver.size()).isZero();
  }

  @Test
  void whatWouldHarmADeadLetterIsTakenFromIt() throws Exception {
    String channel = testBroker.channel("HARM");
    String bystander = testBroker.channel("BYSTANDER");
    testBroker.plain().queueDeclare(TestBroker.queue(bystander), true, false, false, Map.of());
    RecordingReceiver recordingReceiver =
        new RecordingReceiver(message -> new DeliveryOutcome.Reject("r".repeat(500_000)));
    Subscription subscription = transport.subscribe(channel, 1, recordingReceiver);
    TestBroker.until("subscribed", subscription::isConnected);
    BasicProperties properties =
        new BasicProperties.Builder()
            .expiration("60000")
            .userId("guest")
            .headers(Map.of("CC", List.of(bystander), "mine", 1))
            .build();
    send(channel, "{}".getBytes(StandardCharsets.UTF_8), properties);
    untilDead(channel, 1);
    BasicProperties kept =
        testBroker.plain().basicGet(TestBroker.deadQueue(channel), true).getProps();
    assertThat(kept.getExpiration()).isNull();
    assertThat(kept.getUserId()).isNull();
    assertThat(kept.getHeaders()).containsKey("mine").doesNotContainKey("CC");
    assertThat(kept.getHeaders().get("millrace-reason").toString()).hasSize(1_000);
  }

  @Test
  void theOldestAreShownInTheirOrder() throws Exception {
    String channel = testBroker.channel("ORDER");
    List<String> bodies = reject(channel, 150);
    assertThat(transport.deadLetters(channel, 10))
        .extracting(DeadLetter::body)
        .containsExactlyElementsOf(bodies.subList(0, 10));
    assertThat(transport.deadLetters(channel, 500))
        .extracting(DeadLetter::body)
        .containsExactlyElementsOf(bodies);
    assertThat(transport.deadLetters(channel, 10))
        .extracting(DeadLetter::body)
        .containsExactlyElementsOf(bodies.subList(0, 10));
  }

  @Test
  void deadLettersMayBeLookedAtAnyNumberOfTimes() throws Exception {
    String channel = testBroker.channel("LOOKED.AT");
    List<String> bodies = reject(channel, 2);
    for (int i = 0; i < 50; i++) {
      assertThat(transport.deadLetters(channel, 2))
          .extracting(DeadLetter::body)
          .containsExactlyElementsOf(bodies);
    }
  }

  @Test
  void whatWasJustLookedAtIsMovedBack() throws Exception {
    lookAndMoveBack(20);
  }

  @Tag("races")
  @Test
  void whatWasJustLookedAtIsMovedBackEachTime() throws Exception {
    lookAndMoveBack(300);
  }

  /**
   * Reads dead letters and moves them back at once. The broker puts a letter that was read back
   * into its queue only after it has answered.
   */
  private void lookAndMoveBack(int number) throws Exception {
    String channel = testBroker.channel("JUST.LOOKED.AT");
    reject(channel, number);
    for (int i = 0; i < number; i++) {
      transport.deadLetters(channel, number - i);
      assertThat(transport.requeue(channel, 1)).as("after look %d", i).isEqualTo(1);
    }
  }

  @Test
  void theOldestAreMovedBack() throws Exception {
    String channel = testBroker.channel("BACK");
    List<String> bodies = reject(channel, 500);
    assertThat(transport.requeue(channel, 450)).isEqualTo(450);
    TestBroker.untilDepth(transport, new QueueStatus(channel, 450, 0, 50));
    GetResponse first = testBroker.plain().basicGet(TestBroker.queue(channel), false);
    assertThat(first.getProps().getHeaders())
        .containsOnlyKeys("executionHistoryId", "x-delivery-count");
    assertThat(first.getProps().getMessageId()).isEqualTo("id-0");
    testBroker.plain().basicNack(first.getEnvelope().getDeliveryTag(), false, true);
    RecordingReceiver recordingReceiver = RecordingReceiver.ofAll();
    transport.subscribe(channel, 1, recordingReceiver);
    assertThat(recordingReceiver.bodies(450))
        .containsExactlyInAnyOrderElementsOf(bodies.subList(0, 450));
    assertThat(transport.requeue(channel, 1_000)).isEqualTo(50);
    recordingReceiver.bodies(50);
    assertThat(transport.requeue(channel, 1_000)).isZero();
  }

  @Test
  void aLetterThatIsRejectedAgainIsMovedBackOnce() throws Exception {
    String channel = testBroker.channel("AGAIN");
    reject(channel, 20);
    transport.subscribe(channel, 5, message -> new DeliveryOutcome.Reject("again"));
    assertThat(transport.requeue(channel, 1_000)).isEqualTo(20);
    untilDead(channel, 20);
    assertThat(transport.deadLetters(channel, 100))
        .hasSize(20)
        .allMatch(letter -> letter.reason().equals("again"));
  }

  /**
   * Rejects messages and returns the bodies of the dead letters in their order, after the
   * subscription has ended.
   */
  private List<String> reject(String channel, int number) throws Exception {
    List<String> bodies = IntStream.range(0, number).mapToObj(i -> "" + i).toList();
    List<Outgoing> all = new ArrayList<>();
    bodies.forEach(body -> all.add(new Outgoing(channel, body, "id-" + body, "1")));
    assertThat(transport.publish(all)).containsOnlyNulls();
    try (Subscription subscription =
        transport.subscribe(channel, 1, message -> new DeliveryOutcome.Reject("no"))) {
      untilDead(channel, number);
      assertThat(subscription.isConnected()).isTrue();
    }
    return bodies;
  }

  @Test
  void askingForAChannelKeepsNoOtherFromItsQueue() {
    String channel = testBroker.channel("ASKED.FOR");
    String twin = channel.replace('.', '_');
    assertThat(transport.queueStatus(twin).deadLetters()).isZero();
    assertThat(transport.deadLetters(twin, 5)).isEmpty();
    assertThat(transport.requeue(twin, 5)).isZero();
    assertThat(transport.publish(List.of(new Outgoing(channel, "{}", "id", null))))
        .containsOnlyNulls();
  }

  @Test
  void aChannelThatWasNeverUsedIsEmpty() throws Exception {
    String channel = testBroker.channel("NEVER");
    TestBroker.untilDepth(transport, new QueueStatus(channel, 0, 0, 0));
    assertThat(transport.deadLetters(channel, 5)).isEmpty();
    assertThat(transport.requeue(channel, 5)).isZero();
  }
}
