package io.millrace.redis.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** create.lua, promote.lua, requeue.lua and delete.lua, each by itself. */
@SuppressWarnings("unchecked")
class ListScriptsTest {

  private static final String SECONDS = "100";

  private final Lua lua = new Lua();

  @AfterEach
  void close() {
    lua.close();
  }

  @Test
  void createsAnUrgentJobBeforeThoseThatWaitWithAllThatBelongsToIt() {
    lua.redis.rpush(lua.waiting(), "plain");

    assertThat(create("a", 0, 5, "", "color", "\"red\"")).containsExactly("a", 1L);

    assertThat(lua.waitingEntries()).containsExactly("a", "plain");
    assertThat(lua.redis.hgetAll(job("a"))).containsEntry("color", "\"red\"").hasSize(1);
    assertThat(lua.redis.hgetAll(meta("a"))).containsEntry("priority", "5").hasSize(1);
    assertThat(lua.redis.lrange(lookup(), 0, -1)).containsExactly("a");
    for (String key : List.of(job("a"), meta("a"), lookup())) {
      assertThat(lua.redis.ttl(key)).isBetween(90L, 100L);
    }
  }

  @Test
  void aDelayedJobWaitsForItsTimeAndLivesAsLongFromThenOn() {
    create("a", 3_600_000, 0, "", "f", "1");

    assertThat(lua.waitingEntries()).isEmpty();
    assertThat(lua.redis.zscore(delayed(), "a"))
        .isBetween(redisNow() + 3_590_000.0, redisNow() + 3_602_000.0);
    assertThat(lua.redis.ttl(job("a"))).isBetween(3_690L, 3_700L);
    assertThat(promote(10))
        .satisfies(answer -> {
          assertThat(answer.get(0)).isEqualTo(0L);
          assertThat((Long) answer.get(1)).isBetween(3_590_000L, 3_600_000L);
        });
  }

  @Test
  void makesNoSecondJobOfAUniqueKeyUntilTheFirstHasEnded() {
    assertThat(create("a", 0, 0, unique(), "f", "1")).containsExactly("a", 1L);
    assertThat(create("b", 0, 0, unique(), "f", "2")).containsExactly("a", 0L);
    assertThat(lua.redis.exists(job("b"))).isFalse();
    assertThat(lua.waitingEntries()).containsExactly("a");

    lua.redis.hset(job("a"), "done", "\"true\"");
    assertThat(create("c", 0, 0, unique(), "f", "3")).containsExactly("c", 1L);
    lua.redis.hset(job("c"), "failed", "true");
    assertThat(create("d", 0, 0, unique(), "f", "4")).containsExactly("d", 1L);
    lua.redis.del(job("d"));
    assertThat(create("e", 0, 0, unique(), "f", "5")).containsExactly("e", 1L);
    assertThat(lua.redis.get(unique())).isEqualTo("e");
  }

  /** Workers in Node.js leave no other mark of the end, since their handlers rarely answer done. */
  @Test
  void theUniqueKeyOfAJobThatNodeCompletedInTheLastQueueIsFree() {
    create("a", 0, 0, unique(), "f", "1");
    lua.redis.hset(job("a"), "completed-queue", "\"first\"");
    assertThat(create("b", 0, 0, unique(), "f", "2")).containsExactly("a", 0L);
    lua.redis.hset(job("a"), "completed-queue", "\"last\"");
    assertThat(create("c", 0, 0, unique(), "f", "3")).containsExactly("c", 1L);

    lua.redis.hset(job("c"), "done", "true");
    fail("d", unique());
    lua.redis.set(unique(), "c");
    lua.redis.hdel(job("c"), "done");
    assertThat(requeue(10, "d")).as("c has not ended").isEqualTo(List.of(0L, 0L, 1L));
    lua.redis.hset(job("c"), "completed-queue", "\"last\"");
    assertThat(requeue(10, "d")).isEqualTo(List.of(1L, 0L, 0L));
  }

