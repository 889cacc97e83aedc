package io.millrace.redis.sim;

import static io.millrace.redis.sim.SimCommand.bit;
import static io.millrace.redis.sim.SimCommand.grow;
import static io.millrace.redis.sim.SimCommand.integer;
import static io.millrace.redis.sim.SimCommand.read;
import static io.millrace.redis.sim.SimCommand.write;

import io.millrace.redis.connect.RedisReplyException;
import io.millrace.redis.sim.SimKeys.Scores;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The commands on sets and sorted sets. */
final class SimSets {

  private SimSets() {}

  static void add(Map<String, SimCommand> table) {
    table.put("SADD", grow(2, SimSets::addMembers));
    table.put("SREM", write(2, SimSets::removeMembers));
    table.put("SMEMBERS", read(1, (keys, a) -> List.copyOf(keys.set(a.getFirst()))));
    table.put("SISMEMBER", read(2, (keys, a) -> bit(keys.set(a.getFirst()).contains(a.get(1)))));
    table.put("SCARD", read(1, (keys, a) -> (long) keys.set(a.getFirst()).size()));
    table.put("ZADD", grow(3, SimSets::addScores));
    table.put("ZREM", write(2, SimSets::removeScores));
    table.put("ZCARD", read(1, (keys, a) -> (long) keys.scores(a.getFirst()).size()));
    table.put("ZSCORE", read(2, (keys, a) -> text(keys.scores(a.getFirst()).get(a.get(1)))));
    table.put("ZCOUNT", read(3, (keys, a) -> (long) between(keys, a, false).size()));
    table.put("ZRANGE", read(3, SimSets::range));
    table.put("ZRANGEBYSCORE", read(3, (keys, a) -> byScore(keys, a, false)));
    table.put("ZREVRANGE", read(3, (keys, a) -> byRank(keys, a, true)));
    table.put(
        "ZREMRANGEBYRANK",
        write(
            3,
            (keys, a) -> {
              long from = integer(a.get(1));
              long to = integer(a.get(2));
              return drop(
                  keys,
                  a.getFirst(),
                  SimCommand.range(sorted(keys.scores(a.getFirst())), from, to));
            }));
    table.put(
        "ZREMRANGEBYSCORE",
        write(3, (keys, a) -> drop(keys, a.getFirst(), between(keys, a, false))));
  }

  private static Object addMembers(SimKeys keys, List<String> a) {
    Set<String> set = keys.changeSet(a.getFirst());
    return a.subList(1, a.size()).stream().filter(set::add).count();
  }

  private static Object removeMembers(SimKeys keys, List<String> a) {
    if (keys.set(a.getFirst()).isEmpty()) {
      return 0L;
    }
    Set<String> set = keys.changeSet(a.getFirst());
    long removed = a.subList(1, a.size()).stream().filter(set::remove).count();
    keys.settle(a.getFirst());
    return removed;
  }

  private static Object addScores(SimKeys keys, List<String> a) {
    int at = 1;
    boolean onlyNew = false;
    boolean onlyOld = false;
    for (; at < a.size(); at++) {
      String option = a.get(at).toUpperCase(Locale.ROOT);
      if (option.equals("NX")) {
        onlyNew = true;
      } else if (option.equals("XX")) {
        onlyOld = true;
      } else {
        break;
      }
    }
    if (at >= a.size() || (a.size() - at) % 2 != 0) {
      throw SimCommand.syntax();
    }
    for (int i = at; i < a.size(); i += 2) {
      number(a.get(i));
    }
    Scores scores = keys.changeScores(a.getFirst());
    long added = 0;
    for (int i = at; i < a.size(); i += 2) {
      boolean known = scores.containsKey(a.get(i + 1));
      if (known ? !onlyNew : !onlyOld) {
        scores.put(a.get(i + 1), number(a.get(i)));
        added += bit(!known);
      }
    }
    keys.settle(a.getFirst());
    return added;
  }

