package io.millrace.redis.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.lifecycle.EngineRuntime;
import io.millrace.redis.connect.Redis;
import io.millrace.redis.connect.RedisConnections;
import io.millrace.redis.connect.RedisReplyException;
import io.millrace.redis.connect.RedisSettings;
import io.millrace.redis.interop.RedisProcess;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A real server, with which the simulated one is compared step by step. */
public final class RealRedis implements AutoCloseable {

  /**
   * Longest duration of a step in ms. After a longer one all keys are removed, since their times
   * would differ from then on.
   */
  private static final long SLACK = 100;

  private static final Tolerance EXACT = new Tolerance(Double.POSITIVE_INFINITY, 0);

  private final RedisProcess process = RedisProcess.start();
  private final Redis redis = RedisConnections.open(process.settings(), EngineRuntime.system());

  /** Time of the server at which the step started. */
  private long begun;

  /** Largest difference allowed between numbers above a limit. */
  private record Tolerance(double above, double apart) {
    boolean accepts(double a, double b) {
      return a == b || (Math.min(a, b) > above && Math.abs(a - b) <= apart);
    }
  }

  public RedisSettings settings() {
    return process.settings();
  }

  @Override
  public void close() {
    redis.close();
    process.close();
  }

  public @Nullable Object call(List<String> command) {
    try {
      return redis.call(command.toArray(String[]::new));
    } catch (RedisReplyException e) {
      return "error " + e.code();
    }
  }

  /** Starts a step, and returns the time of the server. */
  public long begin() {
    begun = millis();
    return begun;
  }

  /** Empties both servers after a step that took too long to compare what follows. */
  public void end(SimServer simulated) {
    if (millis() - begun > SLACK) {
      call(List.of("FLUSHALL"));
      simulated.flush();
    }
  }

  private long millis() {
    List<?> time = (List<?>) Objects.requireNonNull(call(List.of("TIME")));
    return Long.parseLong((String) time.get(0)) * 1_000
        + Long.parseLong((String) time.get(1)) / 1_000;
  }

  private Map<String, Object> dump() {
    Map<String, Object> all = new TreeMap<>();
    for (String key : texts("KEYS", "*")) {
      all.put(
          key,
          switch ((String) call(List.of("TYPE", key))) {
            case "string" -> call(List.of("GET", key));
            case "list" -> texts("LRANGE", key, "0", "-1");
            case "hash" -> pairs(texts("HGETALL", key));
            case "set" -> Set.copyOf(texts("SMEMBERS", key));
            default -> pairs(texts("ZRANGE", key, "0", "-1", "WITHSCORES"));
          });
    }
    return all;
  }

  private List<String> texts(String... command) {
    return ((List<?>) call(List.of(command))).stream().map(String::valueOf).toList();
  }

  private static Map<String, String> pairs(List<String> texts) {
    Map<String, String> pairs = new TreeMap<>();
    for (int i = 0; i < texts.size(); i += 2) {
      pairs.put(texts.get(i), texts.get(i + 1));
    }
    return pairs;
  }

  /** Compares two values; sets have no order. */
  public static void same(String what, @Nullable Object expected, @Nullable Object actual) {
    same(what, expected, actual, EXACT);
  }

  /**
   * Compares replies. Remaining times to live may differ by the time between the two servers, and
   * nothing else may.
   */
  public void sameReply(
      String command, String what, @Nullable Object expected, @Nullable Object actual) {
    Tolerance tolerance =
        switch (command) {
          case "PTTL" -> new Tolerance(0, apart());
          case "TTL" -> new Tolerance(0, 1 + apart() / 1_000.0);
          default -> EXACT;
        };
    same(what, expected, actual, tolerance);
  }

  /**
   * Compares all keys. Times that scripts have stored may differ by the time between the two
   * servers.
   */
  public void sameKeys(String what, SimServer simulated) {
    Map<String, Object> expected = dump();
    same(what, expected, simulated.dump(), new Tolerance(1e12, apart()));
  }

  /**
   * Returns by how many ms the times of the two servers may differ, in this step or one before it.
   */
  private long apart() {
    return Math.max(SLACK, millis() - begun);
  }

  private static void same(
      String what, @Nullable Object expected, @Nullable Object actual, Tolerance tolerance) {
    assertThat(alike(expected, actual, tolerance))
        .as("%s: Redis says %s, the simulation %s", what, expected, actual)
        .isTrue();
  }

  private static boolean alike(@Nullable Object a, @Nullable Object b, Tolerance tolerance) {
    if (a instanceof Map<?, ?> left && b instanceof Map<?, ?> right) {
      return left.keySet().equals(right.keySet())
          && left.keySet().stream()
              .allMatch(key -> alike(left.get(key), right.get(key), tolerance));
    }
    if (a instanceof List<?> left && b instanceof List<?> right) {
      return left.size() == right.size()
          && IntStream.range(0, left.size())
              .allMatch(i -> alike(left.get(i), right.get(i), tolerance));
    }
    if (a instanceof Collection<?> left && b instanceof Collection<?> right) {
      return left.size() == right.size() && left.containsAll(right);
    }
    if (Objects.equals(a, b)) {
      return true;
    }
    return isNumber(a) && isNumber(b) && tolerance.accepts(number(a), number(b));
  }

  private static boolean isNumber(@Nullable Object value) {
    return value != null && value.toString().matches("-?\\d+(\\.\\d+)?(E\\d+)?");
  }

  private static double number(@Nullable Object value) {
    return Double.parseDouble(String.valueOf(value));
  }
}
