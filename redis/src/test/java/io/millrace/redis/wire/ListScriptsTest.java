package io.millrace.redis.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests of create.lua, promote.lua, requeue.lua and delete.lua, each by itself. */
@SuppressWarnings("unchecked")
class ListScriptsTest {

  private static final String SECONDS = "10000";

  private final LuaRunner luaRunner = new LuaRunner();

  @AfterEach
  void close() {
    luaRunner.close();
  }

  @Test
  void createsAnUrgentJobBeforeThoseThatWaitWithAllThatBelongsToIt() {
    luaRunner.call("RPUSH", luaRunner.waiting(), "plain");

    assertThat(create("a", 0, 5, "", "color", "\"red\"")).containsExactly("a", 1L);

    assertThat(luaRunner.waitingEntries()).containsExactly("a", "plain");
    assertThat(luaRunner.pairs("HGETALL", job("a"))).containsEntry("color", "\"red\"").hasSize(1);
    assertThat(luaRunner.pairs("HGETALL", metadata("a"))).containsEntry("priority", "5").hasSize(1);
    assertThat(luaRunner.texts("LRANGE", lookup(), 0, -1)).containsExactly("a");
    for (String key : List.of(job("a"), metadata("a"), lookup())) {
      assertThat(luaRunner.number("TTL", key)).isBetween(9_000L, 10_000L);
    }
  }

  @Test
  void aDelayedJobWaitsForItsTimeAndLivesAsLongFromThenOn() {
    double begun = redisNow();
    create("a", 3_600_000, 0, "", "f", "1");

    assertThat(luaRunner.waitingEntries()).isEmpty();
    assertThat(Double.parseDouble(luaRunner.text("ZSCORE", delayed(), "a")))
        .isBetween(begun + 3_600_000, redisNow() + 3_602_000);
    assertThat(luaRunner.number("TTL", job("a"))).isBetween(13_000L, 13_600L);
    assertThat(promote(10))
        .satisfies(answer -> {
          assertThat(answer.get(0)).isEqualTo(0L);
          assertThat((Long) answer.get(1)).isBetween(3_000_000L, 3_600_000L);
        });
  }

  @Test
  void makesNoSecondJobOfAUniqueKeyUntilTheFirstHasEnded() {
    assertThat(create("a", 0, 0, holderKey(), "f", "1")).containsExactly("a", 1L);
    assertThat(create("b", 0, 0, holderKey(), "f", "2")).containsExactly("a", 0L);
    assertThat(luaRunner.number("EXISTS", job("b"))).isZero();
    assertThat(luaRunner.waitingEntries()).containsExactly("a");

    luaRunner.call("HSET", job("a"), "done", "\"true\"");
    assertThat(create("c", 0, 0, holderKey(), "f", "3")).containsExactly("c", 1L);
    luaRunner.call("HSET", job("c"), "failed", "true");
    assertThat(create("d", 0, 0, holderKey(), "f", "4")).containsExactly("d", 1L);
    luaRunner.call("DEL", job("d"));
    assertThat(create("e", 0, 0, holderKey(), "f", "5")).containsExactly("e", 1L);
    assertThat(luaRunner.text("GET", holderKey())).isEqualTo("e");
  }

  /** Workers in Node.js leave no other mark of the end, since their handlers rarely return done. */
  @Test
  void theUniqueKeyOfAJobThatNodeCompletedInTheLastQueueIsFree() {
    create("a", 0, 0, holderKey(), "f", "1");
    luaRunner.call("HSET", job("a"), "completed-queue", "\"first\"");
    assertThat(create("b", 0, 0, holderKey(), "f", "2")).containsExactly("a", 0L);
    luaRunner.call("HSET", job("a"), "completed-queue", "\"last\"");
    assertThat(create("c", 0, 0, holderKey(), "f", "3")).containsExactly("c", 1L);

    luaRunner.call("HSET", job("c"), "done", "true");
    fail("d", holderKey());
    luaRunner.call("SET", holderKey(), "c");
    luaRunner.call("HDEL", job("c"), "done");
    assertThat(requeue(10, "d")).as("c has not ended").isEqualTo(List.of(0L, 0L, 1L));
    luaRunner.call("HSET", job("c"), "completed-queue", "\"last\"");
    assertThat(requeue(10, "d")).isEqualTo(List.of(1L, 0L, 0L));
  }

