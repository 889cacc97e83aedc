package io.millrace.redis.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.instance.InvalidRequestException;
import io.millrace.lifecycle.EngineClock;
import io.millrace.lifecycle.EngineRuntime;
import io.millrace.redis.Patience;
import io.millrace.redis.flow.Flow;
import io.millrace.redis.flow.FlowEvent;
import io.millrace.redis.flow.JobResult;
import io.millrace.redis.flow.NewJob;
import io.millrace.redis.flow.Queue;
import io.millrace.redis.flow.QueuePolicy;
import io.millrace.redis.jobs.JobStore;
import io.millrace.redis.support.ServerConditions;
import io.millrace.redis.support.TestRedis;
import io.millrace.redis.wire.JavaScriptJson;
import io.millrace.redis.wire.MillraceKeys;
import io.millrace.redis.wire.RedisDialect;
import io.millrace.redis.wire.UuidV7Generator;
import io.millrace.retry.RetryPolicy;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Tests of the main dialect, that of the main branch of the npm package's repository: the same
 * scenarios under its keys.
 */
class MainDialectTest {

  private static final QueuePolicy THREE =
      QueuePolicy.standard()
          .priorityLevels(3)
          .retry(RetryPolicy.fixed(Duration.ofMillis(50)).maxAttempts(2));

  private final TestRedis server = new TestRedis();
  private final String a = server.name("a");
  private final String b = server.name("b");
  private final Flow flow =
      Flow.of(
          server.name("flow"),
          Queue.of(a).attributes("n").next(b).policy(THREE),
          Queue.of(b).attributes("n").children(Queue.of("c").policy(THREE)).policy(THREE));
  private final JavaScriptJson json = JavaScriptJson.standard();
  private final JobStore jobStore =
      new JobStore(
          server.redis(),
          RedisDialect.MAIN,
          json,
          new UuidV7Generator(EngineClock.system(), new Random(1)));
  private final BlockingQueue<FlowEvent> events = new LinkedBlockingQueue<>();
  private final FlowRuntime flowRuntime =
      new FlowRuntime(
          new WorkerContext(
              server.redis(), RedisDialect.MAIN, json, EngineRuntime.system(), events::add, false));

  MainDialectTest() {
    flowRuntime.register(flow);
  }

  @AfterEach
  void close() {
    flowRuntime.stop(Duration.ofSeconds(2));
    server.close();
  }

  @Test
  void aJobHasTheFieldsAndStandsInTheListThatNodeExpects() {
    String id = jobStore.create(flow, job(1).priority(2));

    assertThat(list("queue:" + a + ":2:waiting")).containsExactly(flow.name() + ":" + id);
    assertThat(field(id, "priority")).isEqualTo("2");
    assertThat(field(id, "flowName")).isEqualTo('"' + flow.name() + '"');
    assertThat(field(id, "createdAtTimestamp")).matches("\\d{13}");
  }

  private String registered(RedisDialect redisDialect, Flow some) {
    PrintStream before = System.err;
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
    try {
      new FlowRuntime(
              new WorkerContext(
                  server.redis(), redisDialect, json, EngineRuntime.system(), events::add, false))
          .register(some);
    } finally {
      System.setErr(before);
    }
    return log.toString(StandardCharsets.UTF_8);
  }

  @Test
  void aQueueThatLeadsToOneWithFewerLevelsIsWarnedOfWhenItIsRegistered() {
    Queue next = Queue.of(b).policy(QueuePolicy.standard().priorityLevels(2));
    Flow fewer = Flow.of("fewer", Queue.of(a).next(b).policy(THREE), next);

    assertThat(registered(RedisDialect.MAIN, fewer))
        .contains("WARN")
        .contains(
            "Queue '"
                + a
                + "' of flow 'fewer' has 3 priority levels and leads to queue '"
                + b
                + "', which has 2. No worker serves a job there whose priority is over 2."
                + " Give queue '"
                + b
                + "' the policy QueuePolicy.priorityLevels(3).");
    assertThat(registered(RedisDialect.V0_0_8, fewer)).isEmpty();
    assertThat(registered(RedisDialect.MAIN, flow)).isEmpty();
    assertThat(registered(RedisDialect.MAIN, Flow.of("more", Queue.of(a).next(b), next))).isEmpty();
  }

