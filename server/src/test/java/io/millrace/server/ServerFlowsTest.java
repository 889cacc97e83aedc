package io.millrace.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.instance.DrainRequest;
import io.millrace.instance.OperatorAction;
import io.millrace.lifecycle.EngineRuntime;
import io.millrace.redis.ServedFlow;
import io.millrace.redis.admin.FlowAdmin;
import io.millrace.redis.admin.JobList;
import io.millrace.redis.connect.Redis;
import io.millrace.redis.connect.RedisConnections;
import io.millrace.redis.connect.RedisSettings;
import io.millrace.redis.flow.Flow;
import io.millrace.redis.flow.FlowJson;
import io.millrace.redis.flow.JobResult;
import io.millrace.redis.flow.NewJob;
import io.millrace.redis.flow.Queue;
import io.millrace.redis.wire.MillraceKeys;
import io.millrace.server.api.FlowServices;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests a server that works on a Redis flow: its jobs are done, and running jobs end at a stop. */
@Timeout(300)
@Tag("server")
class ServerFlowsTest {

  private final String mark = "s" + UUID.randomUUID().toString().substring(0, 8);
  private final Flow flow = Flow.of(mark + "-pack", Queue.of(mark + "-box"));

  private final String box = mark + "-box";
  private final Redis redis =
      RedisConnections.open(RedisSettings.of(uri()), EngineRuntime.system());

  /**
   * Registers the flow, because the location of a job is found only in known flows; their process
   * registers them later.
   */
  @BeforeEach
  void tell() {
    redis.call("HSET", MillraceKeys.flows(), flow.name(), FlowJson.write(flow));
  }

  @AfterEach
  void forget() {
    redis.call("HDEL", MillraceKeys.flows(), flow.name());
    for (Object key : (List<?>) redis.call("KEYS", "*" + mark + "*")) {
      redis.call("UNLINK", key.toString());
    }
    redis.close();
  }

  private MillraceServer start(String uri, ServedFlow work, String... more) {
    List<String> settings =
        new ArrayList<>(
            List.of(
                "database.url",
                "jdbc:h2:mem:" + mark + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1",
                "http.port",
                "0",
                "redis.uri",
                uri));
    settings.addAll(List.of(more));
    return MillraceServer.start(
        TestConfigs.of(settings.toArray(String[]::new)),
        new ServerExtensions(builder -> {}, List.of(work), null));
  }

  private static FlowServices flowServices(MillraceServer server) {
    return Objects.requireNonNull(server.flows()).services();
  }

  private JobList list(FlowServices flowServices, String id) {
    return flowServices
        .admin()
        .places(List.of(new FlowAdmin.JobRef(flow.name(), id)))
        .getFirst()
        .list();
  }

  private static String uri() {
    return Objects.requireNonNull(System.getenv("MILLRACE_TEST_REDIS_URI"), "needs a Redis");
  }

  /**
   * Jobs of a flow without workers do not expire either, since the problem list shows them as
   * waiting.
   */
  @Test
  void jobsOfAFlowThatNobodyWorksOnDoNotExpire() {
    String job = "job:" + flow.name() + ":old";
    redis.call("HSET", job, "size", "3");
    redis.call("EXPIRE", job, "600");
    redis.call("RPUSH", "queue:" + box + ":waiting", "old");
    ServedFlow idle = ServedFlow.of(flow);
    try (MillraceServer server = start(uri(), idle, "engine.autostart", "false");
        Redis.BlockingConnection line = redis.blocking()) {
      while (Objects.equals(redis.call("TTL", job), 600L) || (Long) redis.call("TTL", job) < 600) {
        line.move(mark + "-none", mark + "-nowhere", Duration.ofMillis(100));
      }
      assertThat((Long) redis.call("TTL", job)).isGreaterThan(80_000);
      assertThat(server.flows()).isNotNull();
    }
  }

  @Test
  void jobsAreDoneAndThoseInHandEndAtAStop() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch may = new CountDownLatch(1);
    ServedFlow work =
        ServedFlow.of(flow)
            .serve(
                box,
                1,
                job -> {
                  begun.countDown();
                  assertThat(may.await(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
                  return JobResult.of("boxed", true);
                });
    String id;
    try (MillraceServer millraceServer = start(uri(), work)) {
      FlowServices flowServices = flowServices(millraceServer);
      id = flowServices.jobs().create(flow, NewJob.of(Map.of("size", 3)));
      assertThat(begun.await(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
      assertThat(list(flowServices, id)).isEqualTo(JobList.PROCESSING);
      Thread.ofVirtual().start(may::countDown);
    }
    assertThat(redis.call("HGET", MillraceKeys.totals(box), "completed")).isEqualTo("1");
    ServedFlow looking = ServedFlow.of(flow);
    try (MillraceServer millraceServer = start(uri(), looking)) {
      FlowServices flowServices = flowServices(millraceServer);
      assertThat(flowServices.jobs().get(flow.name(), id).fields().get("boxed").booleanValue())
          .isTrue();
      assertThat(flowServices.jobs().delete(flow, id)).isTrue();
    }
  }

  @Test
  void theJobOfAHandlerThatDoesNotReturnWaitsAgainWhenTheServerIsClosed() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    Semaphore stuck = new Semaphore(0);
    ServedFlow work =
        ServedFlow.of(flow)
            .serve(
                box,
                1,
                job -> {
                  begun.countDown();
                  stuck.acquireUninterruptibly();
                  return JobResult.completed();
                });
    try {
      String id;
      try (MillraceServer server =
          start(uri(), work, "engine.dispatcher.await.termination.seconds", "1")) {
        id = flowServices(server).jobs().create(flow, NewJob.of(Map.of("size", 3)));
        assertThat(begun.await(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
      }
      assertThat(redis.call("LRANGE", "queue:" + box + ":waiting", "0", "-1"))
          .isEqualTo(List.of(id));
    } finally {
      stuck.release();
    }
  }

  @Test
  void workersStopWithAnExecutorThatIsDrainedByHand() throws Exception {
    ServedFlow work = ServedFlow.of(flow).serve(box, 2, job -> JobResult.completed());
    try (MillraceServer server = start(uri(), work, "engine.executor.keepalive.seconds", "1")) {
      long executor = Objects.requireNonNull(server.engine().executorId());
      server
          .engine()
          .admin()
          .drain(executor, DrainRequest.withDefaultGrace(), OperatorAction.by("ann"));
      ServerFlows flows = Objects.requireNonNull(server.flows());
      assertThat(flows.awaitDrained(Patience.LIMIT)).isTrue();
      String id = flows.services().jobs().create(flow, NewJob.of(Map.of("size", 3)));
      assertThat(list(flows.services(), id))
          .as("operators go on looking")
          .isEqualTo(JobList.WAITING);
    }
  }

  @Test
  void aRedisThatIsAwayKeepsNoServerFromStartingAndStopping() {
    ServedFlow work = ServedFlow.of(flow).serve(box, 2, job -> JobResult.completed());
    try (MillraceServer server = start("redis://127.0.0.1:1", work)) {
      assertThat(server.flows()).isNotNull();
      assertThat(server.address()).startsWith("http://127.0.0.1:");
    }
  }
}
