package io.millrace.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import io.millrace.continuous.PollResult;
import io.millrace.continuous.Trigger;
import io.millrace.continuous.TriggerContext;
import io.millrace.instance.InvalidRequestException;
import io.millrace.lifecycle.EngineClock;
import io.millrace.sequence.ChannelTransport.QueueStatus;
import io.millrace.store.ContinuousStore.OfferedEvent;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests that messages of a real broker become events. */
class RabbitTriggersTest {

  private TestBroker testBroker;
  private RabbitTriggers triggers;

  @BeforeEach
  void connect() throws Exception {
    testBroker = new TestBroker();
    triggers = RabbitTriggers.open(testBroker.settings().deliveryLimit(2));
  }

  @AfterEach
  void disconnect() throws Exception {
    triggers.close();
    testBroker.close();
  }

  /** A context that waits for wakes, as the engine does. */
  private static final class Scope implements TriggerContext {
    private final Semaphore wakes = new Semaphore(0);

    PollResult.Event next(Trigger.Source source) throws Exception {
      PollResult pollResult = source.poll();
      while (!(pollResult instanceof PollResult.Event)) {
        assertThat(wakes.tryAcquire(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS))
            .as("is woken")
            .isTrue();
        pollResult = source.poll();
      }
      return (PollResult.Event) pollResult;
    }

    String take(Trigger.Source source) throws Exception {
      PollResult.Event event = next(source);
      event.accepted().run();
      return ((RabbitTriggers.Message) event.payload()).body();
    }

    @Override
    public Optional<Instant> enabledSince() {
      return Optional.empty();
    }

    @Override
    public String name() {
      return "mine";
    }

    @Override
    public Optional<String> position() {
      return Optional.empty();
    }

    @Override
    public EngineClock clock() {
      return EngineClock.system();
    }

    @Override
    public void wake() {
      wakes.release();
    }

    @Override
    public Optional<OfferedEvent> nextOfferedEvent() {
      return Optional.empty();
    }
  }

  private final Scope scope = new Scope();

  /** Creates the queue by listening to it for a moment. */
  private void declare(String queue) throws Exception {
    Trigger.Source source = triggers.queue(queue).open(new Scope());
    TestBroker.until("the queue is there", () -> consumers(queue) == 1);
    source.close();
  }

  private long consumers(String queue) throws Exception {
    try (Channel own = testBroker.another()) {
      return own.consumerCount(TestBroker.queue(queue));
    } catch (IOException | AlreadyClosedException e) {
      return 0;
    }
  }

  private void send(String queue, String body, @Nullable String id) throws Exception {
    testBroker
        .plain()
        .basicPublish(
            testBroker.settings().exchange(),
            queue,
            new BasicProperties.Builder().messageId(id).contentType("text/plain").build(),
            body.getBytes(StandardCharsets.UTF_8));
  }

  private void untilDepth(String queue, long ready, long dead) throws Exception {
    RabbitTransport transport = testBroker.open(testBroker.settings().deliveryLimit(2));
    TestBroker.until(
        ready + " ready and " + dead + " dead",
        () -> {
          QueueStatus queueStatus = transport.queueStatus(queue);
          return queueStatus.ready() == ready && queueStatus.deadLetters() == dead;
        });
  }

  @Test
  void messagesComeOneByOneAndThoseNotAskedForStayInTheQueue() throws Exception {
    String queue = testBroker.channel("ORDERS");
    declare(queue);
    send(queue, "one", "1");
    send(queue, "two", "2");
    Trigger.Source source = triggers.queue(queue).open(scope);
    PollResult.Event first = scope.next(source);
    assertThat(first.payload()).isEqualTo(new RabbitTriggers.Message("1", "one", "text/plain", 0));
    assertThat(first.id()).isEqualTo("1");
    assertThat(first.position()).isNull();
    first.accepted().run(); // the execution of the first message starts
    untilDepth(queue, 1, 0);
    assertThat(scope.take(source)).isEqualTo("two");
    send(queue, "three", null);
    assertThat(scope.take(source)).isEqualTo("three");
    source.close();
    untilDepth(queue, 0, 0);
  }

  @Test
  void oneThatIsNotAcceptedComesAgainWithTheSameId() throws Exception {
    String queue = testBroker.channel("AGAIN");
    declare(queue);
    send(queue, "one", "a".repeat(200));
    Trigger.Source first = triggers.queue(queue).open(scope);
    PollResult.Event lost = scope.next(first);
    assertThat(scope.next(first).id()).isEqualTo(lost.id()).hasSize(64);
    first.close();
    Scope other = new Scope();
    Trigger.Source second = triggers.queue(queue).open(other);
    PollResult.Event again = other.next(second);
    assertThat(again.id()).isEqualTo(lost.id());
    assertThat(deliveries(again)).isEqualTo(1);
  }

  private static long deliveries(PollResult.Event event) {
    return ((RabbitTriggers.Message) event.payload()).deliveries();
  }

