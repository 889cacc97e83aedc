package io.millrace.redis.sim;

import static io.millrace.redis.sim.SimCommand.bit;
import static io.millrace.redis.sim.SimCommand.grow;
import static io.millrace.redis.sim.SimCommand.integer;
import static io.millrace.redis.sim.SimCommand.read;
import static io.millrace.redis.sim.SimCommand.write;

import io.millrace.redis.connect.RedisReplyException;
import io.millrace.redis.sim.SimCommand.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The commands on strings, on keys of all types, and on the server. */
final class SimGeneric {

  private SimGeneric() {}

  static void add(Map<String, SimCommand> table) {
    addStrings(table);
    table.put("DEL", write(1, (keys, a) -> a.stream().filter(k -> drop(keys, k)).count()));
    table.put("UNLINK", write(1, (keys, a) -> a.stream().filter(k -> drop(keys, k)).count()));
    table.put("EXISTS", read(1, (keys, a) -> a.stream().filter(keys::exists).count()));
    table.put("TYPE", read(1, (keys, a) -> new Status(keys.type(a.getFirst()))));
    table.put("EXPIRE", write(2, (keys, a) -> expire(keys, a, 1_000)));
    table.put("PEXPIRE", write(2, (keys, a) -> expire(keys, a, 1)));
    table.put("PERSIST", write(1, SimGeneric::persist));
    table.put("PTTL", read(1, (keys, a) -> keys.timeToLive(a.getFirst())));
    table.put(
        "TTL",
        read(
            1,
            (keys, a) -> {
              long left = keys.timeToLive(a.getFirst());
              return left < 0 ? left : (left + 500) / 1_000;
            }));
    table.put("TIME", read(0, (keys, a) -> time(keys.now())));
    table.put("PING", read(0, (keys, a) -> new Status("PONG")));
    table.put("DBSIZE", read(0, (keys, a) -> (long) keys.names().size()));
    table.put("KEYS", read(1, (keys, a) -> matching(keys, a.getFirst())));
    table.put("SCAN", read(1, SimGeneric::scan));
    table.put("FLUSHALL", write(0, SimGeneric::flush));
    table.put("FLUSHDB", write(0, SimGeneric::flush));
    table.put(
        "INFO",
        read(0, (keys, a) -> "# Server\r\nredis_version:7.0.15\r\nredis_mode:standalone\r\n"));
  }

  private static void addStrings(Map<String, SimCommand> table) {
    table.put("GET", read(1, (keys, a) -> keys.text(a.getFirst())));
    table.put("SET", grow(2, SimGeneric::set));
    table.put("MGET", read(1, SimGeneric::getMany));
    table.put("INCR", grow(1, (keys, a) -> increase(keys, a.getFirst(), 1)));
    table.put("DECR", grow(1, (keys, a) -> increase(keys, a.getFirst(), -1)));
    table.put("INCRBY", grow(2, (keys, a) -> increase(keys, a.getFirst(), integer(a.get(1)))));
    table.put("PUBLISH", read(2, (keys, a) -> 0L));
  }

  private static @Nullable Object set(SimKeys keys, List<String> a) {
    Long end = null;
    boolean keep = false;
    boolean onlyNew = false;
    boolean onlyOld = false;
    for (int i = 2; i < a.size(); i++) {
      switch (a.get(i).toUpperCase(Locale.ROOT)) {
        case "EX" -> end = keys.now() + lasting("set", a, ++i) * 1_000;
        case "PX" -> end = keys.now() + lasting("set", a, ++i);
        case "KEEPTTL" -> keep = true;
        case "NX" -> onlyNew = true;
        case "XX" -> onlyOld = true;
        default -> throw SimCommand.syntax();
      }
    }
    String key = a.getFirst();
    if (keys.exists(key) ? onlyNew : onlyOld) {
      return null;
    }
    Long before = keys.end(key);
    keys.put(key, a.get(1));
    keys.end(key, keep ? before : end);
    return Status.OK;
  }

  private static long lasting(String name, List<String> a, int at) {
    if (at >= a.size()) {
      throw SimCommand.syntax();
    }
    long time = integer(a.get(at));
    if (time <= 0) {
      throw new RedisReplyException("ERR invalid expire time in '" + name + "' command");
    }
    return time;
  }

  private static Object getMany(SimKeys keys, List<String> a) {
    List<@Nullable Object> values = new ArrayList<>();
    a.forEach(key -> values.add(keys.get(key) instanceof String text ? text : null));
    return values;
  }

  private static Object increase(SimKeys keys, String key, long by) {
    String before = keys.text(key);
    long sum = integer(before == null ? "0" : before) + by;
    keys.put(key, Long.toString(sum));
    return sum;
  }

  private static boolean drop(SimKeys keys, String key) {
    keys.get(key); // which deletes it if it has expired
    return keys.delete(key);
  }

  private static Object expire(SimKeys keys, List<String> a, long unit) {
    long time = integer(a.get(1)) * unit;
    String key = a.getFirst();
    long left = keys.timeToLive(key);
    if (left == -2) {
      return 0L;
    }
    for (String option : a.subList(2, a.size())) {
      boolean allowed =
          switch (option.toUpperCase(Locale.ROOT)) {
            case "NX" -> left == -1;
            case "XX" -> left != -1;
            default -> throw new RedisReplyException("ERR Unsupported option " + option);
          };
      if (!allowed) {
        return 0L;
      }
    }
    if (time <= 0) {
      keys.delete(key);
    } else {
      keys.end(key, keys.now() + time);
    }
    return 1L;
  }

  private static Object persist(SimKeys keys, List<String> a) {
    boolean had = keys.end(a.getFirst()) != null;
    keys.end(a.getFirst(), null);
    return bit(had);
  }

  private static Object time(long millis) {
    return List.of(Long.toString(millis / 1_000), Long.toString(millis % 1_000 * 1_000));
  }

  private static List<String> matching(SimKeys keys, String glob) {
    Pattern pattern =
        Pattern.compile(
            Pattern.quote(glob).replace("*", "\\E.*\\Q").replace("?", "\\E.\\Q"), Pattern.DOTALL);
    return keys.names().stream().filter(k -> pattern.matcher(k).matches()).sorted().toList();
  }

  private static Object scan(SimKeys keys, List<String> a) {
    String glob = "*";
    for (int i = 1; i + 1 < a.size(); i += 2) {
      if (a.get(i).equalsIgnoreCase("MATCH")) {
        glob = a.get(i + 1);
      }
    }
    return List.of("0", matching(keys, glob));
  }

  private static Object flush(SimKeys keys, List<String> a) {
    keys.clear();
    return Status.OK;
  }
}
