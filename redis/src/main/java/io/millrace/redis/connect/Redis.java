package io.millrace.redis.connect;

import io.millrace.redis.wire.LuaScript;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A Redis server. Calls of many threads share a connection and are sent together. Replies are null,
 * {@code Long}, {@code String} or {@code List} of these. Thread-safe.
 *
 * <p>All methods throw {@link RedisUnavailableException} when the server cannot be reached or does
 * not answer in time, which tells whether the command may have been executed, and {@link
 * RedisReplyException} when the server answers with an error.
 */
public interface Redis extends AutoCloseable {

  /** Sends one command. */
  @Nullable Object call(String... command);

  /** Runs a script; the server is given its text only when it does not know it yet. */
  @Nullable Object run(LuaScript luaScript, List<String> keys, List<String> arguments);

  /**
   * Sends commands together and answers their replies in order. When one fails, that is thrown
   * after all have been executed.
   */
  List<@Nullable Object> pipelined(List<List<String>> commands);

  /**
   * The same between MULTI and EXEC: all commands reach the server, or none. One that finds a value
   * of the wrong type fails alone, for Redis does not roll back.
   */
  List<@Nullable Object> transaction(List<List<String>> commands);

  /** A connection of its own, for waiting. Connects at the first use. */
  BlockingConnection blocking();

  /** Closes all connections; calls that wait fail. */
  @Override
  void close();

  /** Waits for entries of a list. For one thread at a time, except {@code interrupt}. */
  interface BlockingConnection extends AutoCloseable {

    /**
     * Sends {@code BLMOVE from to LEFT RIGHT}.
     *
     * @return the entry that was moved; null when none came within the timeout, or when interrupted
     */
    @Nullable String move(String from, String to, Duration timeout);

    /**
     * Ends the wait that is going on; when there is none, the next one ends at once, so that a stop
     * cannot come a moment too early. The entry that arrives at that moment is still answered by
     * {@code move}. A user whom the server forbids CLIENT UNBLOCK waits until the timeout.
     */
    void interrupt();

    @Override
    void close();
  }
}