  @Test
  void equalMessagesWithoutAnIdAreTwo() throws Exception {
    String queue = testBroker.channel("EQUAL");
    declare(queue);
    send(queue, "same", null);
    send(queue, "same", null);
    Trigger.Source source = triggers.queue(queue).open(scope);
    PollResult.Event first = scope.next(source);
    assertThat(scope.next(source).id()).isEqualTo(first.id());
    first.accepted().run();
    assertThat(scope.next(source).id()).isNotEqualTo(first.id());
  }

  @Test
  void oneThatNobodyCanTakeIsADeadLetter() throws Exception {
    String queue = testBroker.channel("POISON");
    declare(queue);
    send(queue, "deadly", "3");
    send(queue, "good", "4");
    Trigger.Source source = triggers.queue(queue).open(scope);
    int ends = 0;
    while ("3".equals(scope.next(source).id())) { // each node that receives it ends
      source.close();
      ends++;
      source = triggers.queue(queue).open(scope);
    }
    assertThat(ends).isEqualTo(3);
    assertThat(scope.take(source)).isEqualTo("good");
    source.close();
    untilDepth(queue, 0, 1);
  }

  @Test
  void oneThatIsTooLongOrNoTextIsADeadLetter() throws Exception {
    String queue = testBroker.channel("LONG");
    Trigger.Source source = triggers.queue(queue).open(scope);
    TestBroker.until("listens", () -> consumers(queue) == 1);
    send(queue, "x".repeat(70_000), "1");
    testBroker
        .plain()
        .basicPublish(testBroker.settings().exchange(), queue, null, new byte[] {(byte) 0xff});
    byte[] half = {(byte) 0xed, (byte) 0xa0, (byte) 0xbd};
    testBroker.plain().basicPublish(testBroker.settings().exchange(), queue, null, half);
    send(queue, "good", "2");
    assertThat(scope.take(source)).isEqualTo("good");
    untilDepth(queue, 0, 3);
  }

  /** The id becomes part of an external id. */
  @Test
  void anIdThatCannotBeStoredIsReplacedByItsHash() throws Exception {
    String queue = testBroker.channel("NUL");
    Trigger.Source source = triggers.queue(queue).open(scope);
    TestBroker.until("listens", () -> consumers(queue) == 1);
    send(queue, "one", "a\0b");
    PollResult.Event event = scope.next(source);
    assertThat(event.id()).matches("[0-9a-f]{64}");
    event.accepted().run();
    untilDepth(queue, 0, 0);
  }

  @Test
  void asThePageTells() throws Exception {
    String uri = TestBroker.uri();
    // docs:queue
    try (RabbitTriggers broker = RabbitTriggers.open(RabbitSettings.of(uri).deliveryLimit(5))) {
      Trigger orders = broker.queue("SHOP.ORDERS");
      // docs:end
      assertThat(orders.describe()).isEqualTo("messages of the queue SHOP_ORDERS");
    }
  }

  @Test
  void aLostConnectionIsRestored() throws Exception {
    String queue = testBroker.channel("LOST");
    try (BrokerProxy brokerProxy = new BrokerProxy();
        RabbitTriggers far =
            RabbitTriggers.open(
                RabbitSettings.of(brokerProxy.uri())
                    .exchange(testBroker.settings().exchange())
                    .confirmLimit(Patience.LIMIT)
                    .deliveryLimit(2))) {
      Trigger.Source source = far.queue(queue).open(scope);
      TestBroker.until("listens", () -> consumers(queue) == 1);
      send(queue, "one", "1");
      PollResult.Event held = scope.next(source);
      brokerProxy.cut();
      TestBroker.until("it comes again", () -> deliveries(scope.next(source)) > 0);
      assertThat(scope.next(source).id()).isEqualTo(held.id());
      held.accepted().run(); // too late for the old connection, and harmless
      assertThat(scope.take(source)).isEqualTo("one");
    }
  }

  @Test
  void aDeletedQueueIsMadeAgain() throws Exception {
    String queue = testBroker.channel("DELETED");
    Trigger.Source source = triggers.queue(queue).open(scope);
    TestBroker.until("listens", () -> consumers(queue) == 1);
    testBroker.plain().queueDelete(TestBroker.queue(queue));
    TestBroker.until("listens again", () -> consumers(queue) == 1);
    send(queue, "one", "1");
    assertThat(scope.take(source)).isEqualTo("one");
  }

  @Test
  void whatCannotBeIsRefused() {
    assertThatThrownBy(() -> triggers.queue("a b"))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("'a b' cannot be a routing key");
    Trigger trigger = triggers.queue("SOME.QUEUE");
    assertThat(trigger.describe()).isEqualTo("messages of the queue SOME_QUEUE");
    triggers.close();
    assertThatThrownBy(() -> trigger.open(scope))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("its connection is closed");
  }
}
