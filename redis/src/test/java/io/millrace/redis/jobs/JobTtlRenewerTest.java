package io.millrace.redis.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.lifecycle.EngineClock;
import io.millrace.redis.FlowClient;
import io.millrace.redis.RedisFlows;
import io.millrace.redis.admin.FlowAdmin;
import io.millrace.redis.admin.QueueView;
import io.millrace.redis.connect.Redis;
import io.millrace.redis.flow.Flow;
import io.millrace.redis.flow.FlowJson;
import io.millrace.redis.flow.JobResult;
import io.millrace.redis.flow.NewJob;
import io.millrace.redis.flow.Queue;
import io.millrace.redis.support.TestRedis;
import io.millrace.redis.wire.JavaScriptJson;
import io.millrace.redis.wire.MillraceKeys;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests that jobs that a queue still needs outlive the time to live of their flow. */
@Timeout(300)
@Tag("races")
class JobTtlRenewerTest {

  private static final Duration SHORT = Duration.ofSeconds(6);

  private final TestRedis server = new TestRedis();
  private final Redis redis = server.redis();
  private final String queue = server.name("q");
  private final Flow flow =
      Flow.of(server.name("flow"), Queue.of(queue).fields("n"))
          .lookup("customer")
          .timeToLive(Duration.ofHours(8));

  @AfterEach
  void close() {
    redis.call("HDEL", MillraceKeys.flows(), flow.name(), server.name("other"));
    server.close();
  }

  private FlowAdmin admin() {
    return new FlowAdmin(redis, EngineClock.system());
  }

  private JobTtlRenewer renewal(Flow... flows) {
    for (Flow one : flows) {
      redis.call("HSET", MillraceKeys.flows(), one.name(), FlowJson.write(one));
    }
    return new JobTtlRenewer(redis, JavaScriptJson.standard(), EngineClock.system());
  }

  private String job(String id) {
    return "job:" + flow.name() + ":" + id;
  }

  /** Creates jobs like Node.js, so long ago that few seconds are left. */
  private void old(String list, String... ids) {
    for (String id : ids) {
      redis.call("HSET", job(id), "n", "1");
      redis.call("EXPIRE", job(id), "600");
      redis.call("RPUSH", list, id);
    }
  }

  private long ttl(String key) {
    return (Long) redis.call("TTL", key);
  }

  private QueueView view() {
    return admin().queue(flow.name(), queue);
  }

  /** Waits on the server until a key with this time to live has expired. */
  private void outlive(Duration time) throws InterruptedException {
    String mark = server.name("mark");
    redis.call("SET", mark, "1", "PX", String.valueOf(time.toMillis()));
    try (Redis.BlockingConnection line = redis.blocking()) {
      while (redis.call("EXISTS", mark).equals(1L)) {
        line.move(server.name("none"), server.name("nowhere"), Duration.ofMillis(200));
      }
    }
  }

  @Test
  void waitingUniqueAndDeadJobsOutliveTheirTimeToLive() throws Exception {
    Flow brief =
        Flow.of(
                server.name("flow"),
                Queue.of(queue).fields("n").next(server.name("idle")),
                Queue.of(server.name("idle")))
            .lookup("customer")
            .timeToLive(SHORT);
    try (RedisFlows flows = RedisFlows.connect(TestRedis.settings())) {
      FlowClient client = flows.register(brief);
      client.worker(
          queue,
          job -> {
            if (job.get("n", Integer.class) == 1) {
              throw new IllegalStateException("no");
            }
            return JobResult.completed();
          });
      flows.start();
      String dead = client.create(Map.of("n", 1));
      String waits = client.create(Map.of("n", 2, "customer", "Ann"));
      String unique = client.create(NewJob.of(Map.of("n", 3)).uniqueKey("k"));
      assertThat(client.await(dead, Duration.ofSeconds(30))).isTrue();

      outlive(SHORT.plusSeconds(3));

      assertThat(client.find(dead)).isPresent();
      assertThat(client.find(waits)).isPresent();
      assertThat(client.findBy("customer", "Ann", false)).hasSize(1);
      assertThat(client.create(NewJob.of(Map.of("n", 4)).uniqueKey("k"))).isEqualTo(unique);
      assertThat(admin().requeue(brief.name(), queue, List.of()).requeued()).isEqualTo(1);
    }
  }