  private static Object removeScores(SimKeys keys, List<String> a) {
    Scores scores = keys.scores(a.getFirst());
    long removed = a.subList(1, a.size()).stream().filter(m -> scores.remove(m) != null).count();
    keys.settle(a.getFirst());
    return removed;
  }

  private static Object range(SimKeys keys, List<String> a) {
    boolean score = false;
    boolean back = false;
    for (String option : a.subList(3, a.size())) {
      score |= option.equalsIgnoreCase("BYSCORE");
      back |= option.equalsIgnoreCase("REV");
    }
    return score ? byScore(keys, a, back) : byRank(keys, a, back);
  }

  private static Object byRank(SimKeys keys, List<String> a, boolean back) {
    long from = integer(a.get(1));
    long to = integer(a.get(2));
    Scores scores = keys.scores(a.getFirst());
    List<String> members = back ? sorted(scores).reversed() : sorted(scores);
    return withScores(scores, SimCommand.range(members, from, to), a);
  }

  private static Object byScore(SimKeys keys, List<String> a, boolean back) {
    List<String> members = between(keys, a, back);
    for (int i = 3; i + 2 < a.size(); i++) {
      if (a.get(i).equalsIgnoreCase("LIMIT")) {
        long skip = integer(a.get(i + 1));
        long count = integer(a.get(i + 2));
        members = members.stream().skip(skip).limit(count < 0 ? Long.MAX_VALUE : count).toList();
        break;
      }
    }
    return withScores(keys.scores(a.getFirst()), members, a);
  }

  /**
   * Returns the members whose score is between the second and third argument, which are swapped if
   * {@code back} is true.
   */
  private static List<String> between(SimKeys keys, List<String> a, boolean back) {
    Bound low = bound(a.get(back ? 2 : 1));
    Bound high = bound(a.get(back ? 1 : 2));
    Scores scores = keys.scores(a.getFirst());
    List<String> found =
        sorted(scores).stream()
            .filter(m ->
                (low.open ? scores.get(m) > low.at : scores.get(m) >= low.at)
                    && (high.open ? scores.get(m) < high.at : scores.get(m) <= high.at))
            .toList();
    return back ? found.reversed() : found;
  }

  private record Bound(double at, boolean open) {}

  private static Bound bound(String text) {
    try {
      boolean open = text.startsWith("(");
      return new Bound(parse(open ? text.substring(1) : text), open);
    } catch (NumberFormatException e) {
      throw new RedisReplyException("ERR min or max is not a float");
    }
  }

  private static long drop(SimKeys keys, String key, List<String> members) {
    Scores scores = keys.scores(key);
    members.forEach(scores::remove);
    keys.settle(key);
    return members.size();
  }

  private static List<String> withScores(Scores scores, List<String> members, List<String> a) {
    if (a.subList(3, a.size()).stream().noneMatch("WITHSCORES"::equalsIgnoreCase)) {
      return members;
    }
    List<String> pairs = new ArrayList<>();
    for (String member : members) {
      pairs.add(member);
      pairs.add(String.valueOf(text(scores.get(member))));
    }
    return pairs;
  }

  private static List<String> sorted(Scores scores) {
    return scores.keySet().stream()
        .sorted(Comparator.<String, Double>comparing(scores::get).thenComparing(m -> m))
        .toList();
  }

  static @Nullable String text(@Nullable Double score) {
    if (score == null) {
      return null;
    }
    if (score.isInfinite()) {
      return score > 0 ? "inf" : "-inf";
    }
    return score == Math.rint(score) && Math.abs(score) < 1e17
        ? Long.toString(score.longValue())
        : Double.toString(score);
  }

  private static double number(String text) {
    try {
      return parse(text);
    } catch (NumberFormatException e) {
      throw new RedisReplyException("ERR value is not a valid float");
    }
  }

  private static double parse(String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "-inf" -> Double.NEGATIVE_INFINITY;
      case "+inf", "inf" -> Double.POSITIVE_INFINITY;
      default -> Double.parseDouble(text);
    };
  }
}