  /**
   * A script that fails half way is not rolled back, so a job that is in no list would hold the
   * key.
   */
  @Test
  void makesNothingWhenSomethingElseStandsWhereTheJobMustWait() {
    luaRunner.call("SET", luaRunner.waiting(), "no list");
    assertThatThrownBy(() -> create("a", 0, 0, holderKey(), "f", "1"))
        .hasMessageContaining("WRONGTYPE")
        .hasMessageContaining(luaRunner.waiting());
    luaRunner.call("DEL", luaRunner.waiting());
    luaRunner.call("SET", delayed(), "no set");
    assertThatThrownBy(() -> create("a", 1_000, 0, holderKey(), "f", "1"))
        .hasMessageContaining(delayed());
    luaRunner.call("DEL", delayed());
    luaRunner.call("SET", lookup(), "no list");
    assertThatThrownBy(() -> create("a", 0, 0, holderKey(), "f", "1"))
        .hasMessageContaining(lookup());
    luaRunner.call("DEL", lookup());

    assertThat(luaRunner.number("EXISTS", job("a"), holderKey(), metadata("a"))).isZero();
    assertThat(create("a", 0, 0, holderKey(), "f", "1")).containsExactly("a", 1L);
  }

  @Test
  void aListOfALookupValueLivesAsLongAsTheJobThatLivesLongest() {
    create("later", 3_600_000, 0, "", "f", "1");
    create("now", 0, 5, "", "f", "1");

    assertThat(luaRunner.number("TTL", lookup())).isBetween(13_000L, 13_600L);
  }

  @Test
  void promotesWhatIsDueInTheOrderOfTimeAndTellsWhenTheNextIs() {
    for (String id : List.of("a", "b", "c", "gone")) {
      create(id, 3_600_000, id.equals("c") ? 1 : 0, "", "f", "1");
    }
    luaRunner.call("DEL", job("gone"));
    double now = redisNow();
    luaRunner.call("ZADD", delayed(), now - 5, "b");
    luaRunner.call("ZADD", delayed(), now - 9, "a");
    luaRunner.call("ZADD", delayed(), now - 2, "c");
    luaRunner.call("ZADD", delayed(), now - 1, "gone");
    create("later", 5_500_000, 0, "", "f", "1");

    assertThat(promote(2).getFirst()).isEqualTo(2L);
    assertThat(luaRunner.waitingEntries()).containsExactly("a", "b");
    List<?> answer = promote(10);
    assertThat(answer.getFirst()).as("c; the one without hash is dropped").isEqualTo(1L);
    assertThat((Long) answer.get(1)).isBetween(5_000_000L, 5_500_000L);
    assertThat(luaRunner.waitingEntries()).containsExactly("c", "a", "b");
    assertThat(promote(10).getFirst()).isEqualTo(0L);
    assertThat(luaRunner.texts("ZRANGE", delayed(), 0, -1)).containsExactly("later");
  }

  @Test
  void entriesThatAreDueAtTheSameTimeComeInTheOrderOfTheirIds() {
    List<String> ids = new ArrayList<>();
    for (int i = 10; i < 30; i++) {
      create("id" + i, 1_000, 0, "", "f", "1");
      luaRunner.call("ZADD", delayed(), 5, "id" + i);
      ids.add("id" + i);
    }

    promote(100);

    assertThat(luaRunner.waitingEntries()).as("F26").isEqualTo(ids);
  }

  @Test
  void requeuesDeadJobsAsIfTheyHadNotFailedAndEachOnlyOnce() {
    fail("a", "");
    fail("b", "");
    fail("gone", "");
    luaRunner.call("HSET", metadata("a"), "attempts:" + luaRunner.queue, "4");
    luaRunner.call("HSET", metadata("a"), "since:" + luaRunner.queue, "1700000000000");
    luaRunner.call("HSET", metadata("a"), "priority", "3");
    luaRunner.call("DEL", job("gone"));

    assertThat(requeue(10, "b", "unknown")).isEqualTo(List.of(1L, 0L, 0L));
    assertThat(requeue(10, "b")).isEqualTo(List.of(0L, 0L, 0L));
    assertThat(requeue(10)).isEqualTo(List.of(1L, 1L, 0L));

    assertThat(luaRunner.waitingEntries()).containsExactly("a", "b");
    assertThat(luaRunner.pairs("HGETALL", job("a"))).containsOnlyKeys("f");
    assertThat(luaRunner.pairs("HGETALL", metadata("a"))).containsOnlyKeys("priority");
    assertThat(luaRunner.number("EXISTS", dead())).isZero();
  }

  @Test
  void aDeadJobWhoseUniqueKeyAnotherHasStaysDead() {
    fail("a", holderKey());
    create("b", 0, 0, holderKey(), "f", "1");

    assertThat(requeue(10, "a")).isEqualTo(List.of(0L, 0L, 1L));
    assertThat(luaRunner.texts("ZRANGE", dead(), 0, -1)).containsExactly("a");
    luaRunner.call("DEL", holderKey());
    assertThat(requeue(10, "a")).isEqualTo(List.of(1L, 0L, 0L));
    assertThat(luaRunner.text("GET", holderKey())).isEqualTo("a");
  }

