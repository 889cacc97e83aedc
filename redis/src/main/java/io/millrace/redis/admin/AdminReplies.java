package io.millrace.redis.admin;

import io.millrace.redis.connect.Redis;
import io.millrace.redis.connect.RedisReplyException;
import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads values from replies of Redis. */
final class AdminReplies {

  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final Pattern UUID7 =
      Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}");

  private AdminReplies() {}

  /**
   * Returns the replies to commands in one round trip. If the server refuses some, for a key of the
   * wrong type for example, each command is sent alone, and the refused ones have the reply null.
   */
  static List<@Nullable Object> lenient(Redis redis, List<List<String>> commands) {
    if (commands.isEmpty()) {
      return List.of();
    }
    try {
      return redis.pipelined(commands);
    } catch (RedisReplyException e) {
      List<@Nullable Object> replies = new ArrayList<>(commands.size());
      commands.forEach(command -> replies.add(answer(redis, command)));
      return replies;
    }
  }

  private static @Nullable Object answer(Redis redis, List<String> command) {
    try {
      return redis.call(command.toArray(String[]::new));
    } catch (RedisReplyException e) {
      return null;
    }
  }

  /** Returns the texts of a list; none for null. */
  static List<String> texts(@Nullable Object reply) {
    List<String> texts = new ArrayList<>();
    if (reply instanceof List<?> list) {
      list.forEach(one -> texts.add(String.valueOf(one)));
    }
    return texts;
  }

  /** Returns the pairs of a hash, or of a sorted set with its scores. */
  static Map<String, String> pairs(@Nullable Object reply) {
    Map<String, String> pairs = new TreeMap<>();
    List<String> texts = texts(reply);
    for (int i = 0; i + 1 < texts.size(); i += 2) {
      pairs.put(texts.get(i), texts.get(i + 1));
    }
    return pairs;
  }

  static @Nullable String text(@Nullable Object reply) {
    return reply == null ? null : reply.toString();
  }

  /** Returns the number in a reply; 0 when it has none. */
  static long number(@Nullable Object reply) {
    return switch (reply) {
      case Long number -> number;
      case String text -> parsed(text);
      case null, default -> 0;
    };
  }

  private static long parsed(String text) {
    try {
      return (long) Double.parseDouble(text);
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  /** Returns the time in the reply to the command TIME, in milliseconds since 1970. */
  static long millis(@Nullable Object reply) {
    List<String> parts = texts(reply);
    return parts.size() < 2 ? 0 : parsed(parts.get(0)) * 1000 + parsed(parts.get(1)) / 1000;
  }

  static Optional<JsonNode> json(@Nullable String text) {
    try {
      return text == null ? Optional.empty() : Optional.of(JSON.readTree(text));
    } catch (JacksonException e) {
      return Optional.empty();
    }
  }

  /** Returns the time of an ISO 8601 text; empty for any other text. */
  static Optional<Instant> time(@Nullable String text) {
    try {
      return Optional.ofNullable(text).map(Instant::parse);
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  /** Returns the content of a JSON string; a text that is not a JSON string unchanged. */
  static @Nullable String unquoted(@Nullable String field) {
    return json(field).filter(JsonNode::isString).map(JsonNode::stringValue).orElse(field);
  }

  /** Returns when an id was created; empty for ids that do not tell. */
  static Optional<Instant> madeAt(String id) {
    return UUID7.matcher(id).matches()
        ? Optional.of(
            Instant.ofEpochMilli(
                new BigInteger(id.replace("-", "").substring(0, 12), 16).longValue()))
        : Optional.empty();
  }
}
