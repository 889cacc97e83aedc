package io.millrace.redis.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of priorities inside the one waiting list in Redis. */
class PushScriptTest {

  private final LuaRunner luaRunner = new LuaRunner();

  @AfterEach
  void close() {
    luaRunner.close();
  }

  @Test
  void urgentEntriesStandBeforeThePlainOnesAndInOrderAmongThemselves() {
    push("plain1", 0);
    push("low1", 50);
    push("high1", 1);
    push("low2", 50);
    push("plain2", 0);
    push("high2", 1);
    push("middle", 7);

    assertThat(luaRunner.waitingEntries())
        .containsExactly("high1", "high2", "middle", "low1", "low2", "plain1", "plain2");
  }

  @Test
  void aPlainEntryLeavesNothingButItselfBehind() {
    push("plain", 0);

    assertThat(luaRunner.waitingEntries()).containsExactly("plain");
    assertThat(luaRunner.texts("KEYS", "*" + luaRunner.queue + "*"))
        .containsExactly(luaRunner.waiting());
  }

  @Test
  void anEntryThatWasTakenIsNoLongerALandmark() {
    push("plain", 0);
    push("high1", 1);
    assertThat(luaRunner.text("LPOP", luaRunner.waiting())).isEqualTo("high1");
    push("high2", 1);
    push("high3", 1);

    assertThat(luaRunner.waitingEntries()).containsExactly("high2", "high3", "plain");
    assertThat(luaRunner.pairs("HGETALL", luaRunner.key("last")))
        .containsEntry("1", "high3")
        .hasSize(2);
  }

  @Test
  void anEntryThatIsPushedFirstStandsFirstAndDoesNotHideTheOthers() {
    push("high1", 1);
    push("high2", 1);
    pushFirst("plain", 0);
    pushFirst("taken", 1);
    push("high3", 1);

    assertThat(luaRunner.waitingEntries())
        .containsExactly("taken", "plain", "high1", "high2", "high3");
  }

  /**
   * Workers in Node.js remove from the head, and deletions anywhere; neither updates the landmarks.
   */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void keepsTheOrderOfTheModelUnderAnyTakingAndLosesNothing(long seed) {
    Random random = new Random(seed);
    List<Entry> model = new ArrayList<>();
    for (int i = 0; i < 600; i++) {
      int dice = random.nextInt(10);
      if (dice < 6) {
        int priority = random.nextBoolean() ? 0 : 1 + random.nextInt(4);
        Entry entry = new Entry("e" + i, priority);
        push(entry.id(), priority);
        model.add(entry);
        model.sort(Comparator.comparingInt(e -> e.priority() == 0 ? 101 : e.priority()));
      } else if (!model.isEmpty() && dice < 9) {
        assertThat(luaRunner.text("LPOP", luaRunner.waiting())).isEqualTo(model.removeFirst().id());
      } else if (!model.isEmpty()) {
        Entry removed = model.get(random.nextInt(model.size()));
        if (removed.priority() == 0) {
          luaRunner.call("LREM", luaRunner.waiting(), 1, removed.id());
          model.remove(removed);
        }
      }
      assertThat(luaRunner.waitingEntries()).as("seed %d, step %d", seed, i).isEqualTo(ids(model));
    }
  }

  private static List<String> ids(List<Entry> model) {
    return model.stream().map(Entry::id).toList();
  }

  private void push(String entry, int priority) {
    luaRunner.run(
        "--@include push\npush(KEYS[1], ARGV[1], ARGV[2], ARGV[3])",
        List.of(luaRunner.waiting()),
        entry,
        luaRunner.key(""),
        priority);
  }

  private void pushFirst(String entry, int priority) {
    luaRunner.run(
        "--@include push\npushFirst(KEYS[1], ARGV[1], ARGV[2], ARGV[3])",
        List.of(luaRunner.waiting()),
        entry,
        luaRunner.key(""),
        priority);
  }

  private record Entry(String id, int priority) {}
}
