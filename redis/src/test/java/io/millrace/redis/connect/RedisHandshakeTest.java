package io.millrace.redis.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.lifecycle.EngineRuntime;
import io.millrace.redis.interop.RedisProcess;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests of the handshake with servers of current and old versions. */
@Timeout(300)
@Tag("brokers")
class RedisHandshakeTest {

  private static Redis open(String uri) {
    return RedisConnections.open(
        RedisSettings.of(uri).timeout(Duration.ofSeconds(20)), EngineRuntime.system());
  }

  private static String withLogin(RedisProcess redis, String login) {
    return redis.uri().replace("redis://", "redis://" + login + "@");
  }

  private static void assertRefused(String uri, String... words) {
    long begin = System.nanoTime();
    try (Redis redis = open(uri)) {
      for (int i = 0; i < 2; i++) { // before and during the pause until the next attempt
        assertThatThrownBy(() -> redis.call("GET", "k"))
            .isInstanceOf(RedisUnavailableException.class)
            .message()
            .contains(words)
            .contains("127.0.0.1:")
            .doesNotContain("secret");
      }
      try (Redis.BlockingConnection blockingConnection = redis.blocking()) {
        assertThatThrownBy(() -> blockingConnection.move("a", "b", Duration.ofSeconds(1)))
            .isInstanceOf(RedisUnavailableException.class)
            .message()
            .contains(words);
      }
    }
    assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(15));
  }

  private static String hello(String server, String version, String mode) {
    StringBuilder text = new StringBuilder("*8");
    for (String part :
        List.of("server", server, "version", version, "mode", mode, "role", "master")) {
      text.append("\r\n$").append(part.length()).append("\r\n").append(part);
    }
    return text.toString();
  }

  private static String answer(Map<String, String> answers, List<String> command) {
    return answers.getOrDefault(command.getFirst(), "");
  }

  @Test
  void aRedisThatIsTooOldIsRefusedByItsVersion() throws Exception {
    try (FakeRedis six =
            new FakeRedis(c -> answer(Map.of("HELLO", hello("redis", "6.0.16", "standalone")), c));
        FakeRedis five =
            new FakeRedis(c -> answer(Map.of("HELLO", "-ERR unknown command `HELLO`"), c))) {
      assertRefused(six.uri(), "version 6.0.16", "needs Redis 6.2 or newer, or Valkey");
      assertRefused(five.uri(), "older than 6.0", "needs Redis 6.2 or newer, or Valkey");
    }
  }

  @Test
  void valkeyIsTakenAndSoIsAServerThatTellsNothing() throws Exception {
    try (FakeRedis valkey =
            new FakeRedis(c ->
                answer(
                    Map.of("HELLO", hello("valkey", "1.0.0", "standalone"), "GET", "$2\r\nhi"),
                    c));
        FakeRedis shy =
            new FakeRedis(c ->
                answer(
                    Map.of("HELLO", "-NOPERM no", "CLIENT", "-NOPERM no", "GET", "$2\r\nhi"), c));
        Redis one = open(valkey.uri());
        Redis two = open(shy.uri())) {
      assertThat(one.call("GET", "k")).isEqualTo("hi");
      assertThat(two.call("GET", "k")).isEqualTo("hi");
    }
  }

  @Test
  void aServerThatLoadsItsDataIsWaitedFor() throws Exception {
    AtomicInteger pings = new AtomicInteger();
    try (FakeRedis loading =
            new FakeRedis(c ->
                c.getFirst().equals("PING") && pings.incrementAndGet() < 3
                    ? "-LOADING Redis is loading the dataset in memory"
                    : answer(
                        Map.of("HELLO", hello("redis", "7.0.15", "standalone"), "GET", "$2\r\nhi"),
                        c));
        Redis redis = open(loading.uri())) {
      assertThat(redis.call("GET", "k")).isEqualTo("hi");
      assertThat(pings).hasValue(3);
    }
  }

  @Test
  void aNodeOfAClusterIsRefused() {
    try (RedisProcess redis = RedisProcess.start("--cluster-enabled", "yes")) {
      assertRefused(redis.uri(), "cluster", "different slots");
    }
  }

  @Test
  void aWrongLoginIsNamedAtOnce() {
    try (RedisProcess redis = RedisProcess.start()) {
      try (Redis before = open(redis.uri())) {
        before.call("ACL", "SETUSER", "jo", "on", ">secret1", "~*", "&*", "+@all");
        before.call("CONFIG", "SET", "requirepass", "secret2");
      }
      assertRefused(redis.uri(), "wants a password", "redis://user:password@host");
      assertRefused(withLogin(redis, ":secret"), "refuses the login", "WRONGPASS");
      assertRefused(withLogin(redis, "jo:secret"), "refuses the login of user jo", "WRONGPASS");
      try (Redis jo = open(withLogin(redis, "jo:secret1"));
          Redis usual = open(withLogin(redis, ":secret2"))) {
        assertThat(jo.call("ACL", "WHOAMI")).isEqualTo("jo");
        assertThat(usual.call("ACL", "WHOAMI")).isEqualTo("default");
      }
    }
  }

  @Test
  void aDatabaseThatThereIsNotIsNamed() {
    try (RedisProcess redis = RedisProcess.start()) {
      assertRefused(redis.uri() + "/99", "no database 99", "out of range");
    }
  }

  /** The permissions that a worker needs, and no others; CLIENT UNBLOCK is not among them. */
  @Test
  void aUserWithFewRightsCanWork() {
    try (RedisProcess redis = RedisProcess.start()) {
      try (Redis before = open(redis.uri())) {
        before.call(
            "ACL",
            "SETUSER",
            "jo",
            "on",
            ">secret",
            "~queue:*",
            "~job:*",
            "-@all",
            "+@hash",
            "+@list",
            "+@keyspace",
            "-@dangerous",
            "+multi",
            "+exec",
            "+ping",
            "+select");
      }
      try (Redis jo = open(withLogin(redis, "jo:secret"));
          Redis.BlockingConnection blockingConnection = jo.blocking()) {
        jo.transaction(
            List.of(
                List.of("HSET", "job:f:1", "n", "1"), List.of("RPUSH", "queue:q:waiting", "1")));
        assertThat(
                blockingConnection.move(
                    "queue:q:waiting", "queue:q:processing", Duration.ofSeconds(5)))
            .isEqualTo("1");
        assertThatThrownBy(() -> jo.call("GET", "other"))
            .isInstanceOf(RedisReplyException.class)
            .hasMessageStartingWith("NOPERM");
      }
    }
  }

  @Test
  void whyAServerHangsUpIsTold() {
    try (RedisProcess redis = RedisProcess.start();
        Redis first = open(redis.uri());
        Redis second =
            RedisConnections.open(
                RedisSettings.of(redis.uri()).timeout(Duration.ofMillis(100)),
                EngineRuntime.system())) {
      first.call("CONFIG", "SET", "maxclients", "1");

      assertThatThrownBy(() -> second.call("PING"))
          .isInstanceOf(RedisUnavailableException.class)
          .hasMessageContaining("max number of clients reached");
    }
  }

  @Test
  void aContextForTlsThatCannotBeUsedIsToldAndHoldsNobodyUp() throws Exception {
    try (RedisProcess redis = RedisProcess.start();
        Redis broken =
            RedisConnections.open(
                RedisSettings.of(redis.uri().replace("redis://", "rediss://"))
                    .timeout(Duration.ofMillis(100))
                    .tls(SSLContext.getInstance("TLS")),
                EngineRuntime.system())) {
      assertThatThrownBy(() -> broken.call("PING"))
          .isInstanceOf(RedisUnavailableException.class)
          .hasMessageContaining("not initialized");
    }
  }

  @Test
  void aWaitThatIsClosedWhileItConnectsLeavesNoConnection() throws Exception {
    CountDownLatch greeted = new CountDownLatch(1);
    CountDownLatch closed = new CountDownLatch(1);
    try (FakeRedis slow =
        new FakeRedis(command -> {
          if (command.getFirst().equals("PING")) {
            greeted.countDown();
            await(closed);
          }
          return answer(Map.of("HELLO", hello("redis", "7.0.15", "standalone")), command);
        })) {
      Redis redis = open(slow.uri());
      Redis.BlockingConnection blockingConnection = redis.blocking();
      FutureTask<String> move =
          new FutureTask<>(() -> blockingConnection.move("a", "b", Duration.ofHours(1)));
      Thread.ofVirtual().start(move);
      await(greeted);

      redis.close();
      closed.countDown();

      assertThatThrownBy(move::get).hasMessageContaining("was closed");
      while (slow.open() > 0) {
        Thread.onSpinWait(); // the test has a limit
      }
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void theConnectionHasAName() {
    try (RedisProcess redis = RedisProcess.start();
        Redis open =
            RedisConnections.open(
                RedisSettings.of(redis.uri()).clientName("shop-1"), EngineRuntime.system())) {
      assertThat(open.call("CLIENT", "GETNAME")).isEqualTo("shop-1");
    }
  }
}
