package io.millrace.redis.connect;

import io.millrace.redis.wire.LuaScript;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * A Redis whose calls share one connection. The callers encode and decode; the connection loop only
 * moves bytes.
 */
final class PipelinedRedis implements Redis {

  private static final byte[] MULTI = RespCodec.bytes(List.of("MULTI"));
  private static final byte[] EXEC = RespCodec.bytes(List.of("EXEC"));

  private final RedisSettings settings;
  private final RedisConnector connector;
  private final RedisConnectionLoop loop;
  private final long timeout;
  private final Set<RedisBlockingConnection> waits = ConcurrentHashMap.newKeySet();

  PipelinedRedis(RedisSettings settings, RandomGenerator random) {
    this(settings, random, RedisConnectionLoop.DOUBTFUL);
  }

  /**
   * Creates a client of a server.
   *
   * @param doubtful the idle time after which a connection is checked before it is used
   */
  PipelinedRedis(RedisSettings settings, RandomGenerator random, Duration doubtful) {
    this.settings = settings;
    this.connector = new RedisConnector(settings);
    this.loop = new RedisConnectionLoop(connector, random, doubtful);
    this.timeout = settings.timeout().toNanos();
  }

  @Override
  public @Nullable Object call(String... command) {
    return one(List.of(command));
  }

  private @Nullable Object one(List<String> command) {
    return value(raw(command), command);
  }

  private @Nullable Object raw(List<String> command) {
    return checked(send(List.of(RespCodec.bytes(command)))[0], true);
  }

  /** Returns the value of a reply; an error is thrown with the command and its first key. */
  private static @Nullable Object value(@Nullable Object raw, List<String> command) {
    if (raw instanceof JedisDataException error) {
      throw new RedisReplyException(
          RespCodec.message(error)
              + " ("
              + String.join(" ", command.subList(0, Math.min(2, command.size())))
              + ")");
    }
    return RespCodec.value(raw);
  }

  @Override
  public @Nullable Object run(LuaScript luaScript, List<String> keys, List<String> arguments) {
    try {
      return run(luaScript.sha(), luaScript::text, keys, arguments);
    } catch (RedisReplyException e) {
      throw new RedisReplyException(e.getMessage() + " (script " + luaScript.name() + ")");
    }
  }

  @Nullable Object run(
      String sha, Supplier<String> text, List<String> keys, List<String> arguments) {
    Object reply = raw(script("EVALSHA", sha, keys, arguments));
    if (reply instanceof JedisDataException error
        && RespCodec.message(error).startsWith("NOSCRIPT")) {
      reply = raw(script("EVAL", text.get(), keys, arguments));
    }
    return RespCodec.value(reply);
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
    List<byte[]> bytes = new ArrayList<>(commands.size());
    for (List<String> command : commands) {
      bytes.add(RespCodec.bytes(command));
    }
    List<@Nullable Object> replies = new ArrayList<>(commands.size());
    if (!bytes.isEmpty()) {
      @Nullable Object[] raw = send(bytes);
      for (int i = 0; i < raw.length; i++) {
        replies.add(value(checked(raw[i], raw.length == 1), commands.get(i)));
      }
    }
    return replies;
  }

  @Override
  public List<@Nullable Object> transaction(List<List<String>> commands) {
    List<byte[]> bytes = new ArrayList<>(commands.size() + 2);
    bytes.add(MULTI);
    for (List<String> command : commands) {
      bytes.add(RespCodec.bytes(command));
    }
    bytes.add(EXEC);
    @Nullable Object[] replies = send(bytes);
    // An error before EXEC tells the cause; EXEC itself then only tells that it did nothing.
    Object exec = replies[commands.size() + 1];
    boolean unexecuted =
        !(replies[0] instanceof JedisDataException) && exec instanceof JedisDataException;
    value(checked(replies[0], unexecuted), List.of("MULTI"));
    for (int i = 0; i < commands.size(); i++) {
      value(checked(replies[i + 1], unexecuted), commands.get(i));
    }
    checked(exec, unexecuted);
    if (!(exec instanceof List<?> all)) {
      value(exec, List.of("EXEC"));
      throw new IllegalStateException("EXEC answers no list, though nothing is watched: " + exec);
    }
    List<@Nullable Object> values = new ArrayList<>(commands.size());
    for (int i = 0; i < commands.size(); i++) {
      values.add(value(all.get(i), commands.get(i)));
    }
    return values;
  }

  private @Nullable Object[] send(List<byte[]> commands) {
    RedisRequest redisRequest = new RedisRequest(commands, System.nanoTime() + timeout);
    loop.send(redisRequest);
    return redisRequest.await();
  }

  /**
   * Returns the reply, unless it tells the client to use another server, or to retry later.
   *
   * @param unexecuted true if an error means that nothing of the request was executed
   */
  private @Nullable Object checked(@Nullable Object raw, boolean unexecuted) {
    if (raw instanceof JedisDataException error && RedisConnectionLoop.isAway(error)) {
      String message = connector.name() + " cannot serve now: " + RespCodec.message(error);
      throw unexecuted
          ? RedisUnavailableException.unexecuted(message, null)
          : new RedisUnavailableException(message, null);
    }
    return raw;
  }

  @Override
  public BlockingConnection blocking() {
    RedisBlockingConnection line =
        new RedisBlockingConnection(this, connector, settings.timeout(), waits::remove);
    waits.add(line);
    return line;
  }

  @Override
  public void close() {
    waits.forEach(RedisBlockingConnection::close);
    loop.close();
  }
}
