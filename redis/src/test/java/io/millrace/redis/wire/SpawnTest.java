package io.millrace.redis.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests that the children of a parent are created all at once, and only once. */
class SpawnTest {

  private static final String FIELD = ProtocolKeys.childrenJobs("pack");

  private final LuaRunner luaRunner = new LuaRunner();
  private final String parent = ProtocolKeys.job("f" + luaRunner.queue, "p");
  private final String lock = ProtocolKeys.lock(luaRunner.queue, "p");

  @BeforeEach
  void parent() {
    luaRunner.call("HSET", parent, "n", "1");
    luaRunner.call("SET", lock, "me");
  }

  @AfterEach
  void close() {
    luaRunner.close();
  }

  @Test
  void makesAllChildrenWithTheirFieldsAndTellsTheParent() {
    assertThat(spawn("me", "c1", "c2")).isEqualTo(List.of("OK", keys("c1", "c2")));

    assertThat(luaRunner.pairs("HGETALL", child("c1")))
        .containsOnlyKeys("a", "b")
        .containsEntry("b", "2");
    assertThat(luaRunner.number("TTL", child("c2"))).isBetween(9_000L, 10_000L);
    assertThat(luaRunner.waitingEntries()).containsExactly("c1", "c2");
    assertThat(luaRunner.text("HGET", parent, FIELD)).isEqualTo(keys("c1", "c2"));
  }

  @Test
  void anAttemptThatIsRepeatedMakesNothingAndIsToldOfThoseOfTheFirst() {
    spawn("me", "c1");
    luaRunner.call("SET", lock, "other");

    assertThat(spawn("other", "c9")).isEqualTo(List.of("ALREADY_CREATED", keys("c1")));
    assertThat(luaRunner.waitingEntries()).containsExactly("c1");
    assertThat(luaRunner.number("EXISTS", child("c9"))).isZero();
  }

  @Test
  void anEmptyListOfChildrenCountsAsNone() {
    luaRunner.call("HSET", parent, FIELD, "[]");

    assertThat(spawn("me", "c1")).isEqualTo(List.of("OK", keys("c1")));
  }

  @Test
  void makesNothingWithoutTheLockOrTheParent() {
    luaRunner.call("SET", lock, "other");
    assertThat(spawn("me", "c1")).isEqualTo(List.of("LOST"));
    luaRunner.call("DEL", lock);
    assertThat(spawn("me", "c1")).isEqualTo(List.of("LOST"));
    luaRunner.call("SET", lock, "me");
    luaRunner.call("DEL", parent);
    assertThat(spawn("me", "c1")).isEqualTo(List.of("GONE"));

    assertThat(luaRunner.waitingEntries()).isEmpty();
    assertThat(luaRunner.number("EXISTS", parent)).isZero();
  }

  /** An attempt that fails is repeated, and would create the same children again and again. */
  @Test
  void makesNoChildWhenOneOfThemHasNoListToWaitIn() {
    String poisoned = ProtocolKeys.waiting("poisoned" + luaRunner.queue);
    luaRunner.call("SET", poisoned, "no list");

    assertThatThrownBy(() -> spawn("me", List.of(luaRunner.waiting(), poisoned), "c1", "c2"))
        .hasMessageContaining("WRONGTYPE")
        .hasMessageContaining(poisoned);
    assertThat(luaRunner.waitingEntries()).isEmpty();
    assertThat(luaRunner.number("EXISTS", child("c1"))).isZero();
    assertThat(luaRunner.number("HEXISTS", parent, FIELD)).isZero();
  }

  @Test
  void aChildHasEndedWhenItIsDoneOrGoneOrUnusable() {
    luaRunner.call("HSET", child("c1"), "done", "true");
    luaRunner.call("HSET", child("c2"), "done", "\"true\"");
    luaRunner.call("HSET", child("c3"), "done", "false");
    luaRunner.call("HSET", child("c4"), "a", "1");
    luaRunner.call("SET", child("c6"), "no hash");

    assertThat(
            luaRunner.run(
                "--@include children",
                List.of(
                    child("c1"), child("c2"), child("c3"), child("c4"), child("c5"), child("c6"))))
        .as("F7: bytes true, the text that the monitor writes, false, none, gone, a string")
        .isEqualTo(List.of(1L, 1L, 0L, 0L, 1L, 1L));
  }

  private Object spawn(String worker, String... children) {
    return spawn(worker, Collections.nCopies(children.length, luaRunner.waiting()), children);
  }

  private Object spawn(String worker, List<String> waiting, String... children) {
    List<String> keys = new ArrayList<>(List.of(lock, parent));
    List<Object> arguments = new ArrayList<>(List.of(worker, FIELD, keys(children), "10000"));
    for (int i = 0; i < children.length; i++) {
      keys.addAll(List.of(child(children[i]), waiting.get(i)));
      arguments.addAll(List.of(children[i], "4", "a", "1", "b", "2"));
    }
    return luaRunner.run("--@include spawn", keys, arguments.toArray());
  }

  private String keys(String... children) {
    return List.of(children).toString();
  }

  private String child(String id) {
    return ProtocolKeys.job(ProtocolKeys.childQueue(luaRunner.queue, "box"), id);
  }
}
