package io.millrace.redis.sim;

import io.millrace.redis.connect.RedisReplyException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One command of the simulated server.
 *
 * @param least smallest number of arguments
 * @param writes true if it may change something
 * @param grows true if it is refused when the memory is full
 */
record SimCommand(int least, boolean writes, boolean grows, Body body) {

  /** Effect of a command. Replies are null, Long, String, {@link Status} or List. */
  @FunctionalInterface
  interface Body {
    @Nullable Object run(SimKeys keys, List<String> arguments);
  }

  /** A simple string, which Lua sees as a table. */
  record Status(String text) {
    static final Status OK = new Status("OK");
  }

  static SimCommand read(int least, Body body) {
    return new SimCommand(least, false, false, body);
  }

  /** Returns a command that only frees memory. */
  static SimCommand write(int least, Body body) {
    return new SimCommand(least, true, false, body);
  }

  static SimCommand grow(int least, Body body) {
    return new SimCommand(least, true, true, body);
  }

  static long integer(String text) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new RedisReplyException("ERR value is not an integer or out of range");
    }
  }

  static RedisReplyException syntax() {
    return new RedisReplyException("ERR syntax error");
  }

  static long bit(boolean condition) {
    return condition ? 1 : 0;
  }

  /** Returns the part of a list between two indexes, where negative ones count from the end. */
  static <T> List<T> range(List<T> items, long from, long to) {
    long first = from < 0 ? Math.max(0, items.size() + from) : from;
    long last = Math.min(items.size() - 1L, to < 0 ? items.size() + to : to);
    return first > last ? List.of() : List.copyOf(items.subList((int) first, (int) last + 1));
  }
}