  /** A script that fails half way is not rolled back: the key would be held by a job nowhere. */
  @Test
  void makesNothingWhenSomethingElseStandsWhereTheJobShallWait() {
    lua.redis.set(lua.waiting(), "no list");
    assertThatThrownBy(() -> create("a", 0, 0, unique(), "f", "1"))
        .hasMessageContaining("WRONGTYPE")
        .hasMessageContaining(lua.waiting());
    lua.redis.del(lua.waiting());
    lua.redis.set(delayed(), "no set");
    assertThatThrownBy(() -> create("a", 1_000, 0, unique(), "f", "1"))
        .hasMessageContaining(delayed());
    lua.redis.del(delayed());
    lua.redis.set(lookup(), "no list");
    assertThatThrownBy(() -> create("a", 0, 0, unique(), "f", "1")).hasMessageContaining(lookup());
    lua.redis.del(lookup());

    assertThat(lua.redis.exists(job("a"), unique(), meta("a"))).isZero();
    assertThat(create("a", 0, 0, unique(), "f", "1")).containsExactly("a", 1L);
  }

  @Test
  void aListOfALookupValueLivesAsLongAsTheJobThatLivesLongest() {
    create("later", 3_600_000, 0, "", "f", "1");
    create("now", 0, 5, "", "f", "1");

    assertThat(lua.redis.ttl(lookup())).isBetween(3_690L, 3_700L);
  }

  @Test
  void promotesWhatIsDueInTheOrderOfTimeAndTellsWhenTheNextIs() {
    for (String id : List.of("a", "b", "c", "gone")) {
      create(id, 3_600_000, id.equals("c") ? 1 : 0, "", "f", "1");
    }
    lua.redis.del(job("gone"));
    double now = redisNow();
    lua.redis.zadd(delayed(), now - 5, "b");
    lua.redis.zadd(delayed(), now - 9, "a");
    lua.redis.zadd(delayed(), now - 2, "c");
    lua.redis.zadd(delayed(), now - 1, "gone");
    create("later", 500_000, 0, "", "f", "1");

    assertThat(promote(2).getFirst()).isEqualTo(2L);
    assertThat(lua.waitingEntries()).containsExactly("a", "b");
    List<?> answer = promote(10);
    assertThat(answer.getFirst()).as("c; the one without hash is dropped").isEqualTo(1L);
    assertThat((Long) answer.get(1)).isBetween(480_000L, 500_000L);
    assertThat(lua.waitingEntries()).containsExactly("c", "a", "b");
    assertThat(promote(10).getFirst()).isEqualTo(0L);
    assertThat(lua.redis.zrange(delayed(), 0, -1)).containsExactly("later");
  }

  @Test
  void entriesThatAreDueAtTheSameTimeComeInTheOrderOfTheirIds() {
    List<String> ids = new ArrayList<>();
    for (int i = 10; i < 30; i++) {
      create("id" + i, 1_000, 0, "", "f", "1");
      lua.redis.zadd(delayed(), 5, "id" + i);
      ids.add("id" + i);
    }

    promote(100);

    assertThat(lua.waitingEntries()).as("F26").isEqualTo(ids);
  }

  @Test
  void requeuesDeadJobsAsIfTheyHadNotFailedAndEachOnlyOnce() {
    fail("a", "");
    fail("b", "");
    fail("gone", "");
    lua.redis.hset(meta("a"), "attempts:" + lua.queue, "4");
    lua.redis.hset(meta("a"), "since:" + lua.queue, "1700000000000");
    lua.redis.hset(meta("a"), "priority", "3");
    lua.redis.del(job("gone"));

    assertThat(requeue(10, "b", "unknown")).isEqualTo(List.of(1L, 0L, 0L));
    assertThat(requeue(10, "b")).isEqualTo(List.of(0L, 0L, 0L));
    assertThat(requeue(10)).isEqualTo(List.of(1L, 1L, 0L));

    assertThat(lua.waitingEntries()).containsExactly("a", "b");
    assertThat(lua.redis.hgetAll(job("a"))).containsOnlyKeys("f");
    assertThat(lua.redis.hgetAll(meta("a"))).containsOnlyKeys("priority");
    assertThat(lua.redis.exists(dead())).isFalse();
  }

  @Test
  void aDeadJobWhoseUniqueKeyAnotherHasStaysDead() {
    fail("a", unique());
    create("b", 0, 0, unique(), "f", "1");

    assertThat(requeue(10, "a")).isEqualTo(List.of(0L, 0L, 1L));
    assertThat(lua.redis.zrange(dead(), 0, -1)).containsExactly("a");
    lua.redis.del(unique());
    assertThat(requeue(10, "a")).isEqualTo(List.of(1L, 0L, 0L));
    assertThat(lua.redis.get(unique())).isEqualTo("a");
  }