  @Test
  void childrenWithFewerLevelsThanTheirParentsAreWarnedOfWhenTheyAreRegistered() {
    Queue leaf = Queue.of("leaf").policy(QueuePolicy.standard().priorityLevels(2));
    Queue inner = Queue.of("inner").policy(THREE).children(leaf);
    Flow fewer = Flow.of("fewer", Queue.of(a).policy(THREE).children(inner));

    assertThat(registered(RedisDialect.MAIN, fewer).lines())
        .singleElement()
        .asString()
        .contains(
            "Queue '"
                + a
                + ":inner' of flow 'fewer' has 3 priority levels and has children in queue '"
                + a
                + ":inner:leaf', which has 2. A parent fails whose priority is over 2 and"
                + " whose children have none of their own.");
  }

  @Test
  void theMoreUrgentLevelIsServedFirstAndAJobKeepsItsLevel() throws Exception {
    String none = jobStore.create(flow, job(1));
    String third = jobStore.create(flow, job(3).priority(3));
    String second = jobStore.create(flow, job(2).priority(2));
    List<String> order = Collections.synchronizedList(new ArrayList<>());
    List<Object> locks = Collections.synchronizedList(new ArrayList<>());
    long begun = System.nanoTime();
    flowRuntime
        .worker(
            a,
            job -> {
              order.add(job.id());
              locks.add(
                  server.redis().call("PTTL", "lock:" + a + ":" + flow.name() + ":" + job.id()));
              return JobResult.of("m", 1);
            })
        .start();
    for (int i = 0; i < 3; i++) {
      await(FlowEvent.Completed.class);
    }

    assertThat(order).containsExactly(none, second, third);
    long passed = Duration.ofNanos(System.nanoTime() - begun).toMillis();
    assertThat(locks).allMatch(ttl -> (Long) ttl >= 181_990 - passed && (Long) ttl <= 182_000);
    assertThat(list("queue:" + b + ":1:waiting")).containsExactly(flow.name() + ":" + none);
    assertThat(list("queue:" + b + ":2:waiting")).containsExactly(flow.name() + ":" + second);
    assertThat(list("queue:" + b + ":3:waiting")).containsExactly(flow.name() + ":" + third);
    assertThat(list("queue:" + a + ":3:processing")).isEmpty();
    assertThat(field(third, "completed-queue")).isEqualTo('"' + a + '"');
    assertThat(field(third, "priority")).isEqualTo("3");
  }

  @Test
  void aJobOfALaterLevelIsHeardOfSoonAlthoughNobodyTells() throws Exception {
    CountDownLatch idle = new CountDownLatch(1);
    flowRuntime
        .worker(
            a,
            job -> {
              idle.countDown();
              return JobResult.completed();
            })
        .start();
    jobStore.create(flow, job(1));
    Patience.await(idle);
    String id = jobStore.create(flow, job(2).priority(3));

    await(FlowEvent.Completed.class);
    assertThat(await(FlowEvent.Completed.class).job().id()).as("F24").isEqualTo(id);
  }

  @Test
  void aFailureIsTriedAgainOnItsLevelAndCountedWhereNodeCounts() throws Exception {
    flowRuntime.startLoops();
    AtomicInteger calls = new AtomicInteger();
    flowRuntime
        .worker(
            a,
            job -> {
              throw new IllegalStateException("call " + calls.incrementAndGet());
            })
        .start();
    String id = jobStore.create(flow, job(1).priority(2));

    await(FlowEvent.Retried.class);
    await(FlowEvent.Failed.class);
    assertThat(field(id, "retries:" + a)).isEqualTo("1");
    assertThat(field(id, "failedErrorMsg")).isEqualTo("\"call 2\"");
    assertThat(server.redis().call("ZCARD", "queue:" + a + ":2:delayed")).isEqualTo(0L);
    assertThat(server.redis().call("ZCARD", MillraceKeys.dead(a))).isEqualTo(1L);
  }

