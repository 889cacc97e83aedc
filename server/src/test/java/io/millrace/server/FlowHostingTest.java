package io.millrace.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.lifecycle.EngineRuntime;
import io.millrace.redis.FlowWork;
import io.millrace.redis.admin.FlowAdmin;
import io.millrace.redis.admin.JobList;
import io.millrace.redis.connect.Connections;
import io.millrace.redis.connect.Redis;
import io.millrace.redis.connect.RedisSettings;
import io.millrace.redis.flow.Flow;
import io.millrace.redis.flow.JobResult;
import io.millrace.redis.flow.NewJob;
import io.millrace.redis.flow.Queue;
import io.millrace.redis.wire.OwnKeys;
import io.millrace.server.api.FlowDesk;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server that works on a Redis flow: its jobs are done, and those in hand end at a stop. */
@Timeout(120)
class FlowHostingTest {

  private final String mark = "s" + UUID.randomUUID().toString().substring(0, 8);
  private final Flow flow = Flow.of(mark + "-pack", Queue.of(mark + "-box"));

  /** What is told of a flow outlives its process. */
  @AfterEach
  void forget() {
    try (Redis redis = Connections.open(RedisSettings.of(uri()), EngineRuntime.system())) {
      redis.call("HDEL", OwnKeys.flows(), flow.name());
      redis.call("UNLINK", OwnKeys.totals(mark + "-box"), OwnKeys.workers(mark + "-box"));
    }
  }

  private Server start(String uri, FlowWork work) {
    return Server.start(
        Configs.of(
            "database.url",
            "jdbc:h2:mem:" + mark + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1",
            "http.port",
            "0",
            "redis.uri",
            uri),
        new Extras(builder -> {}, List.of(work), null));
  }

  private static String uri() {
    return Objects.requireNonNull(System.getenv("MILLRACE_TEST_REDIS_URI"), "needs a Redis");
  }

  @Test
  void jobsAreDoneAndThoseInHandEndAtAStop() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch may = new CountDownLatch(1);
    FlowWork work =
        FlowWork.of(flow)
            .serve(
                mark + "-box",
                1,
                job -> {
                  begun.countDown();
                  assertThat(may.await(60, TimeUnit.SECONDS)).isTrue();
                  return JobResult.of("boxed", true);
                });
    String id;
    try (Server server = start(uri(), work)) {
      FlowDesk desk = Objects.requireNonNull(server.flowDesk());
      id = desk.jobs().create(flow, NewJob.of(Map.of("size", 3)));
      assertThat(begun.await(60, TimeUnit.SECONDS)).isTrue();
      List<FlowAdmin.Ref> job = List.of(new FlowAdmin.Ref(flow.name(), id));
      while (desk.admin().flows().stream().noneMatch(f -> f.name().equals(flow.name()))) {
        Thread.onSpinWait(); // until the process has told of its flow; the test has a limit
      }
      assertThat(desk.admin().places(job).getFirst().list()).isEqualTo(JobList.PROCESSING);
      Thread.ofVirtual().start(may::countDown);
    }
    FlowWork looking = FlowWork.of(flow);
    try (Server server = start(uri(), looking)) {
      FlowDesk desk = Objects.requireNonNull(server.flowDesk());
      assertThat(
              desk.jobs().get(flow.name(), id).orElseThrow().fields().get("boxed").booleanValue())
          .isTrue();
      assertThat(desk.jobs().delete(flow, id)).isTrue();
    }
  }

  @Test
  void aRedisThatIsAwayKeepsNoServerFromStartingAndStopping() {
    FlowWork work = FlowWork.of(flow).serve(mark + "-box", 2, job -> JobResult.completed());
    try (Server server = start("redis://127.0.0.1:1", work)) {
      assertThat(server.flowDesk()).isNotNull();
      assertThat(server.address()).startsWith("http://127.0.0.1:");
    }
  }
}
