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
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The commands on hashes. */
final class SimHashes {

  private SimHashes() {}

  static void add(Map<String, SimCommand> table) {
    table.put("HSET", grow(3, (keys, a) -> set(keys, a, "hset")));
    table.put(
        "HMSET",
        grow(
            3,
            (keys, a) -> {
              set(keys, a, "hmset");
              return Status.OK;
            }));
    table.put(
        "HSETNX",
        grow(
            3,
            (keys, a) ->
                bit(keys.changeHash(a.getFirst()).putIfAbsent(a.get(1), a.get(2)) == null)));
    table.put("HGET", read(2, (keys, a) -> keys.hash(a.getFirst()).get(a.get(1))));
    table.put("HMGET", read(2, SimHashes::getMany));
    table.put("HGETALL", read(1, SimHashes::getAll));
    table.put("HKEYS", read(1, (keys, a) -> List.copyOf(keys.hash(a.getFirst()).keySet())));
    table.put("HVALS", read(1, (keys, a) -> List.copyOf(keys.hash(a.getFirst()).values())));
    table.put("HLEN", read(1, (keys, a) -> (long) keys.hash(a.getFirst()).size()));
    table.put("HEXISTS", read(2, (keys, a) -> bit(keys.hash(a.getFirst()).containsKey(a.get(1)))));
    table.put("HDEL", write(2, SimHashes::delete));
    table.put("HINCRBY", grow(3, SimHashes::increase));
    table.put("HSCAN", read(2, (keys, a) -> List.of("0", getAll(keys, a))));
  }

  private static Object set(SimKeys keys, List<String> a, String name) {
    if (a.size() % 2 == 0) {
      throw new RedisReplyException("ERR wrong number of arguments for '" + name + "' command");
    }
    Map<String, String> hash = keys.changeHash(a.getFirst());
    long added = 0;
    for (int i = 1; i < a.size(); i += 2) {
      added += bit(hash.put(a.get(i), a.get(i + 1)) == null);
    }
    return added;
  }

  private static Object getMany(SimKeys keys, List<String> a) {
    Map<String, String> hash = keys.hash(a.getFirst());
    List<@Nullable Object> values = new ArrayList<>();
    a.subList(1, a.size()).forEach(field -> values.add(hash.get(field)));
    return values;
  }

  private static Object getAll(SimKeys keys, List<String> a) {
    List<String> all = new ArrayList<>();
    keys.hash(a.getFirst())
        .forEach((field, value) -> {
          all.add(field);
          all.add(value);
        });
    return all;
  }

  private static Object delete(SimKeys keys, List<String> a) {
    if (keys.hash(a.getFirst()).isEmpty()) {
      return 0L;
    }
    Map<String, String> hash = keys.changeHash(a.getFirst());
    long removed = a.subList(1, a.size()).stream().filter(f -> hash.remove(f) != null).count();
    keys.settle(a.getFirst());
    return removed;
  }

  private static Object increase(SimKeys keys, List<String> a) {
    long by = integer(a.get(2));
    Map<String, String> hash = keys.hash(a.getFirst());
    long sum;
    try {
      sum = Math.addExact(Long.parseLong(hash.getOrDefault(a.get(1), "0")), by);
    } catch (NumberFormatException e) {
      throw new RedisReplyException("ERR hash value is not an integer");
    } catch (ArithmeticException e) {
      throw new RedisReplyException("ERR increment or decrement would overflow");
    }
    keys.changeHash(a.getFirst()).put(a.get(1), Long.toString(sum));
    return sum;
  }
}
