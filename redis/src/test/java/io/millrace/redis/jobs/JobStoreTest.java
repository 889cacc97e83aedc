package io.millrace.redis.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.codec.CodecException;
import io.millrace.instance.InvalidRequestException;
import io.millrace.lifecycle.EngineClock;
import io.millrace.redis.connect.Redis;
import io.millrace.redis.connect.RedisReplyException;
import io.millrace.redis.flow.Flow;
import io.millrace.redis.flow.NewJob;
import io.millrace.redis.flow.Queue;
import io.millrace.redis.support.TestRedis;
import io.millrace.redis.wire.JavaScriptJson;
import io.millrace.redis.wire.MillraceKeys;
import io.millrace.redis.wire.ProtocolKeys;
import io.millrace.redis.wire.UuidV7Generator;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class JobStoreTest {

  private final TestRedis test = new TestRedis();
  private final Redis redis = test.redis();
  private final Random random = new Random(1);
  private final JobStore jobStore =
      new JobStore(
          redis, JavaScriptJson.standard(), new UuidV7Generator(EngineClock.system(), random));
  private final Flow flow =
      Flow.of(test.name("access"), Queue.of(test.name("prepare")), Queue.of(test.name("pack")))
          .lookup("user", "tags");
  private final String waiting = ProtocolKeys.waiting(test.name("prepare"));

  @AfterEach
  void close() {
    test.close();
  }

  private String key(String id) {
    return ProtocolKeys.job(flow.name(), id);
  }

  private Map<String, String> hash(String key) {
    Map<String, String> fields = new TreeMap<>();
    List<?> pairs = (List<?>) redis.call("HGETALL", key);
    for (int i = 0; i < pairs.size(); i += 2) {
      fields.put((String) pairs.get(i), (String) pairs.get(i + 1));
    }
    return fields;
  }

  private List<?> list(String key) {
    return (List<?>) redis.call("LRANGE", key, "0", "-1");
  }

  private long ttl(String key) {
    return (long) redis.call("TTL", key);
  }

  @Test
  void aJobIsAHashAndAnEntryOfTheFirstQueue() {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("user", "Joe");
    fields.put("price", 12.0);
    fields.put("at", Instant.parse("2026-11-22T21:00:00Z"));
    fields.put("nothing", null);

    String id = jobStore.create(flow, NewJob.of(fields).correlationId("c-1"));

    assertThat(hash(key(id)))
        .isEqualTo(
            Map.of(
                "user",
                "\"Joe\"",
                "price",
                "12",
                "at",
                "\"2026-11-22T21:00:00.000Z\"",
                "nothing",
                "null",
                "correlationId",
                "\"c-1\""));
    assertThat(list(waiting)).isEqualTo(List.of(id));
    assertThat(ttl(key(id))).isBetween(86_000L, 86_400L);
    assertThat(redis.call("EXISTS", MillraceKeys.metadata(flow.name(), id))).isEqualTo(0L);
  }

  @Test
  void aJobWithoutFieldsIsThereAllTheSame() {
    String id = jobStore.create(flow, NewJob.of(Map.of()));

    assertThat(hash(key(id))).isEqualTo(Map.of("correlationId", "null"));
    assertThat(list(waiting)).isEqualTo(List.of(id));
  }

  @Test
  void lookupValuesAreListsThatLiveAsLongAsTheJob() {
    Flow brief = flow.timeToLive(Duration.ofMinutes(50));
    String id =
        jobStore.create(
            brief, NewJob.of(Map.of("user", 62.0, "tags", Arrays.asList("a", true, null, "a"))));

    for (String value : List.of("user:62", "tags:true", "tags:null")) {
      String key = "job:" + flow.name() + ":" + value;
      assertThat(list(key)).isEqualTo(List.of(id));
      assertThat(ttl(key)).isBetween(2_900L, 3_000L);
    }
    assertThat(list("job:" + flow.name() + ":tags:a")).isEqualTo(List.of(id, id));
    assertThat(jobStore.findBy(brief, "tags", "a", false)).hasSize(1);
    assertThat(jobStore.findBy(brief, "user", 62, false)).hasSize(1);
    assertThat(jobStore.findBy(brief, "user", "62", false)).hasSize(1);
  }

  @Test
  void manyJobsWaitInTheirOrder() {
    List<NewJob> many = new ArrayList<>();
    for (int i = 0; i < 2_001; i++) {
      many.add(NewJob.of(Map.of("n", i, "user", "u" + i % 7)));
    }
    many.set(1_000, many.get(1_000).delay(Duration.ofHours(1)));

    List<String> ids = jobStore.createAll(flow, many);

    assertThat(ids).hasSize(2_001).doesNotHaveDuplicates();
    List<String> expected = new ArrayList<>(ids);
    String delayed = expected.remove(1_000);
    assertThat(list(waiting)).isEqualTo(expected);
    assertThat(redis.call("ZRANGE", MillraceKeys.delayed(flow.first().name()), "0", "-1"))
        .isEqualTo(List.of(delayed));
    assertThat(jobStore.get(flow.name(), ids.get(2_000)).fields().get("n").intValue())
        .isEqualTo(2_000);
    assertThat(jobStore.findBy(flow, "user", "u3", false)).hasSize(286);
    assertThat(jobStore.createAll(flow, List.of())).isEmpty();
  }

  @Test
  void aUniqueJobIsMadeOnceAndAnUrgentOneStandsBeforeOthers() {
    jobStore.create(flow, NewJob.of(Map.of("n", 1)));
    JobStore.CreateResult first =
        jobStore.createOrGet(flow, NewJob.of(Map.of("n", 2)).uniqueKey("k").priority(1));
    JobStore.CreateResult second =
        jobStore.createOrGet(flow, NewJob.of(Map.of("n", 3)).uniqueKey("k"));

    assertThat(first.created()).isTrue();
    assertThat(second).isEqualTo(new JobStore.CreateResult(first.id(), false));
    assertThat(list(waiting)).hasSize(2).first().isEqualTo(first.id());
    assertThat(jobStore.delete(flow, first.id())).isTrue();
    assertThat(jobStore.createOrGet(flow, NewJob.of(Map.of()).uniqueKey("k")).created()).isTrue();
  }

  @Test
  void aFieldThatCannotBeWrittenIsNamedAndNothingIsMade() {
    List<Object> itself = new ArrayList<>();
    itself.add(itself);

    assertThatThrownBy(() -> jobStore.create(flow, NewJob.of(Map.of("loop", itself))))
        .isInstanceOf(CodecException.class)
        .hasMessageStartingWith("Field 'loop'");

    assertThat(test.keys()).isEmpty();
  }

  @Test
  void aValueOfAnotherTypeInTheWayIsNamedAndNoJobIsLeftBehind() {
    redis.call("SET", waiting, "text");

    assertThatThrownBy(() -> jobStore.create(flow, NewJob.of(Map.of("n", 1))))
        .isInstanceOf(RedisReplyException.class)
        .hasMessageStartingWith("WRONGTYPE")
        .hasMessageContaining("(RPUSH " + waiting + ")")
        .hasMessageEndingWith(
            "no job was created in queue '"
                + flow.first().name()
                + "' of flow '"
                + flow.name()
                + "'");

    assertThat(test.keys()).isEqualTo(List.of(waiting));

    assertThatThrownBy(() -> jobStore.createAll(flow, List.of(NewJob.of(Map.of("n", 1)))))
        .isInstanceOf(RedisReplyException.class)
        .hasMessageStartingWith("WRONGTYPE")
        .hasMessageEndingWith("The first 0 of 1 jobs of flow '" + flow.name() + "' were created");

    assertThat(test.keys()).isEqualTo(List.of(waiting));
  }

  /** A script is not rolled back, so it checks first what would fail half way. */
  @Test
  void aSpecialJobThatCannotWaitIsNotMadeByHalves() {
    redis.call("SET", waiting, "text");

    assertThatThrownBy(() ->
            jobStore.create(flow, NewJob.of(Map.of("user", "Joe")).priority(1).uniqueKey("k")))
        .isInstanceOf(RedisReplyException.class)
        .hasMessageStartingWith("WRONGTYPE " + waiting);
    redis.call("DEL", waiting);
    redis.call("SET", "job:" + flow.name() + ":user:Joe", "text");
    assertThatThrownBy(() -> jobStore.createWithId(flow, "a", NewJob.of(Map.of("user", "Joe"))))
        .isInstanceOf(RedisReplyException.class)
        .hasMessageStartingWith("WRONGTYPE job:" + flow.name() + ":user:Joe");

    assertThat(test.keys()).isEqualTo(List.of("job:" + flow.name() + ":user:Joe"));
  }

  @Test
  void anIdHasNoColon() {
    for (String id : List.of("", "user:Joe", ":")) {
      assertThatThrownBy(() -> jobStore.find(flow.name(), id))
          .isInstanceOf(InvalidRequestException.class)
          .hasMessageContaining("'" + id + "' is no id of a job");
      assertThatThrownBy(() -> jobStore.delete(flow, id))
          .isInstanceOf(InvalidRequestException.class);
    }
  }

  @Test
  void readsFieldsAndTellsTextsThatAreNoJson() {
    redis.call("HSET", key("x"), "n", "62", "name", "\"Joe\"", "raw", "Joe", "empty", "");

    JobView job = jobStore.get(flow.name(), "x");

    assertThat(job.fields().keySet()).containsExactly("n", "name");
    assertThat(job.fields().get("name").stringValue()).isEqualTo("Joe");
    assertThat(job.unreadable()).isEqualTo(Map.of("raw", "Joe", "empty", ""));
    assertThat(jobStore.find(flow.name(), "none")).isEmpty();
    assertThatThrownBy(() -> jobStore.get(flow.name(), "none"))
        .isInstanceOf(JobNotFoundException.class)
        .hasMessageContaining("has no job 'none'");
    redis.call("SET", key("y"), "no hash");
    assertThatThrownBy(() -> jobStore.find(flow.name(), "y"))
        .isInstanceOf(RedisReplyException.class)
        .hasMessageStartingWith("WRONGTYPE")
        .hasMessageContaining(key("y"));
  }

  /** F12. */
  @Test
  void whatIsFoundKeepsItsIdWhenAnotherHasExpiredAndTheDeadIdIsTakenOut() {
    String a = jobStore.create(flow, NewJob.of(Map.of("user", "Joe", "n", 1)));
    String b = jobStore.create(flow, NewJob.of(Map.of("user", "Joe", "n", 2)));
    String c = jobStore.create(flow, NewJob.of(Map.of("user", "Joe", "n", 3)));
    redis.call("DEL", key(a));
    redis.call("DEL", key(c));
    redis.call("SET", key(c), "poison");

    List<JobView> found = jobStore.findBy(flow, "user", "Joe", false);

    assertThat(found).extracting(JobView::id).containsExactly(b, c);
    assertThat(found.getFirst().fields().get("n").intValue()).isEqualTo(2);
    assertThat(found.getLast().unreadable().get(key(c))).startsWith("WRONGTYPE");
    assertThat(list("job:" + flow.name() + ":user:Joe")).isEqualTo(List.of(b, c));
    assertThat(jobStore.findBy(flow, "user", "Ann", true)).isEmpty();
  }

  /** Many jobs may have the same value, so their list is read in pages. */
  @Test
  void aLongLookupListIsReadInPagesAndItsDeadIdsAreTakenOut() {
    String list = "job:" + flow.name() + ":user:Joe";
    List<NewJob> many = new ArrayList<>();
    for (int i = 0; i < 1_700; i++) {
      many.add(NewJob.of(Map.of("user", List.of("Joe", "Joe"), "n", i)));
    }
    List<String> ids = jobStore.createAll(flow, many);
    List<List<String>> gone = new ArrayList<>();
    for (int i = 0; i < ids.size(); i++) {
      if (i < 900 || i % 2 == 0) {
        gone.add(List.of("DEL", key(ids.get(i))));
      }
    }
    redis.pipelined(gone);

    List<JobView> all = jobStore.findBy(flow, "user", "Joe", false);
    assertThat(all).extracting(JobView::id).hasSize(400).doesNotHaveDuplicates().isSorted();
    assertThat(redis.call("LLEN", list)).isEqualTo(800L);
  }

  @Test
  void onlyLookupFieldsCanBeAskedFor() {
    assertThatThrownBy(() -> jobStore.findBy(flow, "n", 1, false))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("cannot be found by 'n'")
        .hasMessageContaining("user, tags");
  }

  /**
   * Creates a parent with two children, one of which has a child, named with and without "job:".
   */
  private String family() {
    String pack = test.name("pack");
    String id = jobStore.create(flow, NewJob.of(Map.of("user", "Joe")));
    String key = key(id);
    redis.call(
        "HSET",
        key,
        "children:" + pack + ":jobs",
        "[\"job:" + pack + ":box:b1\",\"" + pack + ":box:b2\",\"job:" + pack + ":box:gone\",7]");
    redis.call(
        "HSET",
        "job:" + pack + ":box:b1",
        "n",
        "1",
        "children:box:jobs",
        "[\"job:" + pack + ":leaf:l1\"]");
    redis.call("HSET", "job:" + pack + ":box:b2", "n", "2", "done", "\"true\"");
    redis.call("HSET", "job:" + pack + ":leaf:l1", "n", "3");
    redis.call("RPUSH", "queue:" + pack + ":box:waiting", "b1", "b2");
    return id;
  }

  @Test
  void childrenAreReadWithTheirChildren() {
    String pack = test.name("pack");
    String id = family();

    JobView parent = jobStore.get(flow.name(), id);

    assertThat(parent.children()).extracting(JobView::id).containsExactly("b1", "b2", "gone");
    assertThat(parent.children()).extracting(JobView::flow).containsOnly(pack + ":box");
    assertThat(parent.children().get(0).children().getFirst().fields().get("n").intValue())
        .isEqualTo(3);
    assertThat(parent.children().get(2).fields()).isEmpty();
    assertThat(jobStore.findBy(flow, "user", "Joe", true)).containsExactly(parent);
    assertThat(jobStore.findBy(flow, "user", "Joe", false).getFirst().children()).isEmpty();
  }

  @Test
  void aJobThatIsItsOwnChildEnds() {
    String id = jobStore.create(flow, NewJob.of(Map.of("n", 1)));
    redis.call("HSET", key(id), "children:q:jobs", "[\"" + key(id) + "\"]");

    assertThat(jobStore.get(flow.name(), id).children()).hasSize(1);
  }

  @Test
  void deletingLeavesNothingOfAJobAndItsChildren() {
    String pack = test.name("pack");
    String id = family();
    String processing = ProtocolKeys.processing(flow.first().name());
    redis.call("LMOVE", waiting, processing, "LEFT", "RIGHT");
    redis.call("SET", ProtocolKeys.lock(flow.first().name(), id), "worker");
    redis.call("SET", ProtocolKeys.lock(pack + ":box", "b1"), "worker");

    assertThat(jobStore.delete(flow, id)).isTrue();

    assertThat(test.keys()).isEmpty();
    assertThat(jobStore.delete(flow, id)).isFalse();
  }
}
