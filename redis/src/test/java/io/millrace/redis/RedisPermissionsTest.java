package io.millrace.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.lifecycle.EngineClock;
import io.millrace.lifecycle.EngineRuntime;
import io.millrace.redis.admin.FlowAdmin;
import io.millrace.redis.connect.Redis;
import io.millrace.redis.connect.RedisConnections;
import io.millrace.redis.connect.RedisSettings;
import io.millrace.redis.flow.Flow;
import io.millrace.redis.flow.JobResult;
import io.millrace.redis.flow.NewJob;
import io.millrace.redis.flow.Queue;
import io.millrace.redis.flow.QueuePolicy;
import io.millrace.redis.flow.RateLimit;
import io.millrace.redis.interop.RedisProcess;
import io.millrace.retry.RetryPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests that a user of the server needs no more permissions than the documentation lists. */
@Timeout(300)
@Tag("brokers")
class RedisPermissionsTest {

  // docs:rights
  private static final String RIGHTS =
      "~job:* ~queue:* ~lock:* ~millrace:* -@all +@read +@write +@transaction +@connection"
          + " -@dangerous +client|unblock +eval +evalsha +time";

  // docs:end

  @Test
  void allOfItWorksWithTheRightsThatThePageTells() throws Exception {
    try (RedisProcess server = RedisProcess.start();
        Redis all = RedisConnections.open(server.settings(), EngineRuntime.system())) {
      List<String> user = new ArrayList<>(List.of("ACL", "SETUSER", "millrace", "on", ">secret"));
      user.addAll(List.of(RIGHTS.split(" ")));
      all.call(user.toArray(String[]::new));

      String login = server.uri().replace("redis://", "redis://millrace:secret@");
      try (RedisFlows flows = RedisFlows.connect(RedisSettings.of(login))) {
        work(flows);
        operate(flows);
      }
      assertThat((List<?>) all.call("ACL", "LOG")).isEmpty();
    }
  }

  private static void work(RedisFlows flows) throws InterruptedException {
    Queue first =
        Queue.of("first")
            .fields("n")
            .next("parent")
            .policy(
                QueuePolicy.standard()
                    .retry(RetryPolicy.fixed(Duration.ofMillis(1)).maxAttempts(2))
                    .rateLimit(RateLimit.of(1_000, Duration.ofSeconds(1))));
    Queue parent = Queue.of("parent").children(Queue.of("child").fields("x")).next("last");
    FlowClient client =
        flows.register(Flow.of("rights", first, parent, Queue.of("last").fields("n")).lookup("n"));
    client.worker(
        "first",
        job -> {
          if (job.attempt() == 1) {
            throw new IllegalStateException("once more");
          }
          job.progress(50, "half");
          return JobResult.of(
              "children:parent:params", List.of(Map.of("childName", "child", "x", 1)));
        });
    client.parentWorkers("parent", 1);
    client.worker("parent:child", job -> JobResult.completed().done());
    client.worker("last", job -> JobResult.completed().done());
    flows.start();
    String plain = client.create(Map.of("n", 1));
    String special =
        client.create(
            NewJob.of(Map.of("n", 2)).priority(1).delay(Duration.ofMillis(5)).uniqueKey("u"));
    assertThat(client.createWithId("bridged", NewJob.of(Map.of("n", 3)))).isTrue();
    String later = client.create(NewJob.of(Map.of("n", 4)).delay(Duration.ofMillis(5)));
    assertThat(client.await(plain, Duration.ofSeconds(60))).isTrue();
    assertThat(client.await(special, Duration.ofSeconds(60))).isTrue();
    assertThat(client.await("bridged", Duration.ofSeconds(60))).isTrue();
    assertThat(client.await(later, Duration.ofSeconds(60))).isTrue();
    assertThat(client.findBy("n", 1, true).getFirst().children()).hasSize(1);
    assertThat(client.delete(special)).isTrue();
  }

  private static void operate(RedisFlows flows) {
    FlowAdmin admin = new FlowAdmin(flows.redis(), EngineClock.system());
    while (admin.flows().isEmpty()) {
      Thread.onSpinWait(); // until the process has registered its flow; the test has a limit
    }
    assertThat(admin.flows()).hasSize(1);
    admin.pause("rights", "first", "ann", "tea");
    admin.resume("rights", "first");
    admin.requeue("rights", "first", List.of());
  }
}
