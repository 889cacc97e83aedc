package io.millrace.redis.interop;

import static io.millrace.redis.interop.InteropFixture.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.redis.FlowClient;
import io.millrace.redis.Patience;
import io.millrace.redis.RedisFlows;
import io.millrace.redis.connect.Redis;
import io.millrace.redis.connect.RedisReplyException;
import io.millrace.redis.flow.Flow;
import io.millrace.redis.flow.JobResult;
import io.millrace.redis.flow.NewJob;
import io.millrace.redis.flow.Queue;
import io.millrace.retry.RetryPolicy;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * F16: tests of values of any type under the keys of a flow. Nothing is lost, and no worker loops
 * without pause.
 */
@Tag("brokers")
class PoisonedKeysTest {

  /** Commands that create a value of each type under a key. */
  private static final Map<String, List<String>> TYPES =
      Map.of(
          "string", List.of("SET", "poison"),
          "list", List.of("RPUSH", "poison"),
          "set", List.of("SADD", "poison"),
          "zset", List.of("ZADD", "1", "poison"),
          "hash", List.of("HSET", "poison", "1"),
          "stream", List.of("XADD", "*", "poison", "1"));

  private static RedisProcess server;
  private RedisFlows flows;
  private Redis redis;
  private final AtomicInteger handled = new AtomicInteger();
  private final Flow trip =
      Flow.of("trip", Queue.of("pack").fields("n").next("go"), Queue.of("go").fields("n"))
          .lookup("user");
  private FlowClient client;

  @BeforeAll
  static void startServer() {
    server = RedisProcess.start();
  }

  @AfterAll
  static void stopServer() {
    server.close();
  }

  @BeforeEach
  void connect() {
    flows = RedisFlows.connect(server.settings());
    redis = flows.redis();
    redis.call("FLUSHALL");
    client = flows.register(trip);
    client.worker(
        "pack",
        job -> {
          handled.incrementAndGet();
          return JobResult.of("packed", 1);
        });
    client.worker("go", job -> JobResult.completed().done());
  }

  @AfterEach
  void disconnect() {
    flows.stop(Duration.ofSeconds(1));
  }

  static Stream<Arguments> lists() {
    return Stream.of("queue:pack:waiting", "queue:pack:processing", "queue:go:waiting")
        .flatMap(key -> others("list").map(type -> Arguments.of(key, type)));
  }

  static Stream<String> noHashes() {
    return others("hash");
  }

  static Stream<String> types() {
    return TYPES.keySet().stream().sorted();
  }

  private static Stream<String> others(String type) {
    return types().filter(other -> !other.equals(type));
  }

  private void poison(String key, String type) {
    List<String> shape = TYPES.get(type);
    String[] command =
        Stream.concat(Stream.of(shape.getFirst(), key), shape.subList(1, shape.size()).stream())
            .toArray(String[]::new);
    redis.call(command);
  }

  /** While the value exists no worker can work; once it is removed every job is done. */
  @ParameterizedTest
  @MethodSource("lists")
  void aListOfTheWrongTypeStopsItsQueueAndLosesNothing(String key, String type) throws Exception {
    List<String> ids =
        client.createAll(List.of(NewJob.of(Map.of("n", 1)), NewJob.of(Map.of("n", 2))));
    redis.call("RENAME", "queue:pack:waiting", "aside");
    redis.call("DEL", key);
    poison(key, type);
    if (!key.equals("queue:pack:waiting")) {
      redis.call("RENAME", "aside", "queue:pack:waiting");
    }

    flows.start();
    long before = commands();
    Counted log = logDuring(() -> until("some tries", () -> commands() > before + 10));
    redis.call("DEL", key);
    if (key.equals("queue:pack:waiting")) {
      redis.call("RENAME", "aside", key);
    }

    assertThat(log.lines()).as(log.text()).isLessThan(12);
    for (String id : ids) {
      assertThat(client.await(id, Patience.LIMIT)).as("job %s ends", id).isTrue();
      assertThat(client.get(id).fields().get("done").asBoolean()).isTrue();
    }
    assertThat(handled).as("nothing is done twice").hasValue(2);
  }

