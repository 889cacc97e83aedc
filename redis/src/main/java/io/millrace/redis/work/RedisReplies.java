package io.millrace.redis.work;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads values from replies of the server. */
final class RedisReplies {

  private RedisReplies() {}

  static Object need(@Nullable Object reply) {
    if (reply == null) {
      throw new IllegalStateException("The server answered nothing where a script must answer");
    }
    return reply;
  }

  static String text(@Nullable Object reply) {
    return (String) need(reply);
  }

  static String orEmpty(@Nullable Object reply) {
    return reply == null ? "" : (String) reply;
  }

  /** Returns the number in a reply; 0 for null and for other texts. */
  static long number(@Nullable Object reply) {
    if (reply instanceof Long number) {
      return number;
    }
    try {
      return reply == null ? 0 : Long.parseLong((String) reply);
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  @SuppressWarnings("unchecked") // replies hold texts and nulls here
  static List<@Nullable String> texts(Object reply) {
    return (List<@Nullable String>) reply;
  }
}