  @Test
  void aDelayedJobStandsInTheSetOfItsLevelAndComesBackThere() throws Exception {
    String id = jobStore.create(flow, job(1).priority(3).delay(Duration.ofHours(1)));
    String entry = flow.name() + ":" + id;
    assertThat(server.redis().call("ZSCORE", "queue:" + a + ":3:delayed", entry)).isNotNull();
    server.redis().call("ZADD", "queue:" + a + ":3:delayed", "5", entry);

    flowRuntime.startLoops();

    ServerConditions.until(() -> list("queue:" + a + ":3:waiting").contains(entry));
  }

  @Test
  void aStalledJobOfALaterLevelIsRecovered() throws Exception {
    String queue = server.name("watched");
    Flow watched =
        Flow.of(
            server.name("soon"), Queue.of(queue).policy(THREE.stallGrace(Duration.ofMillis(50))));
    flowRuntime.register(watched);
    String id = jobStore.create(watched, job(1).priority(2));
    String entry = watched.name() + ":" + id;
    String waiting = "queue:" + queue + ":2:waiting";
    String processing = "queue:" + queue + ":2:processing";
    server.redis().call("LMOVE", waiting, processing, "LEFT", "RIGHT");

    flowRuntime.startLoops();

    ServerConditions.until(() -> list(waiting).contains(entry));
    assertThat(list(processing)).isEmpty();
  }

  @Test
  void childrenHaveTheirParentsLevelFlowAndCorrelation() throws Exception {
    flowRuntime.startLoops();
    flowRuntime.worker(a, job -> JobResult.completed()).start();
    flowRuntime.parentWorker(b).start();
    flowRuntime.worker(b + ":c", job -> JobResult.of("r", 7)).start();
    String id =
        jobStore.create(
            flow,
            NewJob.of(
                    Map.of(
                        RedisDialect.childrenParams(b), List.of(Map.of("childName", "c", "x", 1))))
                .priority(2)
                .correlationId("co"));
    FlowEvent.Completed end =
        await(FlowEvent.Completed.class, event -> event.job().queue().equals(b));

    assertThat(end.job().id()).isEqualTo(id);
    String key = field(id, RedisDialect.childrenJobs(b)).replaceAll("[\\[\\]\"]", "");
    assertThat(key).startsWith("job:" + b + ":c:");
    assertThat((List<?>) server.redis().call("HMGET", key, "x", "r", "done", "priority"))
        .isEqualTo(List.of("1", "7", "true", "2"));
    assertThat((List<?>) server.redis().call("HMGET", key, "flowName", "correlationId"))
        .as("the flow of a child is its queue, as in Node.js")
        .isEqualTo(List.of('"' + b + ":c\"", "\"co\""));
    assertThat(field(id, "children:" + b + ":results"))
        .startsWith("[{\"x\":1,")
        .contains("\"r\":7", "\"done\":true");
  }

