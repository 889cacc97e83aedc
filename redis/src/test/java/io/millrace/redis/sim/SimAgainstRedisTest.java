package io.millrace.redis.sim;

import io.millrace.redis.connect.RedisReplyException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that the simulated server answers as a real one does, and has the same keys afterwards. */
class SimAgainstRedisTest {

  private static final int ROUNDS = 3_000;

  private static RealRedis real;
  private final SimRedisClock clock = new SimRedisClock();
  private final SimServer server = new SimServer(clock);
  private final SimRedis simulated = new SimRedis(server, "test", SimFaults.none());

  @BeforeAll
  static void start() {
    real = new RealRedis();
  }

  @AfterAll
  static void stop() {
    real.close();
  }

  @BeforeEach
  void empty() {
    real.call(List.of("FLUSHALL"));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void randomCommandsHaveTheSameRepliesAndKeys(long seed) {
    RandomGenerator random = new SplittableRandom(seed);
    List<String> done = new ArrayList<>();
    for (int i = 0; i < ROUNDS; i++) {
      List<String> command = RandomCommands.next(random);
      done.add(String.join(" ", command));
      clock.set(real.begin());
      real.sameReply(
          command.getFirst(), "reply to " + last(done), real.call(command), onSimulated(command));
      if (i % 50 == 0) {
        real.sameKeys("keys after " + last(done), server);
      }
      real.end(server);
    }
    real.sameKeys("keys", server);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "return {1, 2.9, 'x', true, false, 'behind', {'inner'}, nil, 'cut'}",
        "return redis.call('SET', KEYS[1], ARGV[1])",
        "return redis.call('GET', KEYS[1])",
        "return redis.call('GET', KEYS[1]) == false",
        "return {redis.call('RPUSH', 'l', 1, 2.5, '3'), redis.call('LRANGE', 'l', 0, -1)}",
        "redis.call('HSET', 'h', 'f', 1) return redis.call('HMGET', 'h', 'none', 'f')",
        "redis.call('SET', KEYS[1], 1) return redis.call('LPUSH', KEYS[1], 1)",
        "redis.call('SET', KEYS[1], 1) return redis.pcall('LPUSH', KEYS[1], 1)",
        "redis.call('SET', KEYS[1], 1) local r = redis.pcall('LLEN', KEYS[1]) return type(r.err)",
        "return redis.error_reply('MINE is broken')",
        "return redis.status_reply('FINE')",
        "return type(redis.call('PING').ok)",
        "return {string.format('%d %s %.0f %5.2f', 3, 'x', 1766000000123, 2.5), 7 + '3'}",
        "return {unpack({1, 2, 3}, 2, 3), #ARGV, tonumber('x') == nil, tostring(1766000000123)}",
        "return {ARGV[1], string.match('a:b:ü', '[^:]*$'), math.floor(7 / 2), '1' .. 2}",
        "redis.call('SET', KEYS[1], 'kept') return redis.call('GET')",
        "return redis.call('ZRANGE', KEYS[1], 'x', 'y')",
        "redis.call('ZADD', 'z', '1766000000123', 'm') return redis.call('ZSCORE', 'z', 'm')"
      })
  void scriptsHaveTheSameRepliesAndKeys(String script) {
    clock.set(real.begin());

    RealRedis.same(
        script,
        real.call(List.of("EVAL", script, "1", "key", "Zoë")),
        onSimulated(() -> simulated.eval(script, List.of("key"), List.of("Zoë"))));
    real.sameKeys("keys", server);
  }

  private static String last(List<String> done) {
    return done.subList(Math.max(0, done.size() - 30), done.size()).toString();
  }

  private @Nullable Object onSimulated(List<String> command) {
    return onSimulated(() -> simulated.call(command.toArray(String[]::new)));
  }

  private static @Nullable Object onSimulated(Supplier<@Nullable Object> request) {
    try {
      return request.get();
    } catch (RedisReplyException e) {
      return "error " + e.code();
    }
  }
}
