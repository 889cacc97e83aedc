package io.millrace.redis.wire;

import io.millrace.lifecycle.EngineRuntime;
import io.millrace.redis.connect.Redis;
import io.millrace.redis.connect.RedisConnections;
import io.millrace.redis.support.TestRedis;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Runs parts of the scripts by themselves on the Redis of the tests, under keys of its own. */
final class LuaRunner implements AutoCloseable {

  private static final Pattern INCLUDE = Pattern.compile("(?m)^--@include (\\w+)$");

  private final Redis redis = RedisConnections.open(TestRedis.settings(), EngineRuntime.system());

  /** A name that no other test uses. */
  final String queue = "q" + System.nanoTime();

  String key(String end) {
    return MillraceKeys.queue(queue) + end;
  }

  String waiting() {
    return ProtocolKeys.waiting(queue);
  }

  List<String> waitingEntries() {
    return texts("LRANGE", waiting(), 0, -1);
  }

  /** Sends one command, whose parts may be numbers. */
  Object call(Object... command) {
    return redis.call(Arrays.stream(command).map(String::valueOf).toArray(String[]::new));
  }

  long number(Object... command) {
    return (Long) call(command);
  }

  String text(Object... command) {
    return (String) call(command);
  }

  List<String> texts(Object... command) {
    return ((List<?>) call(command)).stream().map(String::valueOf).toList();
  }

  /** Returns a reply of names and values in turn. */
  Map<String, String> pairs(Object... command) {
    List<String> texts = texts(command);
    Map<String, String> pairs = new HashMap<>();
    for (int i = 0; i < texts.size(); i += 2) {
      pairs.put(texts.get(i), texts.get(i + 1));
    }
    return pairs;
  }

  /** Runs a text, which may include parts by {@code --@include name}. */
  Object run(String text, List<String> keys, Object... arguments) {
    List<Object> command = new ArrayList<>(List.of("EVAL", expand(text), keys.size()));
    command.addAll(keys);
    command.addAll(List.of(arguments));
    return call(command.toArray());
  }

  @Override
  public void close() {
    texts("KEYS", "*" + queue + "*").forEach(key -> call("DEL", key));
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
