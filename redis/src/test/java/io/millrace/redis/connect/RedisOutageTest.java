package io.millrace.redis.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.redis.interop.RedisProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests of a server that is killed, restarted, stopped, full, flushed or replaced. */
@Timeout(300)
@Tag("brokers")
class RedisOutageTest {

  private static final String TEXT = "return redis.call('INCR', KEYS[1])";
  private static final String SHA = PipelinedRedisTest.sha(TEXT);

  private final RedisProcess server = RedisProcess.durable();

  /**
   * Every call checks the connection first, so that none fails only because the connection was
   * idle.
   */
  private final PipelinedRedis redis = open(Duration.ofSeconds(60), Duration.ZERO);

  private PipelinedRedis open(Duration timeout, Duration doubtful) {
    return new PipelinedRedis(
        server.settings(timeout), new Random(1), doubtful, RedisConnectionLoop.TIMER);
  }

  @AfterEach
  void close() {
    server.resume();
    redis.close();
    server.close();
  }

  private static <T> Future<T> inBackground(Callable<T> work) {
    FutureTask<T> future = new FutureTask<>(work);
    Thread.ofVirtual().start(future);
    return future;
  }

  @Test
  void aCallWaitsForAServerThatComesBack() throws Exception {
    redis.call("SET", "k", "v");
    server.kill();
    Future<Object> call = inBackground(() -> redis.call("GET", "k"));
    server.restart();

    assertThat(call.get(30, TimeUnit.SECONDS)).isEqualTo("v");
  }

  @Test
  void aRestartInAQuietTimeCostsNoCall() {
    redis.call("SET", "k", "v");
    server.restart();

    assertThat(redis.call("GET", "k")).isEqualTo("v");
  }

  @Test
  void aServerThatIsAwayIsNamedAfterTheTimeout() {
    server.kill();
    try (PipelinedRedis brief = open(Duration.ofMillis(200), Duration.ZERO);
        Redis.BlockingConnection blockingConnection = brief.blocking()) {
      assertThatThrownBy(() -> brief.call("GET", "k"))
          .isInstanceOf(RedisUnavailableException.class)
          .hasMessageContaining("127.0.0.1:" + server.port())
          .hasMessageContaining("refused");
      assertThatThrownBy(() -> blockingConnection.move("a", "b", Duration.ofSeconds(1)))
          .isInstanceOf(RedisUnavailableException.class)
          .hasMessageContaining("127.0.0.1:" + server.port());
    }
    server.restart();
  }

  /** Otherwise each of ten queries of a page would wait for the whole timeout. */
  @Test
  void whoComesAfterAWholeTimeoutInVainLearnsOfItWithTheNextTry() {
    server.kill();
    RedisSettings settings = RedisSettings.of(server.uri()).timeout(Duration.ofMillis(100));
    try (RedisConnectionLoop redisConnectionLoop =
        new RedisConnectionLoop(
            new RedisConnector(settings),
            new Random(1),
            Duration.ZERO,
            RedisConnectionLoop.TIMER)) {
      RedisRequest patient =
          new RedisRequest(
              List.of(List.of("PING")), System.nanoTime() + Duration.ofHours(1).toNanos());
      redisConnectionLoop.send(patient);

      assertThatThrownBy(patient::await)
          .isInstanceOf(RedisUnavailableException.class)
          .hasMessageContaining("refused");
    }
    server.restart();
  }

  @Test
  void aServerThatDoesNotAnswerIsGivenUpAndTakenUpAgain() {
    try (PipelinedRedis brief = open(Duration.ofMillis(200), Duration.ofHours(1))) {
      insist(() -> brief.call("SET", "k", "1"));
      server.pause();
      assertThatThrownBy(() -> brief.call("INCR", "k"))
          .isInstanceOf(RedisUnavailableException.class)
          .hasMessageContaining("unknown whether it executed the command")
          .hasMessageContaining("127.0.0.1:" + server.port());
      assertThatThrownBy(() -> brief.call("INCR", "k"))
          .isInstanceOf(RedisUnavailableException.class)
          .hasMessageContaining("127.0.0.1:" + server.port());
      server.resume();
    }
    assertThat(redis.call("GET", "k")).isIn("1", "2");
  }

  @Test
  void aSlowServerIsWaitedFor() {
    redis.call("CLIENT", "PAUSE", "300", "ALL");

    assertThat(redis.call("PING")).isEqualTo("PONG");
  }

