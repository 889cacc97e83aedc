package io.millrace.redis.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.instance.MillraceException;
import io.millrace.lifecycle.EngineRuntime;
import io.millrace.redis.Patience;
import io.millrace.redis.wire.LuaScript;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of errors with the texts of servers that are hard to reproduce with a real one. */
class RefusedConnectionTest {

  private static final List<List<String>> PUSH = List.of(List.of("RPUSH", "l", "x"));
  private static final String SCRIPT =
      "ERR Error running script (call to f_6b818461879b7ea953a81ab9ad7aaeca1590b7ab): ";

  private static FakeRedis answering(Map<String, String> answers) throws Exception {
    return new FakeRedis(command -> answers.getOrDefault(command.getFirst(), ""));
  }

  private static Redis open(FakeRedis server) {
    RedisSettings settings =
        RedisSettings.of(server.uri()).connectTimeout(Patience.LIMIT).timeout(Patience.LIMIT);
    return RedisConnections.open(settings, EngineRuntime.system());
  }

  /** The server runs out of memory between the last command and EXEC. */
  @Test
  void aTransactionThatIsRefusedAtItsEndHasNotBeenDone() throws Exception {
    try (FakeRedis full =
            answering(
                Map.of(
                    "RPUSH",
                    "+QUEUED",
                    "EXEC",
                    "-EXECABORT Transaction discarded because of: OOM command not allowed"));
        Redis redis = open(full)) {
      assertThatThrownBy(() -> redis.transaction(PUSH))
          .isInstanceOfSatisfying(
              RedisReplyException.class, e -> assertThat(e.code()).isEqualTo("OOM"))
          .isInstanceOf(MillraceException.class)
          .hasMessageEndingWith("(EXEC)");
    }
  }

  @Test
  void aUserWhoMayHaveNoTransactionsIsTold() throws Exception {
    try (FakeRedis strict =
            answering(
                Map.of("MULTI", "-NOPERM no MULTI", "RPUSH", ":1", "EXEC", "-ERR without MULTI"));
        Redis redis = open(strict)) {
      assertThatThrownBy(() -> redis.transaction(PUSH))
          .isInstanceOf(RedisReplyException.class)
          .hasMessage("NOPERM no MULTI (MULTI)");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          WRONGTYPE Operation against a key (GET k) | WRONGTYPE
          @user_script:1: WRONGTYPE Operation against a key | WRONGTYPE
          @user_script:4: @user_script: 4: -OOM command not allowed when used memory | OOM
          @user_script:4: @user_script: 4: Unknown Redis command called from script | ERR
          EXECABORT Transaction discarded because of previous errors. | EXECABORT
          NOPERM | NOPERM
          """)
  void theReasonIsFoundAlsoWhereRedis62WrapsIt(String message, String code) {
    String whole = message.startsWith("@") ? SCRIPT + message : message;
    assertThat(new RedisReplyException(whole).code()).isEqualTo(code);
  }

  /** In Redis 6.2 the error of the replica is that of a command inside the script. */
  @Test
  void aReplicaIsLeftAlsoWhenAScriptFindsIt() throws Exception {
    AtomicInteger scripts = new AtomicInteger();
    try (FakeRedis replica =
            new FakeRedis(command ->
                switch (command.getFirst()) {
                  case "EVALSHA" ->
                      scripts.getAndIncrement() == 0
                          ? "-"
                              + SCRIPT
                              + "@user_script:4: @user_script: 4: -READONLY You can't write"
                          : ":1";
                  default -> "";
                });
        Redis redis = open(replica)) {
      assertThatThrownBy(() -> redis.run(LuaScript.DROP_ELEMENT, List.of("k"), List.of("1")))
          .isInstanceOf(RedisUnavailableException.class)
          .hasMessageContaining("READONLY");
      assertThat(redis.run(LuaScript.DROP_ELEMENT, List.of("k"), List.of("1"))).isEqualTo(1L);
      assertThat(replica.connections()).isEqualTo(2);
    }
  }

  /** The bytes behind it would be taken for replies to other commands. */
  @ParameterizedTest
  @ValueSource(strings = {"HTTP/1.1 400 Bad Request", "$536870913\r\nhello", "%1\r\n+a\r\n:1"})
  void aConnectionIsLeftAfterWhatIsNoReply(String broken) throws Exception {
    AtomicInteger calls = new AtomicInteger();
    try (FakeRedis server =
            new FakeRedis(command ->
                switch (command.getFirst()) {
                  case "GET" -> calls.getAndIncrement() == 0 ? broken : "$2\r\nhi";
                  default -> "";
                });
        Redis redis = open(server)) {
      assertThatThrownBy(() -> redis.call("GET", "k"))
          .isInstanceOfSatisfying(
              RedisUnavailableException.class, e -> assertThat(e.unexecuted()).isFalse())
          .hasMessageContaining("no reply in RESP2");
      assertThat(redis.call("GET", "k")).isEqualTo("hi");
      assertThat(server.connections()).isEqualTo(2);
    }
  }
}
