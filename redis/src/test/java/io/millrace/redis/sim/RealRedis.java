package io.millrace.redis.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.redis.Patience;
import io.millrace.redis.connect.RedisReplyException;
import io.millrace.redis.connect.RedisSettings;
import io.millrace.redis.interop.RedisProcess;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.exceptions.JedisDataException;

/** A real server, by which the simulated one is measured. */
public final class RealRedis implements AutoCloseable {

  private final RedisProcess process = RedisProcess.start();
  private final Jedis jedis =
      new Jedis("127.0.0.1", process.port(), Math.toIntExact(Patience.LIMIT.toMillis()));
  private long asked = Long.MAX_VALUE;

  /** The longest time in ms that a step has taken so far. */
  private long longest;

  public RedisSettings settings() {
    return process.settings();
  }

  @Override
  public void close() {
    jedis.close();
    process.close();
  }

  public @Nullable Object call(List<String> command) {
    try {
      return plain(
          jedis.sendCommand(
              () -> command.getFirst().getBytes(StandardCharsets.UTF_8),
              command.subList(1, command.size()).toArray(String[]::new)));
    } catch (JedisDataException e) {
      return "error " + new RedisReplyException(e.getMessage()).code();
    }
  }

  /** The time of the server; a step begins. */
  public long millis() {
    List<?> time = (List<?>) Objects.requireNonNull(call(List.of("TIME")));
    long now =
        Long.parseLong((String) time.get(0)) * 1_000 + Long.parseLong((String) time.get(1)) / 1_000;
    longest = Math.max(longest, now - asked);
    asked = now;
    return now;
  }

  public Map<String, Object> dump() {
    Map<String, Object> all = new TreeMap<>();
    for (String key : jedis.keys("*")) {
      all.put(
          key,
          switch (jedis.type(key)) {
            case "string" -> jedis.get(key);
            case "list" -> jedis.lrange(key, 0, -1);
            case "hash" -> new TreeMap<>(jedis.hgetAll(key));
            case "set" -> jedis.smembers(key);
            default -> {
              Map<String, Object> scores = new TreeMap<>();
              jedis
                  .zrangeWithScores(key, 0, -1)
                  .forEach(tuple -> scores.put(tuple.getElement(), tuple.getScore()));
              yield scores;
            }
          });
    }
    return all;
  }

  /** Times may differ by what passes between the two; sets have no order. */
  public void same(String what, @Nullable Object expected, @Nullable Object actual) {
    millis();
    assertThat(alike(expected, actual))
        .as("%s: Redis says %s, the simulation %s", what, expected, actual)
        .isTrue();
  }

  private boolean alike(@Nullable Object a, @Nullable Object b) {
    if (a instanceof Map<?, ?> left && b instanceof Map<?, ?> right) {
      return left.keySet().equals(right.keySet())
          && left.keySet().stream().allMatch(key -> alike(left.get(key), right.get(key)));
    }
    if (a instanceof List<?> left && b instanceof List<?> right) {
      return left.size() == right.size()
          && IntStream.range(0, left.size()).allMatch(i -> alike(left.get(i), right.get(i)));
    }
    if (a instanceof Collection<?> left && b instanceof Collection<?> right) {
      return left.size() == right.size() && left.containsAll(right);
    }
    if (Objects.equals(a, b)) {
      return true;
    }
    return isNumber(a) && isNumber(b) && closeBy(number(a), number(b));
  }

  private boolean closeBy(double a, double b) {
    double apart = Math.abs(a - b);
    return apart == 0
        || (a > 1e12 && apart < 5_000 + longest)
        || (a > 90_000 && apart < 100 + longest)
        || (a > 60 && apart <= 1 + longest / 1_000.0);
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
