package io.millrace.redis.trigger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.continuous.PollResult;
import io.millrace.continuous.Trigger;
import io.millrace.continuous.TriggerContext;
import io.millrace.instance.InvalidRequestException;
import io.millrace.lifecycle.EngineClock;
import io.millrace.redis.connect.RedisSettings;
import io.millrace.redis.support.TestRedis;
import io.millrace.redis.wire.MillraceKeys;
import io.millrace.store.ContinuousStore.OfferedEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that elements of a list on a real Redis become events. */
class RedisTriggersTest {

  private TestRedis redis;
  private RedisTriggers triggers;
  private Trigger orders;
  private String list;
  private String shop;

  @BeforeEach
  void connect() {
    redis = new TestRedis();
    list = redis.name("orders");
    shop = redis.name("shop");
    triggers = RedisTriggers.open(TestRedis.settings());
    orders = triggers.list(list);
  }

  @AfterEach
  void disconnect() {
    triggers.close();
    redis.close();
  }

  private record Scope(String name) implements TriggerContext {
    @Override
    public Optional<String> position() {
      return Optional.empty();
    }

    @Override
    public Optional<Instant> enabledSince() {
      return Optional.empty();
    }

    @Override
    public EngineClock clock() {
      return EngineClock.system();
    }

    @Override
    public void wake() {}

    @Override
    public Optional<OfferedEvent> nextOfferedEvent() {
      return Optional.empty();
    }
  }

  private static PollResult.Event event(Trigger.Source source) throws Exception {
    return (PollResult.Event) source.poll();
  }

  private static String text(PollResult.Event event) {
    return ((RedisTriggers.Element) event.payload()).text();
  }

  private Object call(String... command) {
    return redis.redis().call(command);
  }

  @Test
  void elementsComeInTheirOrderAndAreGoneOnceAccepted() throws Exception {
    call("RPUSH", list, "A-1", "A-2");
    Trigger.Source source = orders.open(new Scope(shop));

    PollResult.Event first = event(source);
    first.accepted().run();
    PollResult.Event second = event(source);
    second.accepted().run();

    assertThat(text(first)).isEqualTo("A-1");
    assertThat(text(second)).isEqualTo("A-2");
    assertThat(second.id()).isNotEqualTo(first.id());
    assertThat(source.poll()).isEqualTo(PollResult.waitFor(Duration.ofSeconds(1)));
    assertThat(call("EXISTS", MillraceKeys.taken(shop))).isEqualTo(0L);
  }

  @Test
  void anElementThatWasNotAcceptedComesAgainWithItsId() throws Exception {
    call("RPUSH", list, "A-1", "A-2");
    PollResult.Event lost = event(orders.open(new Scope(shop)));

    PollResult.Event again = event(orders.open(new Scope(shop)));
    assertThat(again.id()).isEqualTo(lost.id());
    assertThat(again.payload()).isEqualTo(lost.payload());

    again.accepted().run();
    PollResult.Event second = event(orders.open(new Scope(shop)));
    lost.accepted().run(); // by a node that was away
    assertThat(event(orders.open(new Scope(shop)))).isNotNull();
    assertThat(text(second)).isEqualTo("A-2");
    assertThat(call("HGET", MillraceKeys.taken(shop), "element")).isEqualTo("A-2");
  }

  @Test
  void aServerThatLostItsMemoryMakesNewIds() throws Exception {
    call("RPUSH", list, "A-1");
    PollResult.Event before = event(orders.open(new Scope(shop)));
    call("DEL", list, MillraceKeys.taken(shop));
    call("RPUSH", list, "A-1");

    assertThat(event(orders.open(new Scope(shop))).id()).isNotEqualTo(before.id());
  }

  @Test
  void workflowsShareAList() throws Exception {
    call("RPUSH", list, "A-1", "A-2");
    assertThat(text(event(orders.open(new Scope(shop))))).isEqualTo("A-1");
    assertThat(text(event(orders.open(new Scope(redis.name("store")))))).isEqualTo("A-2");
  }

  @Test
  void whatIsTooLongIsPutAside() throws Exception {
    call("RPUSH", list, "x".repeat(RedisListSource.MAX_LENGTH + 1), "A-2");
    Trigger.Source source = orders.open(new Scope(shop));

    assertThat(source.poll()).isEqualTo(PollResult.waitFor(Duration.ZERO));
    assertThat(text(event(source))).isEqualTo("A-2");
    assertThat(call("LLEN", MillraceKeys.rejected(shop))).isEqualTo(1L);
  }

  /**
   * Half of a surrogate pair, a byte of no character, a character that is cut off, one in a longer
   * form than its own, and one within another.
   */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "\\237\\160\\189",
        "\\255",
        "a\\195",
        "\\224\\129\\129",
        "\\225\\128\\195\\169\\128"
      })
  void whatIsNotUtf8IsPutAside(String bytes) throws Exception {
    call("EVAL", "redis.call('RPUSH', KEYS[1], '" + bytes + "', 'A-2')", "1", list);
    Trigger.Source source = orders.open(new Scope(shop));

    assertThat(source.poll()).isEqualTo(PollResult.waitFor(Duration.ZERO));
    assertThat(text(event(source))).isEqualTo("A-2");
    assertThat(call("LLEN", MillraceKeys.rejected(shop))).isEqualTo(1L);
  }

  @Test
  void textOfAllScriptsIsAnElement() throws Exception {
    String text = "a\u0000b\u007fé߿\u0800中\ud7ff\ue000\uffff\ud800\udc00😀\udbff\udfff";
    call("RPUSH", list, text);

    assertThat(text(event(orders.open(new Scope(shop))))).isEqualTo(text);
  }

  @Test
  void aKeyThatIsNoListIsAFailureOfTheTrigger() {
    call("SET", list, "A-1");
    assertThatThrownBy(() -> orders.open(new Scope(shop)).poll()).hasMessageContaining("WRONGTYPE");
  }

  @Test
  void thePageShowsHowToListen() throws Exception {
    String uri = TestRedis.uri();
    // docs:list
    try (RedisTriggers redis = RedisTriggers.open(RedisSettings.of(uri))) {
      Trigger orders = redis.list("shop:orders");
      // docs:end
      assertThat(orders.describe()).isEqualTo("elements of the Redis list shop:orders");
    }
  }

  @Test
  void impossibleListsAreRefused() {
    assertThatThrownBy(() -> triggers.list(" "))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("expected its name");
    assertThatThrownBy(() -> triggers.list(list, Duration.ZERO))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("PT0S");
  }
}