  /** A key of another type does not belong to the queue, and the renewal must not remove it. */
  @Test
  void aSortedSetInPlaceOfAListAndAListInPlaceOfASortedSetAreLeftAlone() {
    redis.call("ZADD", "queue:" + queue + ":waiting", "1", "foreign");
    redis.call("RPUSH", MillraceKeys.delayed(queue), "foreign");

    renewal(flow).tick();

    assertThat(redis.call("ZCARD", "queue:" + queue + ":waiting")).isEqualTo(1L);
    assertThat(redis.call("LLEN", MillraceKeys.delayed(queue))).isEqualTo(1L);
  }

  @Test
  void jobsOfAllListsAreRenewedAndThoseThatLiveLongEnoughAreLeftAlone() {
    old("queue:" + queue + ":waiting", "w");
    old("queue:" + queue + ":processing", "p");
    old(server.name("other"), "delayed", "dead", "ended", "young", "forever");
    redis.call("ZADD", MillraceKeys.delayed(queue), "9999999999999", "delayed");
    redis.call("ZADD", MillraceKeys.dead(queue), "1", "dead");
    redis.call("RPUSH", "queue:" + queue + ":waiting", "young", "forever");
    redis.call("EXPIRE", job("young"), "28000");
    redis.call("PERSIST", job("forever"));
    redis.call("HSET", MillraceKeys.metadata(flow.name(), "w"), "unique", server.name("unique"));
    redis.call("EXPIRE", MillraceKeys.metadata(flow.name(), "w"), "600");
    redis.call("SET", server.name("unique"), "w", "EX", "600");

    renewal(flow).tick();

    for (String id : List.of("w", "p", "delayed", "dead")) {
      assertThat(ttl(job(id))).as(id).isGreaterThan(28_700);
    }
    assertThat(ttl(MillraceKeys.metadata(flow.name(), "w"))).isGreaterThan(28_700);
    assertThat(ttl(server.name("unique"))).isGreaterThan(28_700);
    assertThat(ttl(job("ended"))).isBetween(1L, 600L);
    assertThat(ttl(job("young"))).isBetween(1L, 28_000L);
    assertThat(ttl(job("forever"))).isEqualTo(-1);
  }

  @Test
  void aTickReadsOnePageAndTheNextProcessGoesOnWithTheRound() throws Exception {
    int count = 3 * JobTtlRenewer.PAGE;
    String[] ids = IntStream.range(0, count).mapToObj(i -> "j" + i).toArray(String[]::new);
    old("queue:" + queue + ":waiting", ids);
    Flow brief = flow.timeToLive(Duration.ofMinutes(20));

    renewal(brief).tick();
    assertThat(renewed(ids)).isEqualTo(JobTtlRenewer.PAGE);
    // What workers remove from the head meanwhile hides none of the jobs that stay.
    redis.call("LTRIM", "queue:" + queue + ":waiting", "300", "-1");
    for (int i = 0; i < 2; i++) {
      redis.call("HSET", MillraceKeys.renewal(queue, flow.name()), "due", "0");
      renewal(brief).tick();
    }
    assertThat(renewed(ids)).isEqualTo(count - 300);
    assertThat(renewal(brief).tick()).as("the round is over").isPositive();
  }

  private long renewed(String... ids) {
    return List.of(ids).stream().filter(id -> ttl(job(id)) > 900).count();
  }

