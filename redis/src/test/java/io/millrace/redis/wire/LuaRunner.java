package io.millrace.redis.wire;

import io.millrace.redis.Patience;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import redis.clients.jedis.Jedis;

/** Runs parts of the scripts by themselves on the Redis of the tests, under keys of its own. */
final class LuaRunner implements AutoCloseable {

  private static final Pattern INCLUDE = Pattern.compile("(?m)^--@include (\\w+)$");

  final Jedis redis =
      new Jedis(
          URI.create(
              System.getenv().getOrDefault("MILLRACE_TEST_REDIS_URI", "redis://127.0.0.1:6379")),
          Math.toIntExact(Patience.LIMIT.toMillis()));

  /** A name that no other test uses. */
  final String queue = "q" + System.nanoTime();

  String key(String end) {
    return MillraceKeys.queue(queue) + end;
  }

  String waiting() {
    return RedisDialect.V0_0_8.waiting(queue, 1);
  }

  List<String> waitingEntries() {
    return redis.lrange(waiting(), 0, -1);
  }

  /** Runs a text, which may include parts by {@code --@include name}. */
  Object run(String text, List<String> keys, Object... arguments) {
    return redis.eval(expand(text), keys, Arrays.stream(arguments).map(String::valueOf).toList());
  }

  @Override
  public void close() {
    redis.keys("*" + queue + "*").forEach(redis::del);
    redis.close();
  }

  private static String expand(String text) {
    return INCLUDE
        .matcher(text)
        .replaceAll(match -> Matcher.quoteReplacement(expand(file(match.group(1)))));
  }

  private static String file(String name) {
    try (InputStream in = LuaScript.class.getResourceAsStream(name + ".lua")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new IllegalStateException(name, e);
    }
  }
}
