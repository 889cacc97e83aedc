package io.millrace.redis.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Tests of the rate limit. The time is an argument, so that no test waits; counters live longer
 * than any test runs.
 */
class RateLimitScriptTest {

  private static final long WINDOW = 1_000_000;
  private static final long START = 1_700_000_000_000L;

  private final LuaRunner luaRunner = new LuaRunner();

  @AfterEach
  void close() {
    luaRunner.close();
  }

  @Test
  void restsUntilTheWindowEndsOnceTheJobsOfTheWindowHaveBegun() {
    assertThat(startWait(2, START)).isZero();
    countStart(START);
    assertThat(startWait(2, START + 100)).isZero();
    countStart(START + 100);
    assertThat(startWait(2, START + 100)).isEqualTo(WINDOW - 100);
    assertThat(startWait(2, START + WINDOW - 1)).isEqualTo(1);
    assertThat(startWait(2, START + WINDOW)).isZero();
    countStart(START + WINDOW);
    assertThat(startWait(2, START + WINDOW)).isZero();
  }

  @Test
  void countersExpireByThemselves() {
    countStart(START);
    for (int i = 0; i < 5; i++) {
      admit("red", 1, START, false);
    }

    assertThat(luaRunner.number("PTTL", luaRunner.key("limit"))).isBetween(1L, 2 * WINDOW);
    assertThat(luaRunner.number("PTTL", luaRunner.key("limit:red"))).isBetween(1L, 6 * WINDOW);
  }

  @Test
  void delayedJobsOfAGroupGetPlacesInTheOrderOfAskingAndOthersDoNotTakeThem() {
    assertThat(admit("red", 2, START, false)).isZero();
    assertThat(admit("red", 2, START, false)).isZero();
    assertThat(admit("red", 2, START, false)).isEqualTo(START + WINDOW);
    assertThat(admit("red", 2, START + 10, false)).isEqualTo(START + WINDOW);
    assertThat(admit("red", 2, START + 20, false)).isEqualTo(START + 2 * WINDOW);
    assertThat(admit("blue", 2, START, false)).as("another group").isZero();

    assertThat(admit("red", 2, START + WINDOW, false))
        .as("all places given")
        .isEqualTo(START + 2 * WINDOW);
    assertThat(admit("red", 2, START + WINDOW + 1, true)).isZero();
    assertThat(admit("red", 2, START + WINDOW + 2, true)).isZero();
    assertThat(admit("red", 2, START + WINDOW + 3, true)).isEqualTo(START + 2 * WINDOW);
  }

  /** The example in the comment of the script, with the counters w, n, b and k after each call. */
  @Test
  void countersOfAGroupFollowTheExampleOfTheScript() {
    assertThat(admit("red", 2, at(7, 100), false)).as("A").isZero();
    assertThat(admit("red", 2, at(7, 100), false)).as("B").isZero();
    assertThat(counters()).containsExactly("7", "2", "null", "null");
    assertThat(admit("red", 2, at(7, 200), false)).as("C").isEqualTo(at(8, 0));
    assertThat(admit("red", 2, at(7, 200), false)).as("D").isEqualTo(at(8, 0));
    assertThat(counters()).containsExactly("7", "2", "8", "2");
    assertThat(admit("red", 2, at(7, 300), false)).as("E").isEqualTo(at(9, 0));
    assertThat(counters()).containsExactly("7", "2", "9", "1");
    assertThat(admit("red", 2, at(8, 0), true)).as("C").isZero();
    assertThat(admit("red", 2, at(8, 0), true)).as("D").isZero();
    assertThat(counters()).containsExactly("8", "2", "9", "1");
    assertThat(admit("red", 2, at(9, 50), false)).as("F").isZero();
    assertThat(counters()).containsExactly("9", "1", "9", "1");
    assertThat(admit("red", 2, at(9, 60), false)).as("G").isEqualTo(at(10, 0));
    assertThat(counters()).containsExactly("9", "1", "10", "1");
    assertThat(admit("red", 2, at(9, 70), true)).as("E").isZero();
    assertThat(counters()).containsExactly("9", "2", "10", "1");
  }

  @Test
  void aJobThatComesLaterThanItsWindowStartsIfAPlaceIsLeftAndOtherwiseComesInTheNextOne() {
    admit("red", 1, at(7, 0), false);
    assertThat(admit("red", 1, at(7, 0), false)).isEqualTo(at(8, 0));
    assertThat(admit("red", 1, at(9, 0), false)).as("another").isZero();
    List<String> counters = counters();

    assertThat(admit("red", 1, at(9, 1), true)).as("late").isEqualTo(at(10, 0));
    assertThat(counters()).as("no new promise").isEqualTo(counters);
    assertThat(admit("red", 1, at(10, 0), true)).isZero();
  }

  /** Every job starts, none before its window has room, and never more in a window than allowed. */
  @Test
  void neverLetsMoreBeginInAWindowThanAllowedAndEachJobComesBackOnlyOnce() {
    int jobs = 3;
    TreeMap<Long, Queue<Integer>> due = new TreeMap<>();
    due.put(START, new ArrayDeque<>());
    for (int job = 0; job < 20; job++) {
      due.get(START).add(job);
    }
    Set<Integer> promised = new HashSet<>();
    Map<Long, Integer> begun = new TreeMap<>();
    int calls = 0;
    while (!due.isEmpty()) {
      Map.Entry<Long, Queue<Integer>> next = due.pollFirstEntry();
      for (int job : next.getValue()) {
        long back = admit("g", jobs, next.getKey(), promised.contains(job));
        calls++;
        if (back == 0) {
          begun.merge(next.getKey(), 1, Integer::sum);
        } else {
          promised.add(job);
          due.computeIfAbsent(back, at -> new ArrayDeque<>()).add(job);
        }
      }
    }

    assertThat(begun.values()).containsExactly(3, 3, 3, 3, 3, 3, 2);
    assertThat(calls).isEqualTo(20 + 17);
  }

  private static long at(long window, long millis) {
    return window * WINDOW + millis;
  }

  private List<String> counters() {
    return luaRunner.texts("HMGET", luaRunner.key("limit:red"), "w", "n", "b", "k");
  }

  private long startWait(int jobs, long time) {
    return (Long)
        luaRunner.run(
            "--@include limit\n"
                + "return startWait(KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2]),"
                + " tonumber(ARGV[3]))",
            List.of(luaRunner.key("limit")),
            jobs,
            WINDOW,
            time);
  }

  private void countStart(long time) {
    luaRunner.run(
        "--@include limit\ncountStart(KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2]))",
        List.of(luaRunner.key("limit")),
        WINDOW,
        time);
  }

  private long admit(String group, int jobs, long time, boolean isPromised) {
    return (Long)
        luaRunner.run(
            "--@include limit\n"
                + "return admit(KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2]),"
                + " tonumber(ARGV[3]), ARGV[4] == 'true')",
            List.of(luaRunner.key("limit:" + group)),
            jobs,
            WINDOW,
            time,
            isPromised);
  }
}
