package io.millrace.redis.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.redis.connect.RedisReplyException;
import io.millrace.redis.interop.RedisProcess;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.exceptions.JedisDataException;

/** The simulated server answers as a real one does, and has the same keys afterwards. */
class SimAgainstRedisTest {

  private static final int ROUNDS = 3_000;

  private static RedisProcess process;
  private static Jedis real;
  private final SimClock clock = new SimClock();
  private final SimServer server = new SimServer(clock);
  private final SimRedis simulated = new SimRedis(server, "test", SimFaults.none());

  @BeforeAll
  static void start() {
    process = RedisProcess.start();
    real = new Jedis("127.0.0.1", process.port());
  }

  @AfterAll
  static void stop() {
    real.close();
    process.close();
  }

  @BeforeEach
  void empty() {
    real.flushAll();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void randomCommandsHaveTheSameRepliesAndKeys(long seed) {
    RandomGenerator random = new SplittableRandom(seed);
    List<String> done = new ArrayList<>();
    for (int i = 0; i < ROUNDS; i++) {
      List<String> command = RandomCommands.next(random);
      done.add(String.join(" ", command));
      clock.set(realMillis());
      same("reply to " + last(done), onReal(command), onSimulated(command));
      if (i % 50 == 0) {
        same("keys after " + last(done), dumpReal(), server.dump());
      }
    }
    same("keys", dumpReal(), server.dump());
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
    clock.set(realMillis());

    same(
        script,
        onReal(List.of("EVAL", script, "1", "key", "Zoë")),
        onSimulated(() -> simulated.eval(script, List.of("key"), List.of("Zoë"))));
    same("keys", dumpReal(), server.dump());
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

  static @Nullable Object onReal(List<String> command) {
    try {
      return plain(
          real.sendCommand(
              () -> command.getFirst().getBytes(StandardCharsets.UTF_8),
              command.subList(1, command.size()).toArray(String[]::new)));
    } catch (JedisDataException e) {
      return "error " + new RedisReplyException(e.getMessage()).code();
    }
  }

  static long realMillis() {
    List<?> time = (List<?>) Objects.requireNonNull(onReal(List.of("TIME")));
    return Long.parseLong((String) time.get(0)) * 1_000
        + Long.parseLong((String) time.get(1)) / 1_000;
  }

  static Map<String, Object> dumpReal() {
    Map<String, Object> all = new TreeMap<>();
    for (String key : real.keys("*")) {
      all.put(
          key,
          switch (real.type(key)) {
            case "string" -> real.get(key);
            case "list" -> real.lrange(key, 0, -1);
            case "hash" -> new TreeMap<>(real.hgetAll(key));
            case "set" -> real.smembers(key);
            default -> {
              Map<String, Object> scores = new TreeMap<>();
              real.zrangeWithScores(key, 0, -1)
                  .forEach(tuple -> scores.put(tuple.getElement(), tuple.getScore()));
              yield scores;
            }
          });
    }
    return all;
  }

  /** Times may differ by what passes between the two; sets have no order. */
  static void same(String what, @Nullable Object expected, @Nullable Object actual) {
    assertThat(alike(expected, actual))
        .as("%s: Redis says %s, the simulation %s", what, expected, actual)
        .isTrue();
  }

  private static boolean alike(@Nullable Object a, @Nullable Object b) {
    if (a instanceof Map<?, ?> left && b instanceof Map<?, ?> right) {
      return left.keySet().equals(right.keySet())
          && left.keySet().stream().allMatch(key -> alike(left.get(key), right.get(key)));
    }
    if (a instanceof List<?> left && b instanceof List<?> right) {
      return left.size() == right.size()
          && java.util.stream.IntStream.range(0, left.size())
              .allMatch(i -> alike(left.get(i), right.get(i)));
    }
    if (a instanceof Collection<?> left && b instanceof Collection<?> right) {
      return left.size() == right.size() && left.containsAll(right);
    }
    if (Objects.equals(a, b)) {
      return true;
    }
    return isNumber(a) && isNumber(b) && closeBy(number(a), number(b));
  }

  private static boolean closeBy(double a, double b) {
    double apart = Math.abs(a - b);
    return apart == 0 || (a > 1e12 && apart < 5_000) || (a > 90_000 && apart < 100);
  }

  private static boolean isNumber(@Nullable Object value) {
    return value != null && value.toString().matches("-?\\d+(\\.\\d+)?(E\\d+)?");
  }

  private static double number(@Nullable Object value) {
    return Double.parseDouble(String.valueOf(value));
  }

  private static @Nullable Object plain(@Nullable Object reply) {
    return switch (reply) {
      case byte[] text -> new String(text, StandardCharsets.UTF_8);
      case List<?> items -> {
        List<@Nullable Object> plain = new ArrayList<>();
        items.forEach(item -> plain.add(plain(item)));
        yield plain;
      }
      case null, default -> reply;
    };
  }
}
