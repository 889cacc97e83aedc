package io.millrace.redis.sim;

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
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The commands on lists. */
final class SimLists {

  private SimLists() {}

  static void add(Map<String, SimCommand> table) {
    table.put("LPUSH", grow(2, (keys, a) -> push(keys, a, true)));
    table.put("RPUSH", grow(2, (keys, a) -> push(keys, a, false)));
    table.put("LPOP", write(1, (keys, a) -> pop(keys, a.getFirst(), true)));
    table.put("RPOP", write(1, (keys, a) -> pop(keys, a.getFirst(), false)));
    table.put("LLEN", read(1, (keys, a) -> (long) keys.list(a.getFirst()).size()));
    table.put(
        "LRANGE",
        read(
            3,
            (keys, a) -> {
              long from = integer(a.get(1));
              long to = integer(a.get(2));
              return SimCommand.range(keys.list(a.getFirst()), from, to);
            }));
    table.put("LINDEX", read(2, SimLists::index));
    table.put("LREM", write(3, SimLists::remove));
    table.put("LINSERT", grow(4, SimLists::insert));
    table.put("LPOS", read(2, SimLists::position));
    table.put("LTRIM", write(3, SimLists::trim));
    table.put("LMOVE", grow(4, SimLists::move));
  }

  private static Object push(SimKeys keys, List<String> a, boolean head) {
    List<String> list = keys.changeList(a.getFirst());
    for (String entry : a.subList(1, a.size())) {
      list.add(head ? 0 : list.size(), entry);
    }
    return (long) list.size();
  }

  private static @Nullable String pop(SimKeys keys, String key, boolean head) {
    if (keys.list(key).isEmpty()) {
      return null;
    }
    List<String> list = keys.changeList(key);
    String entry = head ? list.removeFirst() : list.removeLast();
    keys.settle(key);
    return entry;
  }

  private static @Nullable Object index(SimKeys keys, List<String> a) {
    List<String> list = keys.list(a.getFirst());
    long at = integer(a.get(1));
    long real = at < 0 ? list.size() + at : at;
    return real < 0 || real >= list.size() ? null : list.get((int) real);
  }

  private static Object remove(SimKeys keys, List<String> a) {
    long count = integer(a.get(1));
    if (keys.list(a.getFirst()).isEmpty()) {
      return 0L;
    }
    List<String> list = keys.changeList(a.getFirst());
    long limit = count == 0 ? Long.MAX_VALUE : Math.abs(count);
    long removed = 0;
    while (removed < limit) {
      int at = count < 0 ? list.lastIndexOf(a.get(2)) : list.indexOf(a.get(2));
      if (at < 0) {
        break;
      }
      list.remove(at);
      removed++;
    }
    keys.settle(a.getFirst());
    return removed;
  }

  private static Object insert(SimKeys keys, List<String> a) {
    String where = a.get(1).toUpperCase(Locale.ROOT);
    if (!where.equals("BEFORE") && !where.equals("AFTER")) {
      throw SimCommand.syntax();
    }
    if (keys.list(a.getFirst()).isEmpty()) {
      return 0L;
    }
    List<String> list = keys.changeList(a.getFirst());
    int at = list.indexOf(a.get(2));
    if (at < 0) {
      return -1L;
    }
    list.add(where.equals("AFTER") ? at + 1 : at, a.get(3));
    return (long) list.size();
  }

  private static @Nullable Object position(SimKeys keys, List<String> a) {
    long rank = 1;
    long count = -1;
    long most = 0;
    for (int i = 2; i + 1 < a.size(); i += 2) {
      switch (a.get(i).toUpperCase(Locale.ROOT)) {
        case "RANK" -> rank = integer(a.get(i + 1));
        case "COUNT" -> count = integer(a.get(i + 1));
        case "MAXLEN" -> most = integer(a.get(i + 1));
        default -> throw SimCommand.syntax();
      }
    }
    if (rank == 0) {
      throw new RedisReplyException("ERR RANK can't be zero");
    }
    List<String> list = keys.list(a.getFirst());
    boolean back = rank < 0;
    List<Long> found =
        IntStream.range(0, list.size())
            .map(i -> back ? list.size() - 1 - i : i)
            .limit(most == 0 ? Long.MAX_VALUE : most)
            .filter(i -> list.get(i).equals(a.get(1)))
            .skip(Math.abs(rank) - 1)
            .limit(count < 0 ? 1 : count == 0 ? Long.MAX_VALUE : count)
            .mapToObj(i -> (long) i)
            .toList();
    if (count >= 0) {
      return found;
    }
    return found.isEmpty() ? null : found.getFirst();
  }

  private static Object trim(SimKeys keys, List<String> a) {
    List<String> kept =
        SimCommand.range(keys.list(a.getFirst()), integer(a.get(1)), integer(a.get(2)));
    if (keys.exists(a.getFirst())) {
      keys.put(a.getFirst(), new ArrayList<>(kept));
      keys.settle(a.getFirst());
    }
    return Status.OK;
  }

  static @Nullable Object move(SimKeys keys, List<String> a) {
    boolean fromHead = side(a.get(2));
    boolean toHead = side(a.get(3));
    if (keys.list(a.getFirst()).isEmpty()) {
      return null;
    }
    keys.list(a.get(1)); // which fails when it is not a list
    List<String> source = keys.changeList(a.getFirst());
    String entry = fromHead ? source.removeFirst() : source.removeLast();
    push(keys, List.of(a.get(1), entry), toHead);
    keys.settle(a.getFirst()); // only now, since both may be one list that keeps its end
    return entry;
  }

  private static boolean side(String text) {
    return switch (text.toUpperCase(Locale.ROOT)) {
      case "LEFT" -> true;
      case "RIGHT" -> false;
      default -> throw SimCommand.syntax();
    };
  }
}