  @Test
  void aWaitThatLosesItsServerFailsAndTheNextOneWorks() throws Exception {
    try (Redis.BlockingConnection blockingConnection = redis.blocking()) {
      Future<String> wait =
          inBackground(() -> blockingConnection.move("a", "b", Duration.ofMinutes(5)));
      awaitBlocked();
      server.restart();

      assertThatThrownBy(() -> wait.get(30, TimeUnit.SECONDS))
          .isInstanceOf(ExecutionException.class)
          .cause()
          .isInstanceOf(RedisUnavailableException.class)
          .hasMessageContaining("127.0.0.1:" + server.port());
      redis.call("RPUSH", "a", "x");
      assertThat(blockingConnection.move("a", "b", Duration.ofSeconds(5))).isEqualTo("x");
    }
  }

  @Test
  void anInterruptEndsAWaitAlsoWhenTheServerHangs() throws Exception {
    try (PipelinedRedis brief = open(Duration.ofMillis(200), Duration.ZERO);
        Redis.BlockingConnection blockingConnection = brief.blocking()) {
      Future<String> wait =
          inBackground(
              () -> insist(() -> blockingConnection.move("a", "b", Duration.ofMinutes(5))));
      awaitBlocked();
      server.pause();
      blockingConnection.interrupt();

      assertThat(wait.get(30, TimeUnit.SECONDS)).isNull();
    }
  }

  /**
   * Repeats a call, since a slow machine may need longer for a connection than a short limit
   * allows.
   */
  private static <T> @Nullable T insist(Supplier<@Nullable T> call) {
    while (true) {
      try {
        return call.get();
      } catch (RedisUnavailableException e) {
        Thread.onSpinWait(); // the test has a limit
      }
    }
  }

  private void awaitBlocked() {
    while (!String.valueOf(redis.call("CLIENT", "LIST")).contains("cmd=blmove")) {
      LockSupport.parkNanos(1_000_000);
    }
  }

  /** F13: each call gets its own reply or fails, and is executed at most once. */
  @Test
  void repliesAreNeverMixedUpWhileConnectionsBreak() throws Exception {
    int callers = 50;
    LongAdder answered = new LongAdder();
    LongAdder unknown = new LongAdder();
    AtomicInteger working = new AtomicInteger(callers);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < callers; i++) {
        String name = "caller" + i;
        all.add(
            threads.submit(() -> {
              call(name, answered, unknown);
              working.decrementAndGet();
            }));
      }
      try (PipelinedRedis killer = open(Duration.ofSeconds(60), Duration.ZERO)) {
        while (working.get() > 0) {
          killer.call("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
          LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
        }
      }
      for (Future<?> one : all) {
        one.get(60, TimeUnit.SECONDS);
      }
    }
    assertThat(unknown.sum()).isPositive();
    assertThat(Long.parseLong(String.valueOf(redis.call("GET", "n"))))
        .isBetween(answered.sum(), answered.sum() + unknown.sum());
  }

  private void call(String name, LongAdder answered, LongAdder unknown) {
    for (int i = 0; i < 300; i++) {
      String text = name + "-" + i;
      try {
        assertThat(redis.pipelined(List.of(List.of("ECHO", text), List.of("INCR", "n"))).getFirst())
            .isEqualTo(text);
        answered.increment();
      } catch (RedisUnavailableException e) {
        unknown.increment();
      }
    }
  }

  @Test
  void aFullServerSaysSoAndStillReads() {
    redis.call("SET", "k", "v");
    redis.call("CONFIG", "SET", "maxmemory", "1");

    assertThatThrownBy(
            () -> redis.transaction(List.of(List.of("DEL", "k"), List.of("RPUSH", "l", "x"))))
        .isInstanceOfSatisfying(
            RedisReplyException.class, e -> assertThat(e.code()).isEqualTo("OOM"))
        .hasMessageEndingWith("(DEL k)");
    assertThat(redis.call("GET", "k")).isEqualTo("v");

    redis.call("CONFIG", "SET", "maxmemory", "0");
    assertThat(redis.transaction(List.of(List.of("RPUSH", "l", "x")))).isEqualTo(List.of(1L));
  }

  @Test
  void anEmptyServerIsGivenTheScriptsAgain() {
    assertThat(redis.run("increment", SHA, () -> TEXT, List.of("k"), List.of())).isEqualTo(1L);
    redis.call("SCRIPT", "FLUSH");
    redis.call("FLUSHALL");
    assertThat(redis.run("increment", SHA, () -> TEXT, List.of("k"), List.of())).isEqualTo(1L);
    server.replace();
    assertThat(redis.run("increment", SHA, () -> TEXT, List.of("k"), List.of())).isEqualTo(1L);
  }

  @Test
  void aReplicaIsNoServerToWorkWith() {
    redis.call("SET", "k", "v");
    redis.call("REPLICAOF", "127.0.0.1", "1");

    assertThatThrownBy(() -> redis.call("SET", "k", "w"))
        .isInstanceOf(RedisUnavailableException.class)
        .hasMessageContaining("READONLY");

    redis.call("REPLICAOF", "NO", "ONE");
    assertThat(redis.call("SET", "k", "w")).isEqualTo("OK");
  }
}
