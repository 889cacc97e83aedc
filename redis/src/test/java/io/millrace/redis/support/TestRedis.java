package io.millrace.redis.support;

import io.millrace.lifecycle.EngineRuntime;
import io.millrace.redis.Patience;
import io.millrace.redis.connect.Redis;
import io.millrace.redis.connect.RedisConnections;
import io.millrace.redis.connect.RedisSettings;
import java.util.List;
import java.util.UUID;

/**
 * The server that script/test starts, shared with the other tests. Names must begin with those of
 * {@link #name}; keys with such names are deleted at the end.
 */
public final class TestRedis implements AutoCloseable {

  private static final String VARIABLE = "MILLRACE_TEST_REDIS_URI";

  private final String mark = "t" + UUID.randomUUID().toString().substring(0, 8);
  private final Redis redis = RedisConnections.open(settings(), EngineRuntime.system());

  /** Returns the URI of the shared server. */
  public static String uri() {
    String uri = System.getenv(VARIABLE);
    if (uri == null || uri.isBlank()) {
      throw new IllegalStateException(
          VARIABLE + " is not set; run the tests through script/test, which starts a Redis server");
    }
    return uri;
  }

  /** Returns settings with timeouts long enough for a slow machine. */
  public static RedisSettings settings() {
    return RedisSettings.of(uri()).connectTimeout(Patience.LIMIT).timeout(Patience.LIMIT);
  }

  /** Returns a connection that is open until {@code close}. */
  public Redis redis() {
    return redis;
  }

  /** Returns the time of the server. */
  public long millis() {
    List<?> time = (List<?>) redis.call("TIME");
    return Long.parseLong((String) time.get(0)) * 1_000
        + Long.parseLong((String) time.get(1)) / 1_000;
  }

  /** Returns a name of a flow, queue or key that no other test has. */
  public String name(String name) {
    return mark + "-" + name;
  }

  /** Returns all keys with a name of this test. */
  public List<String> keys() {
    return keys(redis, "*" + mark + "*");
  }

  static List<String> keys(Redis redis, String pattern) {
    return ((List<?>) redis.call("KEYS", pattern)).stream().map(String::valueOf).sorted().toList();
  }

  @Override
  public void close() {
    for (String key : keys()) {
      redis.call("UNLINK", key);
    }
    redis.close();
  }
}