  @Test
  void requeuesTheOldestWhenNoneIsNamedAndNotMoreThanAsked() {
    for (int i = 0; i < 5; i++) {
      fail("d" + i, "");
      luaRunner.call("ZADD", dead(), i, "d" + i);
    }

    assertThat(requeue(3).getFirst()).isEqualTo(3L);
    assertThat(luaRunner.waitingEntries()).containsExactly("d0", "d1", "d2");
  }

  @Test
  void deletesAJobFromEverywhere() {
    create("a", 0, 0, holderKey(), "f", "1");
    create("other", 0, 0, "", "f", "1");
    luaRunner.call("RPUSH", processing(), "a");
    luaRunner.call("ZADD", delayed(), 1, "a");
    luaRunner.call("ZADD", dead(), 1, "a");
    luaRunner.call("SET", lock(), "worker");

    assertThat(delete("a")).isEqualTo(1L);
    assertThat(delete("a")).isEqualTo(0L);

    assertThat(
            luaRunner.number(
                "EXISTS",
                job("a"),
                metadata("a"),
                processing(),
                delayed(),
                dead(),
                lock(),
                holderKey()))
        .isZero();
    assertThat(luaRunner.waitingEntries()).containsExactly("other");
    assertThat(luaRunner.texts("LRANGE", lookup(), 0, -1)).containsExactly("other");
  }

  @Test
  void theDeletionOfAnUrgentJobDoesNotChangeTheOrderOfOthers() {
    create("plain", 0, 0, "", "f", "1");
    create("first", 0, 5, "", "f", "1");
    create("last", 0, 5, "", "f", "1");
    delete("last");
    create("next", 0, 5, "", "f", "1");

    assertThat(luaRunner.waitingEntries()).containsExactly("first", "next", "plain");
  }

  private List<Object> create(
      String id, long delay, int priority, String holderKey, String field, String value) {
    return (List<Object>)
        luaRunner.run(
            "--@include create",
            List.of(
                job(id),
                metadata(id),
                luaRunner.waiting(),
                delayed(),
                holderKey.isEmpty() ? job(id) : holderKey,
                lookup()),
            id,
            luaRunner.key(""),
            job(""),
            SECONDS,
            delay,
            priority,
            "\"last\"",
            field,
            value);
  }

  private void fail(String id, String holderKey) {
    create(id, 0, 0, holderKey, "f", "1");
    luaRunner.call("LREM", luaRunner.waiting(), 1, id);
    luaRunner.call("HSET", job(id), "done", "true");
    luaRunner.call("HSET", job(id), "failed", "true");
    luaRunner.call("HSET", job(id), "failedQueue", "\"q\"");
    luaRunner.call("HSET", job(id), "failedErrorMsg", "\"no\"");
    luaRunner.call("ZADD", dead(), 1, id);
  }

  private List<?> promote(int most) {
    return (List<Object>)
        luaRunner.run(
            "--@include promote",
            List.of(delayed(), luaRunner.waiting()),
            luaRunner.key(""),
            job(""),
            metadata(""),
            most);
  }

  private List<?> requeue(int most, String... entries) {
    List<Object> arguments =
        new ArrayList<>(
            List.of(
                luaRunner.key(""),
                job(""),
                metadata(""),
                luaRunner.queue,
                SECONDS,
                most,
                "\"last\""));
    arguments.addAll(List.of(entries));
    return (List<Object>)
        luaRunner.run(
            "--@include requeue", List.of(dead(), luaRunner.waiting()), arguments.toArray());
  }

  private Object delete(String id) {
    return luaRunner.run(
        "--@include delete",
        List.of(
            job(id),
            metadata(id),
            luaRunner.waiting(),
            processing(),
            delayed(),
            dead(),
            lock(),
            lookup()),
        id,
        2,
        2,
        1);
  }

  private double redisNow() {
    return Double.parseDouble(luaRunner.texts("TIME").getFirst()) * 1_000;
  }

  private String job(String id) {
    return ProtocolKeys.job("f" + luaRunner.queue, id);
  }

  private String metadata(String id) {
    return MillraceKeys.metadata("f" + luaRunner.queue, id);
  }

  private String holderKey() {
    return MillraceKeys.holderKey("f" + luaRunner.queue, "key");
  }

  private String lookup() {
    return ProtocolKeys.lookup("f" + luaRunner.queue, "f", "1");
  }

  private String delayed() {
    return MillraceKeys.delayed(luaRunner.queue);
  }

  private String dead() {
    return MillraceKeys.dead(luaRunner.queue);
  }

  private String processing() {
    return ProtocolKeys.processing(luaRunner.queue);
  }

  private String lock() {
    return ProtocolKeys.lock(luaRunner.queue, "a");
  }
}
