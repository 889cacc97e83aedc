package io.millrace.redis.connect;

import io.millrace.redis.wire.LuaScript;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** A Redis whose calls share one connection. The callers encode; the connection loop decodes. */
final class PipelinedRedis implements Redis {

  private static final List<String> EXEC = List.of("EXEC");

  private final RedisSettings settings;
  private final RedisConnector connector;
  private final RedisConnectionLoop loop;
  private final Set<RedisBlockingConnection> waits = ConcurrentHashMap.newKeySet();

  PipelinedRedis(RedisSettings settings, RandomGenerator random) {
    this(settings, random, RedisConnectionLoop.DOUBTFUL, RedisConnectionLoop.TIMER);
  }

  /**
   * Creates a client of a server.
   *
   * @param doubtful the idle time after which a connection is checked before it is used
   * @param timer runs a task after a delay
   */
  PipelinedRedis(
      RedisSettings settings,
      RandomGenerator random,
      Duration doubtful,
      BiConsumer<Duration, Runnable> timer) {
    this.settings = settings;
    this.connector = new RedisConnector(settings);
    this.loop = new RedisConnectionLoop(connector, random, doubtful, timer);
  }

  @Override
  public @Nullable Object call(String... command) {
    List<String> one = List.of(command);
    return value(send(List.of(one))[0], one, true);
  }

  @Override
  public @Nullable Object run(LuaScript luaScript, List<String> keys, List<String> arguments) {
    return run(luaScript.name(), luaScript.sha(), luaScript::text, keys, arguments);
  }

  @Nullable Object run(
      String name, String sha, Supplier<String> text, List<String> keys, List<String> arguments) {
    Object reply = send(List.of(script("EVALSHA", sha, keys, arguments)))[0];
    if (reply instanceof ErrorReply error && error.message().startsWith("NOSCRIPT")) {
      reply = send(List.of(script("EVAL", text.get(), keys, arguments)))[0];
    }
    return value(reply, List.of("script", name), true);
  }

  private static List<String> script(
      String command, String text, List<String> keys, List<String> arguments) {
    List<String> all = new ArrayList<>(3 + keys.size() + arguments.size());
    all.add(command);
    all.add(text);
    all.add(Integer.toString(keys.size()));
    all.addAll(keys);
    all.addAll(arguments);
    return all;
  }

  @Override
  public List<@Nullable Object> pipelined(List<List<String>> commands) {
    List<@Nullable Object> values = new ArrayList<>(commands.size());
    if (!commands.isEmpty()) {
      for (Object reply : send(commands)) {
        values.add(value(reply, commands.get(values.size()), commands.size() == 1));
      }
    }
    return values;
  }

  @Override
  public List<@Nullable Object> transaction(List<List<String>> commands) {
    List<List<String>> all = new ArrayList<>(commands.size() + 2);
    all.add(RedisRequest.MULTI);
    all.addAll(commands);
    all.add(EXEC);
    @Nullable Object[] replies = send(all);
    // An error before EXEC tells the cause; EXEC itself then only tells that it did nothing.
    Object exec = replies[commands.size() + 1];
    boolean unexecuted = !(replies[0] instanceof ErrorReply) && exec instanceof ErrorReply;
    for (int i = 0; i <= commands.size(); i++) {
      value(replies[i], all.get(i), unexecuted);
    }
    if (!(exec instanceof List<?> results)) {
      value(exec, EXEC, unexecuted);
      throw new IllegalStateException("EXEC answers no list, though nothing is watched: " + exec);
    }
    List<@Nullable Object> values = new ArrayList<>(commands.size());
    for (int i = 0; i < commands.size(); i++) {
      values.add(value(results.get(i), commands.get(i), false));
    }
    return values;
  }

  private @Nullable Object[] send(List<List<String>> commands) {
    RedisRequest redisRequest =
        new RedisRequest(commands, System.nanoTime() + settings.timeout().toNanos());
    loop.send(redisRequest);
    return redisRequest.await();
  }

  /**
   * Returns a reply that is no error and has none in it. An error is thrown with the beginning of
   * the command, or as the unavailability of a server that tells the client to use another one or
   * to retry later.
   *
   * @param unexecuted true if an error means that nothing of the request was executed
   */
  private @Nullable Object value(@Nullable Object reply, List<String> command, boolean unexecuted) {
    if (reply instanceof ErrorReply error) {
      if (error.isAway()) {
        String message = connector.name() + " cannot serve now: " + error.message();
        throw unexecuted
            ? RedisUnavailableException.unexecuted(message, null)
            : new RedisUnavailableException(message, null);
      }
      String start = String.join(" ", command.subList(0, Math.min(2, command.size())));
      throw new RedisReplyException(error.message() + " (" + start + ")");
    }
    if (reply instanceof List<?> list) {
      list.forEach(element -> value(element, command, false));
    }
    return reply;
  }

  @Override
  public BlockingConnection blocking() {
    RedisBlockingConnection blocking =
        new RedisBlockingConnection(this, connector, settings.timeout(), waits::remove);
    waits.add(blocking);
    return blocking;
  }

  @Override
  public void close() {
    waits.forEach(RedisBlockingConnection::close);
    loop.close();
  }
}
