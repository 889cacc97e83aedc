package io.millrace.redis.sim;

import io.millrace.redis.connect.RedisReplyException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The keys of one simulated server, with their types and expiry times. */
final class SimKeys {

  /** A sorted set; ordered when read, since the sets of tests are small. */
  static final class Scores extends HashMap<String, Double> {}

  private final SimRedisClock clock;
  private final Map<String, Object> values = new HashMap<>();
  private final Map<String, Long> ends = new HashMap<>();

  SimKeys(SimRedisClock clock) {
    this.clock = clock;
  }

  @Nullable Object get(String key) {
    Long end = ends.get(key);
    if (end != null && end <= clock.millis()) {
      delete(key);
    }
    return values.get(key);
  }

  boolean exists(String key) {
    return get(key) != null;
  }

  void put(String key, Object value) {
    values.put(key, value);
  }

  boolean delete(String key) {
    boolean there = values.remove(key) != null;
    ends.remove(key);
    return there;
  }

  /** Removes a collection that has become empty, as Redis does. */
  void settle(String key) {
    Object value = values.get(key);
    boolean empty =
        switch (value) {
          case Collection<?> items -> items.isEmpty();
          case Map<?, ?> fields -> fields.isEmpty();
          case null, default -> false;
        };
    if (empty) {
      delete(key);
    }
  }

  void clear() {
    values.clear();
    ends.clear();
  }

  Set<String> names() {
    new ArrayList<>(values.keySet()).forEach(this::get);
    return new LinkedHashSet<>(values.keySet());
  }

  /** Returns milliseconds; -1 without an expiry, -2 without the key. */
  long timeToLive(String key) {
    if (!exists(key)) {
      return -2;
    }
    Long end = ends.get(key);
    return end == null ? -1 : end - clock.millis();
  }

  @Nullable Long end(String key) {
    return exists(key) ? ends.get(key) : null;
  }

  void end(String key, @Nullable Long at) {
    if (at == null) {
      ends.remove(key);
    } else {
      ends.put(key, at);
    }
  }

  long now() {
    return clock.millis();
  }

  @Nullable String text(String key) {
    return typed(key, String.class);
  }

  /** Returns a list, or an empty list when there is none; {@code change} creates one. */
  List<String> list(String key) {
    Object value = get(key);
    return value == null ? List.of() : asList(value);
  }

  List<String> changeList(String key) {
    Object value = get(key);
    if (value == null) {
      value = new ArrayList<String>();
      put(key, value);
    }
    return asList(value);
  }

  Map<String, String> hash(String key) {
    Object value = get(key);
    return value == null ? Map.of() : asHash(value);
  }

  Map<String, String> changeHash(String key) {
    Object value = get(key);
    if (value == null) {
      value = new LinkedHashMap<String, String>();
      put(key, value);
    }
    return asHash(value);
  }

  Scores scores(String key) {
    Scores found = typed(key, Scores.class);
    return found == null ? new Scores() : found;
  }

  Scores changeScores(String key) {
    Scores found = typed(key, Scores.class);
    if (found == null) {
      found = new Scores();
      put(key, found);
    }
    return found;
  }

  Set<String> set(String key) {
    Object value = get(key);
    return value == null ? Set.of() : asSet(value);
  }

  Set<String> changeSet(String key) {
    Object value = get(key);
    if (value == null) {
      value = new LinkedHashSet<String>();
      put(key, value);
    }
    return asSet(value);
  }

  String type(String key) {
    return switch (get(key)) {
      case null -> "none";
      case String text -> "string";
      case List<?> list -> "list";
      case Scores scores -> "zset";
      case Map<?, ?> hash -> "hash";
      default -> "set";
    };
  }

  /** Returns all keys in an order and form that can be compared. */
  SortedMap<String, Object> dump() {
    SortedMap<String, Object> all = new TreeMap<>();
    for (String key : names()) {
      Object value = values.get(key);
      all.put(
          key,
          switch (value) {
            case Scores scores -> new TreeMap<>(scores);
            case Map<?, ?> hash -> new TreeMap<>(hash);
            case Set<?> set -> new LinkedHashSet<>(set);
            case List<?> list -> List.copyOf(list);
            case null, default -> String.valueOf(value);
          });
    }
    return all;
  }

  private <T> @Nullable T typed(String key, Class<T> type) {
    Object value = get(key);
    if (value != null && !type.isInstance(value)) {
      throw wrongType();
    }
    return type.cast(value);
  }

  @SuppressWarnings("unchecked") // lists of other things are never put
  private static List<String> asList(Object value) {
    if (!(value instanceof List<?>)) {
      throw wrongType();
    }
    return (List<String>) value;
  }

  @SuppressWarnings("unchecked") // maps of other things are never put
  private static Map<String, String> asHash(Object value) {
    if (!(value instanceof Map<?, ?>) || value instanceof Scores) {
      throw wrongType();
    }
    return (Map<String, String>) value;
  }

  @SuppressWarnings("unchecked") // sets of other things are never put
  private static Set<String> asSet(Object value) {
    if (!(value instanceof Set<?>)) {
      throw wrongType();
    }
    return (Set<String>) value;
  }

  private static RedisReplyException wrongType() {
    return new RedisReplyException(
        "WRONGTYPE Operation against a key holding the wrong kind of value");
  }
}