  @Test
  void requeuesTheOldestWhenNoneIsNamedAndNotMoreThanAsked() {
    for (int i = 0; i < 5; i++) {
      fail("d" + i, "");
      lua.redis.zadd(dead(), i, "d" + i);
    }

    assertThat(requeue(3).getFirst()).isEqualTo(3L);
    assertThat(lua.waitingEntries()).containsExactly("d0", "d1", "d2");
  }

  @Test
  void deletesAJobFromEverywhere() {
    create("a", 0, 0, unique(), "f", "1");
    create("other", 0, 0, "", "f", "1");
    lua.redis.rpush(processing(), "a");
    lua.redis.zadd(delayed(), 1, "a");
    lua.redis.zadd(dead(), 1, "a");
    lua.redis.set(lock(), "worker");

    assertThat(delete("a")).isEqualTo(1L);
    assertThat(delete("a")).isEqualTo(0L);

    assertThat(
            lua.redis.exists(
                job("a"), meta("a"), processing(), delayed(), dead(), lock(), unique()))
        .isZero();
    assertThat(lua.waitingEntries()).containsExactly("other");
    assertThat(lua.redis.lrange(lookup(), 0, -1)).containsExactly("other");
  }

  @Test
  void theDeletionOfAnUrgentJobDoesNotChangeTheOrderOfOthers() {
    create("plain", 0, 0, "", "f", "1");
    create("first", 0, 5, "", "f", "1");
    create("last", 0, 5, "", "f", "1");
    delete("last");
    create("next", 0, 5, "", "f", "1");

    assertThat(lua.waitingEntries()).containsExactly("first", "next", "plain");
  }

  private List<Object> create(
      String id, long delay, int priority, String unique, String field, String value) {
    return (List<Object>)
        lua.run(
            "--@include create",
            List.of(
                job(id),
                meta(id),
                lua.waiting(),
                delayed(),
                unique.isEmpty() ? job(id) : unique,
                lookup()),
            id,
            id,
            lua.key(""),
            job(""),
            SECONDS,
            delay,
            priority,
            "\"last\"",
            field,
            value);
  }

  private void fail(String id, String unique) {
    create(id, 0, 0, unique, "f", "1");
    lua.redis.lrem(lua.waiting(), 1, id);
    lua.redis.hset(job(id), "done", "true");
    lua.redis.hset(job(id), "failed", "true");
    lua.redis.hset(job(id), "failedQueue", "\"q\"");
    lua.redis.hset(job(id), "failedErrorMsg", "\"no\"");
    lua.redis.zadd(dead(), 1, id);
  }

  private List<?> promote(int most) {
    return (List<Object>)
        lua.run(
            "--@include promote",
            List.of(delayed(), lua.waiting()),
            lua.key(""),
            job(""),
            meta(""),
            most);
  }

  private List<?> requeue(int most, String... entries) {
    List<Object> arguments =
        new ArrayList<>(
            List.of(lua.key(""), job(""), meta(""), lua.queue, SECONDS, most, "\"last\""));
    arguments.addAll(List.of(entries));
    return (List<Object>)
        lua.run("--@include requeue", List.of(dead(), lua.waiting()), arguments.toArray());
  }

  private Object delete(String id) {
    return lua.run(
        "--@include delete",
        List.of(
            job(id), meta(id), lua.waiting(), processing(), delayed(), dead(), lock(), lookup()),
        id,
        2,
        2,
        1);
  }

  private double redisNow() {
    return Double.parseDouble(lua.redis.time().getFirst()) * 1_000;
  }

  private String job(String id) {
    return Dialect.V0_0_8.job("f" + lua.queue, id);
  }

  private String meta(String id) {
    return OwnKeys.meta("f" + lua.queue, id);
  }

  private String unique() {
    return OwnKeys.unique("f" + lua.queue, "key");
  }

  private String lookup() {
    return Dialect.V0_0_8.lookup("f" + lua.queue, "f", "1");
  }

  private String delayed() {
    return OwnKeys.delayed(lua.queue);
  }

  private String dead() {
    return OwnKeys.dead(lua.queue);
  }

  private String processing() {
    return Dialect.V0_0_8.processing(lua.queue, 1);
  }

  private String lock() {
    return Dialect.V0_0_8.lock(lua.queue, "a");
  }
}