  @Test
  void workersDoNotRunHot() {
    client.workers("pack", 20, job -> JobResult.completed());
    poison("queue:pack:waiting", "string");

    Counted log =
        logDuring(() -> {
          flows.start();
          long begin = System.nanoTime();
          long before = commands();
          until("time has passed", () -> System.nanoTime() - begin > 2_000_000_000L);
          double seconds = (System.nanoTime() - begin) / 1e9;
          assertThat((commands() - before) / seconds)
              .as("commands of 21 workers in a second")
              .isLessThan(400);
        });

    assertThat(log.lines()).as(log.text()).isLessThan(10);
    assertThat(log.text()).contains("pack").contains("WRONGTYPE");
  }

  @ParameterizedTest
  @MethodSource("noHashes")
  void aJobThatIsNoHashIsDroppedAndTheNextOneServed(String type) throws Exception {
    String bad = client.create(Map.of("n", 1));
    String good = client.create(Map.of("n", 2));
    redis.call("DEL", "job:trip:" + bad);
    poison("job:trip:" + bad, type);

    Counted log =
        logDuring(() -> {
          flows.start();
          awaitEnd(good);
        });

    assertThat(handled).hasValue(1);
    assertThat(log.text()).contains(bad);
    assertThat(redis.call("LLEN", "queue:pack:processing")).isEqualTo(0L);
    assertThat(redis.call("TYPE", "job:trip:" + bad)).isEqualTo(type);
  }

  @ParameterizedTest
  @MethodSource("types")
  void aLockOfAnyTypeIsOverwritten(String type) throws Exception {
    String id = client.create(Map.of("n", 1));
    poison("lock:pack:" + id, type);

    flows.start();

    awaitEnd(id);
    assertThat(redis.call("EXISTS", "lock:pack:" + id)).isEqualTo(0L);
  }

  @ParameterizedTest
  @MethodSource("noHashes")
  void whatMillraceKeepsOfAJobMayBeAnything(String type) throws Exception {
    String id = client.create(Map.of("n", 1));
    poison("millrace:job:trip:" + id, type);

    flows.start();

    awaitEnd(id);
  }

  @ParameterizedTest
  @MethodSource("noHashes")
  void aJobIsTriedAgainWhateverMillraceKeepsOfIt(String type) throws Exception {
    Queue queue =
        Queue.of("again")
            .policy(
                Queue.of("x")
                    .policy()
                    .retry(RetryPolicy.fixed(Duration.ofMillis(1)).maxAttempts(3)));
    FlowClient again = flows.register(Flow.of("again", queue));
    AtomicInteger tries = new AtomicInteger();
    again.worker(
        "again",
        job -> {
          if (tries.incrementAndGet() == 1) {
            poison("millrace:job:again:" + job.id(), type);
            throw new IllegalStateException("not yet");
          }
          return JobResult.completed().done();
        });
    String id = again.create(Map.of("n", 1));

    flows.start();

    assertThat(again.await(id, Patience.LIMIT)).isTrue();
    assertThat(again.get(id).fields().get("done").asBoolean()).isTrue();
  }

  @ParameterizedTest
  @MethodSource("lookups")
  void aLookupListOfTheWrongTypeIsNamed(String type) {
    poison("job:trip:user:Zoë", type);

    assertThatThrownBy(() -> client.findBy("user", "Zoë", false))
        .isInstanceOf(RedisReplyException.class)
        .hasMessageContaining("WRONGTYPE");
  }

  static Stream<String> lookups() {
    return others("list");
  }

  private void awaitEnd(String id) {
    try {
      assertThat(client.await(id, Patience.LIMIT)).as("job %s ends", id).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private long commands() {
    String stats = (String) redis.call("INFO", "stats");
    return stats
        .lines()
        .filter(line -> line.startsWith("total_commands_processed:"))
        .mapToLong(line -> Long.parseLong(line.substring(line.indexOf(':') + 1).trim()))
        .findFirst()
        .orElseThrow();
  }

  record Counted(String text) {
    long lines() {
      return text.lines().count();
    }
  }

  /** Counts the warnings and errors logged by some work. */
  private static Counted logDuring(Runnable work) {
    PrintStream before = System.err;
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
    try {
      work.run();
    } finally {
      System.setErr(before);
    }
    return new Counted(log.toString(StandardCharsets.UTF_8));
  }
}