  /** The rule is {@code param.priority || job.priority} in Node.js. */
  @Test
  void aChildMayHaveAPriorityOfItsOwn() throws Exception {
    flowRuntime.startLoops();
    flowRuntime.worker(a, job -> JobResult.completed()).start();
    flowRuntime.parentWorker(b).start();
    String id =
        jobStore.create(
            flow,
            NewJob.of(
                    Map.of(
                        RedisDialect.childrenParams(b),
                        List.of(
                            Map.of("childName", "c", "priority", 3),
                            Map.of("childName", "c", "priority", 0))))
                .priority(2));
    ServerConditions.until(() -> field(id, RedisDialect.childrenJobs(b)) != null);

    String[] keys =
        field(id, RedisDialect.childrenJobs(b)).replaceAll("[\\[\\]\"]", "").split(",", -1);
    assertThat(list("queue:" + b + ":c:3:waiting")).containsExactly(keys[0].substring(4));
    assertThat(list("queue:" + b + ":c:2:waiting")).containsExactly(keys[1].substring(4));
    assertThat(server.redis().call("HGET", keys[0], "priority")).isEqualTo("3");
    assertThat(server.redis().call("HGET", keys[1], "priority")).isEqualTo("2");
  }

  @Test
  void aLevelThatNoWorkerReadsIsRefused() throws Exception {
    flowRuntime.startLoops();
    flowRuntime.worker(a, job -> JobResult.completed()).start();
    flowRuntime.parentWorker(b).start();
    assertThatThrownBy(() -> jobStore.create(flow, job(1).priority(4)))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("is 4, but must be 1 to 3");
    jobStore.create(
        flow,
        NewJob.of(
            Map.of(
                RedisDialect.childrenParams(b),
                List.of(Map.of("childName", "c", "priority", "9")))));

    assertThat(await(FlowEvent.Failed.class).message())
        .contains("priority of a child in queue " + b + ":c is \"9\"", "from 1 to 3");
  }

  @Test
  void aChildThatIsNoHashAnyMoreHasNoResults() throws Exception {
    flowRuntime.startLoops();
    flowRuntime.worker(a, job -> JobResult.completed()).start();
    flowRuntime.parentWorker(b).start();
    String id =
        jobStore.create(
            flow,
            NewJob.of(Map.of(RedisDialect.childrenParams(b), List.of(Map.of("childName", "c")))));
    ServerConditions.until(() -> field(id, RedisDialect.childrenJobs(b)) != null);
    String key = field(id, RedisDialect.childrenJobs(b)).replaceAll("[\\[\\]\"]", "");
    server.redis().transaction(List.of(List.of("DEL", key), List.of("SET", key, "no hash")));

    await(FlowEvent.Completed.class, event -> event.job().queue().equals(b));
    assertThat(field(id, "children:" + b + ":results")).isEqualTo("[{}]");
  }

  @Test
  void aUniqueKeyIsFreeWhenItsJobHasEnded() throws Exception {
    flowRuntime.startLoops();
    String id = jobStore.create(flow, job(1).uniqueKey("k"));
    assertThat(jobStore.createOrGet(flow, job(2).uniqueKey("k")))
        .isEqualTo(new JobStore.CreateResult(id, false));
    flowRuntime.worker(a, job -> JobResult.completed()).start();
    flowRuntime.parentWorker(b).start();
    await(FlowEvent.Failed.class);

    assertThat(server.redis().call("GET", MillraceKeys.unique(flow.name(), "k"))).isNull();
    assertThat(jobStore.createOrGet(flow, job(3).uniqueKey("k")).created()).isTrue();
  }

  private <T extends FlowEvent> T await(Class<T> kind) throws InterruptedException {
    return await(kind, event -> true);
  }

  private <T extends FlowEvent> T await(Class<T> kind, Predicate<T> condition)
      throws InterruptedException {
    while (true) {
      FlowEvent event = events.poll(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS);
      assertThat(event).as("a " + kind.getSimpleName()).isNotNull();
      if (kind.isInstance(event) && condition.test(kind.cast(event))) {
        return kind.cast(event);
      }
    }
  }

  private String field(String id, String name) {
    return (String) server.redis().call("HGET", RedisDialect.MAIN.job(flow.name(), id), name);
  }

  private List<String> list(String key) {
    return ((List<?>) server.redis().call("LRANGE", key, "0", "-1"))
        .stream().map(String::valueOf).toList();
  }

  private static NewJob job(int n) {
    return NewJob.of(Map.of("n", n));
  }
}
