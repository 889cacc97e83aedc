package io.millrace.redis.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
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
      admit("red", 1, START, 0);
    }

    assertThat(luaRunner.number("PTTL", luaRunner.key("limit"))).isBetween(1L, 2 * WINDOW);
    assertThat(luaRunner.number("PTTL", luaRunner.key("limit:red"))).isBetween(1L, 6 * WINDOW);
  }

  @Test
  void delayedJobsOfAGroupGetPlacesInTheOrderOfAskingAndOthersDoNotTakeThem() {
    assertThat(admit("red", 2, START, 0)).isZero();
    assertThat(admit("red", 2, START, 0)).isZero();
    assertThat(admit("red", 2, START, 0)).isEqualTo(START + WINDOW);
    assertThat(admit("red", 2, START + 10, 0)).isEqualTo(START + WINDOW);
    assertThat(admit("red", 2, START + 20, 0)).isEqualTo(START + 2 * WINDOW);
    assertThat(admit("blue", 2, START, 0)).as("another group").isZero();

    assertThat(admit("red", 2, START + WINDOW, 0))
        .as("all places given")
        .isEqualTo(START + 2 * WINDOW);
    assertThat(admit("red", 2, START + WINDOW + 1, START + WINDOW)).isZero();
    assertThat(admit("red", 2, START + WINDOW + 2, START + WINDOW)).isZero();
    assertThat(admit("red", 2, START + WINDOW + 3, START + WINDOW)).isEqualTo(START + 2 * WINDOW);
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
    Map<Integer, Long> promisedAt = new HashMap<>();
    Map<Long, Integer> begun = new TreeMap<>();
    int calls = 0;
    while (!due.isEmpty()) {
      Map.Entry<Long, Queue<Integer>> next = due.pollFirstEntry();
      for (int job : next.getValue()) {
        long back = admit("g", jobs, next.getKey(), promisedAt.getOrDefault(job, 0L));
        calls++;
        if (back == 0) {
          begun.merge(next.getKey(), 1, Integer::sum);
        } else {
          promisedAt.put(job, back);
          due.computeIfAbsent(back, at -> new ArrayDeque<>()).add(job);
        }
      }
    }

    assertThat(begun.values()).containsExactly(3, 3, 3, 3, 3, 3, 2);
    assertThat(calls).isEqualTo(20 + 17);
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

  private long admit(String group, int jobs, long time, long promisedAt) {
    return (Long)
        luaRunner.run(
            "--@include limit\n"
                + "return admit(KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2]),"
                + " tonumber(ARGV[3]), ARGV[4] ~= '0' and tonumber(ARGV[4]))",
            List.of(luaRunner.key("limit:" + group)),
            jobs,
            WINDOW,
            time,
            promisedAt);
  }
}