  @Test
  void entriesWhoseJobsHaveExpiredAreRemovedAndCounted() {
    List<String> stay = new ArrayList<>(List.of("a", "b"));
    old("queue:" + queue + ":waiting", "a", "gone1", "gone2", "b", "gone3");
    old(server.name("other"), "dead", "gone4", "gone5");
    redis.call("ZADD", MillraceKeys.dead(queue), "1", "dead", "2", "gone4");
    redis.call("ZADD", MillraceKeys.delayed(queue), "9999999999999", "gone5");
    redis.call("RPUSH", "queue:" + queue + ":processing", "gone6");
    IntStream.rangeClosed(1, 5).forEach(i -> redis.call("DEL", job("gone" + i)));

    renewal(flow).tick();

    assertThat(redis.call("LRANGE", "queue:" + queue + ":waiting", "0", "-1")).isEqualTo(stay);
    assertThat(redis.call("ZRANGE", MillraceKeys.dead(queue), "0", "-1"))
        .isEqualTo(List.of("dead"));
    assertThat(redis.call("EXISTS", MillraceKeys.delayed(queue))).isEqualTo(0L);
    assertThat(redis.call("LLEN", "queue:" + queue + ":processing"))
        .as("a worker may have it")
        .isEqualTo(1L);
    assertThat(view().expired().total()).isEqualTo(5);
    assertThat(view().expired().last()).isNotNull();
  }

  @Test
  void theOrderOfUrgentJobsStaysWhenOneOfThemHasExpired() {
    try (RedisFlows flows = RedisFlows.connect(TestRedis.settings())) {
      FlowClient client = flows.register(flow);
      String first = client.create(NewJob.of(Map.of("n", 1)).priority(5));
      String second = client.create(NewJob.of(Map.of("n", 2)).priority(5));
      String third = client.create(NewJob.of(Map.of("n", 3)).priority(5));
      redis.call("DEL", job(second));
      redis.call("DEL", job(third));
      renewal(flow).tick();
      String fourth = client.create(NewJob.of(Map.of("n", 4)).priority(5));
      assertThat(redis.call("LRANGE", "queue:" + queue + ":waiting", "0", "-1"))
          .isEqualTo(List.of(first, fourth));
    }
  }

  @Test
  void anEntryOfAQueueThatAnotherFlowSharesIsNotRemoved() {
    Flow other = Flow.of(server.name("other"), Queue.of(queue));
    redis.call("RPUSH", "queue:" + queue + ":waiting", "x");
    redis.call("HSET", "job:" + other.name() + ":x", "n", "1");
    redis.call("EXPIRE", "job:" + other.name() + ":x", "60");

    renewal(flow, other).tick();

    assertThat(redis.call("LLEN", "queue:" + queue + ":waiting")).isEqualTo(1L);
    assertThat(ttl("job:" + other.name() + ":x")).isGreaterThan(80_000);
    assertThat(view().expired().total()).isZero();
  }

  @Test
  void theChildrenOfAJobThatWaitsLiveOnWithIt() {
    Flow parents =
        Flow.of(
            flow.name(),
            Queue.of(queue).children(Queue.of("c").children(Queue.of("d"))).next(server.name("z")),
            Queue.of(server.name("z")));
    String child = "job:" + queue + ":c:1";
    String grandchild = "job:" + queue + ":c:d:2";
    old("queue:" + server.name("z") + ":waiting", "parent");
    redis.call("HSET", job("parent"), "children:" + queue + ":jobs", "[\"" + child + "\"]");
    redis.call("HSET", child, "children:" + queue + ":c:jobs", "[\"" + grandchild + "\", 5]");
    redis.call("HSET", grandchild, "done", "true");
    redis.call("EXPIRE", child, "60");
    redis.call("EXPIRE", grandchild, "60");

    renewal(parents).tick();

    assertThat(ttl(child)).isGreaterThan(80_000);
    assertThat(ttl(grandchild)).isGreaterThan(80_000);
  }

  @Test
  void aKeyOfAnotherTypeStopsNeitherItsQueueNorOthers() {
    redis.call("SET", "queue:" + queue + ":waiting", "poison");
    redis.call("SET", MillraceKeys.renewal(queue, flow.name()), "poison");
    redis.call("ZADD", MillraceKeys.dead(queue), "1", "dead");
    redis.call("HSET", job("dead"), "n", "1");
    redis.call("EXPIRE", job("dead"), "60");

    renewal(flow).tick();

    assertThat(ttl(job("dead"))).isGreaterThan(28_700);
  }
}
