package io.millrace.redis.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.lifecycle.EngineRuntime;
import io.millrace.redis.interop.RedisProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests with two servers and a sentinel, all of them real. */
@Timeout(300)
@Tag("brokers")
class SentinelTest {

  @TempDir Path folder;

  private RedisProcess sentinel(RedisProcess master) throws IOException {
    Path config = folder.resolve("sentinel.conf");
    Files.writeString(
        config,
        "sentinel monitor main 127.0.0.1 "
            + master.port()
            + " 1\n"
            + "sentinel down-after-milliseconds main 500\n"
            + "sentinel failover-timeout main 5000\n");
    return RedisProcess.sentinel(config);
  }

  private static Redis plain(RedisProcess redis) {
    return RedisConnections.open(
        RedisSettings.of(redis.uri()).timeout(Duration.ofSeconds(10)), EngineRuntime.system());
  }

  private static void awaitReply(Redis redis, String expected, String... command) {
    while (!String.valueOf(redis.call(command)).contains(expected)) {
      LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
    }
  }

  @Test
  void aNewMasterIsFound() throws Exception {
    try (RedisProcess first = RedisProcess.start();
        RedisProcess second = RedisProcess.start("--replicaof", "127.0.0.1 " + first.port());
        Redis one = plain(first)) {
      awaitReply(one, "state=online", "INFO", "replication");
      try (RedisProcess sentinel = sentinel(first);
          Redis redis =
              RedisConnections.open(
                  RedisSettings.of("redis://unused:1/2")
                      .timeout(Duration.ofSeconds(60))
                      .sentinel("main", "127.0.0.1:1", "127.0.0.1:" + sentinel.port()),
                  EngineRuntime.system());
          Redis.BlockingConnection blockingConnection = redis.blocking()) {
        assertThat(redis.call("SET", "k", "v")).isEqualTo("OK");
        one.call("SELECT", "2");
        assertThat(one.call("WAIT", "1", "10000")).isEqualTo(1L);
        awaitKnown(sentinel);

        first.kill();

        assertThat(insist(() -> redis.call("SET", "k", "w"))).isEqualTo("OK");
        assertThat(redis.call("RPUSH", "a", "x")).isEqualTo(1L);
        assertThat(blockingConnection.move("a", "b", Duration.ofSeconds(5))).isEqualTo("x");
        try (Redis two =
            RedisConnections.open(RedisSettings.of(second.uri() + "/2"), EngineRuntime.system())) {
          assertThat(two.call("GET", "k")).isEqualTo("w");
        }
      }
    }
  }

  /** Repeats a call that was lost because it was under way when the server was killed. */
  private static @Nullable Object insist(Supplier<@Nullable Object> call) {
    try {
      return call.get();
    } catch (RedisUnavailableException e) {
      return call.get();
    }
  }

  /** Waits until the sentinel knows the replica, which takes some time. */
  private static void awaitKnown(RedisProcess sentinel) throws Exception {
    RedisUri redisUri = RedisUri.of(sentinel.uri());
    try (RedisConnection redisConnection =
        RedisConnection.to(redisUri, RedisSettings.of(sentinel.uri()))) {
      while (!String.valueOf(
              redisConnection.exchange(List.of(List.of("SENTINEL", "replicas", "main"))))
          .contains("slave")) {
        LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
      }
    }
  }

  @Test
  void whatIsWrongWithTheSentinelsIsNamed() throws Exception {
    try (RedisProcess server = RedisProcess.start();
        RedisProcess sentinel = sentinel(server)) {
      String good = "127.0.0.1:" + sentinel.port();
      RedisSettings settings = RedisSettings.of("redis://h").timeout(Duration.ofMillis(100));
      assertFails(settings.sentinel("other", good), "master 'other'", good + " does not know it");
      assertFails(settings.sentinel("main", "127.0.0.1:1"), "127.0.0.1:1: Connection refused");
      assertFails(
          settings.sentinel("main", "127.0.0.1:" + server.port()), "does not answer as a sentinel");
      assertFails(RedisSettings.of(sentinel.uri()), "is a sentinel");
    }
  }

  private static void assertFails(RedisSettings settings, String... words) {
    try (Redis redis = RedisConnections.open(settings, EngineRuntime.system())) {
      assertThatThrownBy(() -> redis.call("GET", "k"))
          .isInstanceOf(RedisUnavailableException.class)
          .message()
          .contains(words);
    }
  }
}
