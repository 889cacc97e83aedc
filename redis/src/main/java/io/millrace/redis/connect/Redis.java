package io.millrace.redis.connect;

import io.millrace.redis.wire.LuaScript;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A Redis server. Calls of many threads share a connection and are sent together. Replies are null,
 * {@code Long}, {@code String} or {@code List} of these. Thread-safe.
 *
 * <p>All methods throw {@link RedisUnavailableException}, which tells whether the command may have
 * been executed, when the server cannot be reached or does not answer in time. They throw {@link
 * RedisReplyException} when the server answers with an error.
 */
public interface Redis extends AutoCloseable {

  /** Sends one command. */
  @Nullable Object call(String... command);

  /** Runs a script. Its text is sent only when the server does not know it yet. */
  @Nullable Object run(LuaScript luaScript, List<String> keys, List<String> arguments);

  /**
   * Sends commands together and returns their replies in order. If one fails, its error is thrown
   * after all have been executed.
   */
  List<@Nullable Object> pipelined(List<List<String>> commands);

  /**
   * Sends commands together between MULTI and EXEC: all of them reach the server, or none. A
   * command that finds a value of the wrong type fails alone, since Redis does not roll back.
   */
  List<@Nullable Object> transaction(List<List<String>> commands);

  /** Returns a separate connection for blocking waits. It connects at the first use. */
  BlockingConnection blocking();

  /** Closes all connections; waiting calls fail. */
  @Override
  void close();

  /**
   * A connection that waits for entries of a list. For one thread at a time, except {@code
   * interrupt}.
   */
  interface BlockingConnection extends AutoCloseable {

    /**
     * Sends {@code BLMOVE from to LEFT RIGHT}.
     *
     * @return the entry that was moved; null when none came within the timeout, or when interrupted
     */
    @Nullable String move(String from, String to, Duration timeout);

    /**
     * Ends the current wait. If there is none, the next one ends at once, so that a stop cannot
     * come a moment too early. {@code move} still returns an entry that arrives at that moment. If
     * the server does not permit the user CLIENT UNBLOCK, the wait lasts until its timeout.
     */
    void interrupt();

    @Override
    void close();
  }
}
