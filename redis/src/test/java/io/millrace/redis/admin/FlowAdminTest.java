package io.millrace.redis.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.instance.InvalidRequestException;
import io.millrace.redis.admin.FlowAdmin.JobRef;
import io.millrace.redis.connect.Redis;
import io.millrace.redis.flow.Flow;
import io.millrace.redis.flow.FlowJson;
import io.millrace.redis.flow.Queue;
import io.millrace.redis.sim.SimRedisClock;
import io.millrace.redis.support.ServerConditions;
import io.millrace.redis.support.TestRedis;
import io.millrace.redis.wire.MillraceKeys;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FlowAdminTest {

  private final TestRedis server = new TestRedis();
  private final Redis redis = server.redis();
  private final CountingRedis counting = new CountingRedis(redis);
  private final SimRedisClock clock = new SimRedisClock();
  private final FlowAdmin admin = new FlowAdmin(counting, clock);
  private final String pack = server.name("pack");
  private final String box = server.name("box");
  private final String ship = server.name("ship");
  private final String fold = box + ":fold";

  @BeforeEach
  void register() {
    tell(
        Flow.of(
                pack,
                Queue.of(box).next(ship).children(Queue.of("fold")),
                Queue.of(ship).lockTime(Duration.ofMinutes(30)))
            .lookup("customer"));
  }

  @AfterEach
  void clean() {
    redis.call("HDEL", MillraceKeys.flows(), pack, server.name("other"), server.name("broken"));
    server.close();
  }

  private void tell(Flow flow) {
    redis.call("HSET", MillraceKeys.flows(), flow.name(), FlowJson.write(flow));
  }

  private long now() {
    return AdminReplies.millis(redis.call("TIME"));
  }

  /** Returns an id as it was created the given number of seconds ago. */
  private String id(int number, long secondsAgo) {
    String time = "%012x".formatted(now() - secondsAgo * 1000);
    return String.format(
        Locale.ROOT, "%s-%s-7000-8000-%012d", time.substring(0, 8), time.substring(8), number);
  }

  private String wait(String queue, String id) {
    redis.call("HSET", "job:" + pack + ":" + id, "size", "3");
    redis.call("RPUSH", "queue:" + queue + ":waiting", id);
    return id;
  }

  private String die(String queue, String id, long at) {
    redis.call(
        "HSET",
        "job:" + pack + ":" + id,
        "done",
        "true",
        "failed",
        "true",
        "failedQueue",
        "\"" + queue + "\"",
        "failedErrorMsg",
        "\"torn \\\"box\\\"\"");
    redis.call("ZADD", MillraceKeys.dead(queue), String.valueOf(at), id);
    return id;
  }

  private QueueView view(String queue) {
    return admin.queue(pack, queue);
  }

  @Test
  void flowsShowTheirQueuesWithChildrenBehindTheirParents() {
    long begun = now();
    wait(box, id(1, 40));
    wait(box, id(2, 20));
    redis.call("ZADD", MillraceKeys.delayed(box), "5", id(3, 0));
    die(box, id(4, 0), 7);
    redis.call("RPUSH", "queue:" + ship + ":processing", "a", "b", "c");
    redis.call("SET", "lock:" + ship + ":a", "w1", "EX", "1801");
    redis.call("SET", "lock:" + ship + ":b", "w1", "PX", "9000");

    FlowView flow =
        admin.flows().stream().filter(f -> f.name().equals(pack)).findFirst().orElseThrow();

    assertThat(flow.lookup()).containsExactly("customer");
    assertThat(flow.queues())
        .extracting(q -> q.queue().name(), q -> q.queue().parent(), q -> q.queue().next())
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple(box, null, ship),
            org.assertj.core.groups.Tuple.tuple(fold, box, null),
            org.assertj.core.groups.Tuple.tuple(ship, null, null));
    QueueView first = flow.queues().getFirst();
    assertThat(first.counts().waiting()).isEqualTo(2);
    assertThat(first.counts().next()).endsWith("000000000001");
    assertThat(first.counts().delayed()).isEqualTo(1);
    assertThat(first.counts().dead()).isEqualTo(1);
    assertThat(first.counts().oldest())
        .isBetween(Duration.ofSeconds(40), Duration.ofMillis(40_000 + now() - begun));
    QueueView last = flow.queues().getLast();
    assertThat(last.counts().processing()).isEqualTo(3);
    assertThat(last.counts().locksExpiring()).as("b ends soon, c has none").isEqualTo(2);
    assertThat(last.counts().oldest()).isNull();
  }

  @Test
  void allQueuesTogetherCostThreeRoundTripsAndNoListIsReadAsAWhole() {
    List<Queue> many = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      many.add(Queue.of(server.name("many" + i)));
    }
    tell(Flow.of(server.name("other"), many.toArray(Queue[]::new)));
    List<String> push = new ArrayList<>(List.of("RPUSH", "queue:" + ship + ":processing"));
    for (int i = 0; i < 3_000; i++) {
      push.add("e" + i);
    }
    redis.call(push.toArray(String[]::new));

    admin.flows();

    assertThat(counting.trips()).isLessThanOrEqualTo(3);
    assertThat(view(ship).counts().locksExpiring()).isEqualTo(500);
    assertThat(counting.commands())
        .noneMatch(c -> c.getFirst().equals("LRANGE") && c.getLast().equals("-1"));
  }

  @Test
  void workersAreCountedWhileTheyBeat() {
    // Repeated in case the machine paused meanwhile, since ten seconds count as silence.
    ServerConditions.until(() -> {
      beat();
      return view(box).workers().equals(new QueueView.WorkerCounts(6, 3));
    });
  }

  private void beat() {
    String beat = "{\"process\":\"p\",\"host\":\"h\",\"workers\":%d,\"busy\":%d,\"beat\":%d}";
    redis.call(
        "HSET",
        MillraceKeys.workers(box),
        "p1",
        String.format(Locale.ROOT, beat, 4, 1, now()),
        "p2",
        String.format(Locale.ROOT, beat, 2, 2, now() - 3_000),
        "gone",
        String.format(Locale.ROOT, beat, 9, 9, now() - 60_000),
        "odd",
        "no JSON");
  }

  @Test
  void aPausedQueueTellsWhyByWhomAndSinceWhen() {
    assertThat(view(box).paused()).isNull();
    QueuePause queuePause = admin.pause(pack, box, "ann", "no boxes").paused();
    assertThat(queuePause.why()).isEqualTo("no boxes");
    assertThat(queuePause.by()).isEqualTo("ann");
    assertThat(queuePause.since()).isEqualTo(clock.instant());
    assertThat(view(box).paused()).isEqualTo(queuePause);
    assertThat(admin.pause(pack, box, null, null).paused())
        .extracting(QueuePause::why, QueuePause::by)
        .containsExactly(null, null);
    assertThat(admin.resume(pack, box).paused()).isNull();
  }

  @Test
  void aPauseKeySetByHandPausesToo() {
    for (String[] one :
        new String[][] {
          {"no boxes", "no boxes"},
          {"", null},
          {"7", "7"},
          {"{\"why\":\"x\",\"since\":\"yesterday\"}", "x"},
          {"{}", null}
        }) {
      redis.call("SET", MillraceKeys.paused(box), one[0]);
      assertThat(view(box).paused()).as(one[0]).isEqualTo(new QueuePause(one[1], null, null));
    }
  }

  @Test
  void listsArePagedInTheOrderOfTheQueue() {
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      ids.add(wait(box, id(i, 10 - i)));
    }
    JobPage first = admin.jobs(pack, box, JobList.WAITING, 2, null);
    JobPage second = admin.jobs(pack, box, JobList.WAITING, 2, first.next());
    JobPage third = admin.jobs(pack, box, JobList.WAITING, 2, second.next());
    List<String> seen = new ArrayList<>();
    for (JobPage page : List.of(first, second, third)) {
      page.items().forEach(item -> seen.add(item.id()));
    }
    assertThat(seen).isEqualTo(ids);
    assertThat(third.next()).isNull();
    assertThat(first.items().getFirst().created()).isNotNull();
    for (int limit : List.of(-1, 0, 1_001)) {
      assertThatThrownBy(() -> admin.jobs(pack, box, JobList.WAITING, limit, null))
          .isInstanceOf(InvalidRequestException.class)
          .hasMessageContaining("1 to 1000");
    }
    for (String cursor : List.of("", "x", "-1", "9999999999999999")) {
      assertThatThrownBy(() -> admin.jobs(pack, box, JobList.WAITING, 2, cursor))
          .isInstanceOf(InvalidRequestException.class);
    }
  }

  @Test
  void deadJobsAreShownNewestFirstWithTheirErrorAndLockedOnesWithTheirWorker() {
    String old = die(box, id(1, 9), 1_000);
    String young = die(box, id(2, 8), 2_000);
    JobPage dead = admin.jobs(pack, box, JobList.DEAD, 10, null);
    assertThat(dead.items()).extracting(JobPage.Entry::id).containsExactly(young, old);
    assertThat(dead.items().getFirst().at()).isEqualTo(Instant.ofEpochMilli(2_000));
    assertThat(dead.items().getFirst().error()).isEqualTo("torn \"box\"");

    redis.call("RPUSH", "queue:" + box + ":processing", "a", "b");
    redis.call("SET", "lock:" + box + ":a", "w1", "EX", "600");
    assertThat(admin.jobs(pack, box, JobList.PROCESSING, 10, null).items())
        .extracting(JobPage.Entry::lock)
        .satisfiesExactly(
            lock -> assertThat(lock.owner()).isEqualTo("w1"), lock -> assertThat(lock).isNull());
  }

  @Test
  void aJobIsFoundWhereverItStands() {
    String waiting = wait(box, id(1, 0));
    String second = wait(box, id(2, 0));
    String dead = die(ship, id(3, 0), 5);
    redis.call("EXPIRE", "job:" + pack + ":" + second, "1000");
    redis.call("HSET", MillraceKeys.metadata(pack, second), "progress", "40");
    redis.call("ZADD", MillraceKeys.delayed(box), "1790000000000", "later");
    redis.call("RPUSH", "queue:" + fold + ":processing", "c1");
    redis.call("SET", "lock:" + fold + ":c1", "w9", "EX", "600");

    List<JobLocation> places =
        admin.places(
            List.of(
                new JobRef(pack, waiting),
                new JobRef(pack, second),
                new JobRef(pack, dead),
                new JobRef(fold, "c1"),
                new JobRef(pack, "later"),
                new JobRef(pack, "nowhere"),
                new JobRef("no such flow", "x")));

    assertThat(places)
        .extracting(JobLocation::list)
        .containsExactly(
            JobList.WAITING,
            JobList.WAITING,
            JobList.DEAD,
            JobList.PROCESSING,
            JobList.DELAYED,
            null,
            null);
    assertThat(places.get(2).listEntry().at()).isEqualTo(Instant.ofEpochMilli(5));
    assertThat(places.get(4).listEntry().at()).isEqualTo(Instant.ofEpochMilli(1_790_000_000_000L));
    assertThat(places.get(1).listEntry().position()).isEqualTo(1);
    assertThat(places.get(1).ttlSeconds()).isBetween(900L, 1_000L);
    assertThat(places.get(1).metadata()).isEqualTo(Map.of("progress", "40"));
    assertThat(places.get(2).queue()).isEqualTo(ship);
    assertThat(places.get(3).listEntry().lock()).isNotNull();
  }

  @Test
  void deadJobsAreRequeuedSomeOrAll() {
    String one = die(box, id(1, 0), 1);
    String two = die(box, id(2, 0), 2);
    String three = die(box, id(3, 0), 3);
    assertThat(admin.requeue(pack, box, List.of(two, "unknown")))
        .isEqualTo(new RequeueResult(1, 0, 0));
    assertThat(admin.jobs(pack, box, JobList.WAITING, 9, null).items())
        .extracting(JobPage.Entry::id)
        .containsExactly(two);
    assertThat(redis.call("HGET", "job:" + pack + ":" + two, "failed")).isNull();

    assertThat(admin.requeue(pack, box, List.of())).isEqualTo(new RequeueResult(2, 0, 0));
    assertThat(admin.jobs(pack, box, JobList.WAITING, 9, null).items())
        .extracting(JobPage.Entry::id)
        .containsExactly(two, one, three);
    assertThat(view(box).counts().dead()).isZero();
  }

  @Test
  void deadJobsOfAnotherFlowInTheQueueAreLeft() {
    String other = server.name("other");
    tell(Flow.of(other, Queue.of(box)));
    String own = die(box, id(1, 0), 1);
    String theirs = id(2, 0);
    redis.call("HSET", "job:" + other + ":" + theirs, "failedErrorMsg", "\"x\"");
    redis.call("ZADD", MillraceKeys.dead(box), "2", theirs);

    assertThat(admin.jobs(pack, box, JobList.DEAD, 9, null).items())
        .extracting(JobPage.Entry::flow)
        .containsExactly(other, pack);
    assertThat(admin.requeue(pack, box, List.of(theirs))).isEqualTo(RequeueResult.NONE);
    assertThat(admin.jobs(pack, box, JobList.DEAD, 9, null).items())
        .as("those of another flow are not dropped, either")
        .hasSize(2);
    assertThat(admin.requeue(pack, box, List.of())).isEqualTo(new RequeueResult(1, 0, 0));
    assertThat(admin.jobs(pack, box, JobList.DEAD, 9, null).items())
        .extracting(JobPage.Entry::id)
        .containsExactly(theirs)
        .doesNotContain(own);
  }

  @Test
  void whatIsNotRequeuedIsTold() {
    String gone = die(box, id(1, 0), 1);
    redis.call("DEL", "job:" + pack + ":" + gone);
    String held = die(box, id(2, 0), 2);
    String key = MillraceKeys.holderKey(pack, server.name("key"));
    redis.call("HSET", MillraceKeys.metadata(pack, held), "unique", key);
    redis.call("SET", key, "another");
    redis.call("HSET", "job:" + pack + ":another", "order", "4");
    String well = die(box, id(3, 0), 3);

    assertThat(admin.requeue(pack, box, List.of(gone, held, well)))
        .isEqualTo(new RequeueResult(1, 1, 1));
    assertThat(admin.jobs(pack, box, JobList.DEAD, 9, null).items())
        .extracting(JobPage.Entry::id)
        .containsExactly(held);
  }

  @Test
  void aPoisonedJobSpoilsNoPageAndAPoisonedQueueNoJob() {
    String poisoned = die(box, id(1, 0), 1);
    String well = die(box, id(2, 0), 2);
    redis.call("DEL", "job:" + pack + ":" + poisoned);
    redis.call("SET", "job:" + pack + ":" + poisoned, "poison");
    redis.call("SET", "queue:" + ship + ":waiting", "poison");

    assertThat(admin.jobs(pack, box, JobList.DEAD, 9, null).items())
        .extracting(JobPage.Entry::id, JobPage.Entry::error)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple(well, "torn \"box\""),
            org.assertj.core.groups.Tuple.tuple(poisoned, null));
    assertThat(admin.places(List.of(new JobRef(pack, well))))
        .extracting(JobLocation::list)
        .containsExactly(JobList.DEAD);
  }

  @Test
  void whatIsUnknownIsToldWithWhatThereIs() {
    assertThatThrownBy(() -> admin.queue("nobody", box))
        .isInstanceOf(UnknownFlowException.class)
        .hasMessageContaining("There is no flow 'nobody'")
        .hasMessageContaining(pack);
    assertThatThrownBy(() -> admin.requeue(pack, "nowhere", List.of()))
        .isInstanceOf(UnknownFlowException.class)
        .hasMessageContaining(box + ", " + fold + ", " + ship);
  }

  @Test
  void aKeyOfTheWrongTypeSpoilsItsQueueOnly() {
    redis.call("SET", "queue:" + box + ":waiting", "poison");
    wait(ship, id(1, 0));
    redis.call("HSET", MillraceKeys.flows(), server.name("broken"), "{");
    FlowView flow =
        admin.flows().stream().filter(f -> f.name().equals(pack)).findFirst().orElseThrow();
    assertThat(flow.queues().getFirst().problem()).contains("WRONGTYPE");
    assertThat(flow.queues().getLast().problem()).isNull();
    assertThat(flow.queues().getLast().counts().waiting()).isEqualTo(1);
  }
}
