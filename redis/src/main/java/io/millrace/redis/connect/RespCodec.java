package io.millrace.redis.connect;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisDataException;

/** Encodes commands as bytes, and decodes replies. */
final class RespCodec {

  private RespCodec() {}

  /** Returns the bytes of one command. */
  static byte[] bytes(List<String> command) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(command.size() * 48);
    number(out, '*', command.size());
    for (String argument : command) {
      byte[] text = argument.getBytes(StandardCharsets.UTF_8);
      number(out, '$', text.length);
      out.writeBytes(text);
      out.write('\r');
      out.write('\n');
    }
    return out.toByteArray();
  }

  private static void number(ByteArrayOutputStream out, char kind, int number) {
    out.write(kind);
    if (number < 10) {
      out.write('0' + number);
    } else {
      out.writeBytes(Integer.toString(number).getBytes(StandardCharsets.US_ASCII));
    }
    out.write('\r');
    out.write('\n');
  }

  /**
   * Returns a reply of the driver as null, Long, String or a list of these.
   *
   * @throws RedisReplyException if it is an error, or a list that contains one
   */
  static @Nullable Object value(@Nullable Object raw) {
    return switch (raw) {
      case null -> null;
      case byte[] text -> new String(text, StandardCharsets.UTF_8);
      case List<?> list -> values(list);
      case JedisDataException error -> throw new RedisReplyException(message(error));
      default -> raw;
    };
  }

  static List<@Nullable Object> values(List<?> raw) {
    List<@Nullable Object> values = new ArrayList<>(raw.size());
    for (Object one : raw) {
      values.add(value(one));
    }
    return values;
  }

  static String message(JedisDataException error) {
    return String.valueOf(error.getMessage());
  }
}
