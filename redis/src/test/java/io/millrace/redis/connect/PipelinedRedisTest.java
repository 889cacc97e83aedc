package io.millrace.redis.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.millrace.redis.Patience;
import io.millrace.redis.support.ServerConditions;
import io.millrace.redis.support.TestRedis;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PipelinedRedisTest {

  private final TestRedis test = new TestRedis();
  private final String client = test.name("client");
  private final Redis redis = open();

  private Redis open() {
    return RedisConnections.open(
        TestRedis.settings().clientName(client), io.millrace.lifecycle.EngineRuntime.system());
  }

  @AfterEach
  void close() {
    redis.close();
    test.close();
  }

  @Test
  void repliesAreNullNumbersTextAndLists() {
    String key = test.name("k");

    assertThat(redis.call("GET", key)).isNull();
    assertThat(redis.call("SET", key, "ü \u0000 \r\n \uD83D\uDE00")).isEqualTo("OK");
    assertThat(redis.call("GET", key)).isEqualTo("ü \u0000 \r\n \uD83D\uDE00");
    assertThat(redis.call("STRLEN", key)).isEqualTo(12L);
    assertThat(redis.call("MGET", key, test.name("none")))
        .isEqualTo(java.util.Arrays.asList("ü \u0000 \r\n \uD83D\uDE00", null));
    assertThat(redis.call("SET", key, "")).isEqualTo("OK");
    assertThat(redis.call("GET", key)).isEqualTo("");
  }

  @Test
  void anErrorNamesTheReasonAndHarmsNoNeighbour() throws Exception {
    String list = test.name("list");
    redis.call("RPUSH", list, "a");
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Boolean>> answers = new ArrayList<>();
      for (int i = 0; i < 400; i++) {
        String key = test.name("n" + i);
        boolean wrong = i % 2 == 0;
        answers.add(threads.submit(() -> wrong ? isWrongType(list) : isKept(key)));
      }
      for (Future<Boolean> answer : answers) {
        assertThat(answer.get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
      }
    }
    assertThatThrownBy(() -> redis.call("NOSUCH"))
        .isInstanceOf(RedisReplyException.class)
        .hasMessageContaining("unknown command");
  }

  private boolean isKept(String key) {
    redis.call("SET", key, key);
    return key.equals(redis.call("GET", key));
  }

  private boolean isWrongType(String list) {
    return catchThrowableOfType(RedisReplyException.class, () -> redis.call("GET", list))
        .code()
        .equals("WRONGTYPE");
  }

  @Test
  void pipelinedCommandsAnswerInOrder() {
    String key = test.name("n");
    List<List<String>> commands = new ArrayList<>();
    List<Object> expected = new ArrayList<>();
    for (long i = 1; i <= 5_000; i++) {
      commands.add(List.of("INCR", key));
      expected.add(i);
    }

    assertThat(redis.pipelined(commands)).isEqualTo(expected);
    assertThat(redis.pipelined(List.of())).isEmpty();
  }

  @Test
  void longTextsOfManyCallersPass() throws Exception {
    String text = "\u00fc".repeat(500_000);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Object>> answers = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        int number = i;
        answers.add(threads.submit(() -> redis.call("ECHO", text + number)));
      }
      for (int i = 0; i < 20; i++) {
        assertThat(answers.get(i).get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS))
            .isEqualTo(text + i);
      }
    }
  }

  @Test
  void transactionsAreNotMixedWithOtherCalls() throws Exception {
    String key = test.name("n");
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<List<Object>>> answers = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        answers.add(
            threads.submit(
                () -> redis.transaction(List.of(List.of("INCR", key), List.of("INCR", key)))));
        threads.execute(() -> redis.call("GET", key));
      }
      for (Future<List<Object>> answer : answers) {
        List<Object> pair = answer.get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS);
        assertThat(pair).hasSize(2);
        assertThat((long) pair.get(1)).isEqualTo((long) pair.get(0) + 1);
      }
    }
  }

  @Test
  void aTransactionWithAnUnknownCommandDoesNothing() {
    String key = test.name("n");

    assertThatThrownBy(() -> redis.transaction(List.of(List.of("INCR", key), List.of("NOSUCH"))))
        .isInstanceOf(RedisReplyException.class)
        .hasMessageContaining("unknown command");

    assertThat(redis.call("GET", key)).isNull();
  }

  @Test
  void aScriptIsSentOnlyWhenTheServerDoesNotKnowIt() {
    String key = test.name("n");
    String text = "-- " + key + "\nreturn {redis.call('INCR', KEYS[1]), ARGV[1], false}";
    String sha = sha(text);
    PipelinedRedis piped = (PipelinedRedis) redis;

    assertThat(redis.call("SCRIPT", "EXISTS", sha)).isEqualTo(List.of(0L));
    assertThat(piped.run("increment", sha, () -> text, List.of(key), List.of("x")))
        .isEqualTo(java.util.Arrays.asList(1L, "x", null));
    assertThat(redis.call("SCRIPT", "EXISTS", sha)).isEqualTo(List.of(1L));
    assertThat(piped.run("increment", sha, () -> "not needed any more", List.of(key), List.of("y")))
        .isEqualTo(java.util.Arrays.asList(2L, "y", null));
  }

  static String sha(String text) {
    try {
      return java.util.HexFormat.of()
          .formatHex(
              java.security.MessageDigest.getInstance("SHA-1")
                  .digest(text.getBytes(java.nio.charset.StandardCharsets.UTF_8)));
    } catch (java.security.NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void anInterruptedCallerGetsItsReplyAndKeepsTheInterrupt() {
    Thread.currentThread().interrupt();

    assertThat(redis.call("ECHO", "a")).isEqualTo("a");
    assertThat(Thread.interrupted()).isTrue();
    assertThat(redis.call("ECHO", "b")).isEqualTo("b");
  }

  @Test
  void aMoveWaitsForAnEntry() throws Exception {
    String from = test.name("from");
    String to = test.name("to");
    try (Redis.BlockingConnection blockingConnection = redis.blocking()) {
      assertThat(blockingConnection.move(from, to, Duration.ofMillis(20))).isNull();
      Future<String> moved =
          inBackground(() -> blockingConnection.move(from, to, Duration.ofHours(1)));
      ServerConditions.until(this::isBlocked);
      redis.call("RPUSH", from, "a", "b");

      assertThat(moved.get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS)).isEqualTo("a");
      assertThat(redis.call("LRANGE", to, "0", "-1")).isEqualTo(List.of("a"));
    }
  }

  @Test
  void aMoveOnAKeyOfAnotherTypeIsAnErrorAndTheConnectionGoesOn() {
    String from = test.name("from");
    redis.call("SET", from, "text");
    try (Redis.BlockingConnection blockingConnection = redis.blocking()) {
      assertThatThrownBy(() -> blockingConnection.move(from, test.name("to"), Duration.ofHours(1)))
          .isInstanceOf(RedisReplyException.class)
          .hasMessageStartingWith("WRONGTYPE");
      redis.call("DEL", from);
      redis.call("RPUSH", from, "a");
      assertThat(blockingConnection.move(from, test.name("to"), Duration.ofHours(1)))
          .isEqualTo("a");
    }
  }

  @Test
  void anInterruptEndsTheWaitThatGoesOnOrTheNextOne() throws Exception {
    String from = test.name("from");
    String to = test.name("to");
    try (Redis.BlockingConnection blockingConnection = redis.blocking()) {
      Future<String> moved =
          inBackground(() -> blockingConnection.move(from, to, Duration.ofHours(1)));
      ServerConditions.until(this::isBlocked);
      blockingConnection.interrupt();
      assertThat(moved.get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS)).isNull();

      blockingConnection.interrupt();
      assertThat(blockingConnection.move(from, to, Duration.ofHours(1))).isNull();

      redis.call("RPUSH", from, "a");
      assertThat(blockingConnection.move(from, to, Duration.ofHours(1))).isEqualTo("a");
    }
  }

  /**
   * The entry and the interrupt race each other; the entry is in one of the lists, and never lost.
   */
  @Test
  void anEntryThatComesWithTheInterruptIsNotLost() throws Exception {
    String from = test.name("from");
    String to = test.name("to");
    int rounds = 300;
    List<String> moved = new ArrayList<>();
    try (Redis.BlockingConnection blockingConnection = redis.blocking()) {
      for (int i = 0; i < rounds; i++) {
        String entry = "e" + i;
        Future<String> wait =
            inBackground(() -> blockingConnection.move(from, to, Duration.ofHours(1)));
        Future<?> push = inBackground(() -> redis.call("RPUSH", from, entry));
        blockingConnection.interrupt();
        String got = wait.get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS);
        push.get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS);
        if (got != null) {
          moved.add(got);
        }
      }
    }
    List<Object> all = new ArrayList<>((List<?>) redis.call("LRANGE", to, "0", "-1"));
    assertThat(all).isEqualTo(moved);
    all.addAll((List<?>) redis.call("LRANGE", from, "0", "-1"));
    assertThat(all).hasSize(rounds).doesNotHaveDuplicates();
  }

  @Test
  void closingEndsWaitsAndCalls() throws Exception {
    Redis own = open();
    String from = test.name("from");
    Redis.BlockingConnection blockingConnection = own.blocking();
    Future<String> moved =
        inBackground(() -> blockingConnection.move(from, test.name("to"), Duration.ofHours(1)));
    ServerConditions.until(this::isBlocked);

    own.close();

    assertThat(moved.get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS)).isNull();
    assertThatThrownBy(() -> own.call("PING"))
        .isInstanceOf(RedisUnavailableException.class)
        .hasMessageContaining("closed");
  }

  /**
   * True when one of the connections of this test waits; other tests may wait on the server, too.
   */
  private boolean isBlocked() {
    return String.valueOf(redis.call("CLIENT", "LIST"))
        .lines()
        .anyMatch(line ->
            line.contains("name=" + client)
                && line.contains(" flags=b ")
                && line.contains("cmd=blmove"));
  }

  private static <T> Future<T> inBackground(Callable<T> work) {
    var future = new java.util.concurrent.FutureTask<>(work);
    Thread.ofVirtual().start(future);
    return future;
  }
}
