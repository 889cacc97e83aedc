package io.millrace.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.redis.connect.RedisSettings;
import io.millrace.redis.flow.Flow;
import io.millrace.redis.flow.JobResult;
import io.millrace.redis.flow.NewJob;
import io.millrace.redis.flow.Queue;
import io.millrace.redis.flow.QueuePolicy;
import io.millrace.redis.flow.RateLimit;
import io.millrace.redis.jobs.JobView;
import io.millrace.redis.support.TestRedis;
import io.millrace.redis.wire.MillraceKeys;
import io.millrace.retry.RetryPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests of the programs in {@code docs/redis-flows.md}. */
class RedisFlowsPageTest {

  private final TestRedis server = new TestRedis();
  private final String uri = TestRedis.uri();

  @AfterEach
  void close() {
    for (String flow : List.of("orders", "albums", "mails")) {
      server.redis().call("HDEL", MillraceKeys.flows(), flow);
    }
    server.close();
  }

  private static boolean inStock(String item) {
    return !item.isEmpty();
  }

  private static String print(String item) {
    return "label of " + item;
  }

  @Test
  void aFlowOfTwoQueues() throws Exception {
    long end = System.nanoTime() + Patience.LIMIT.toNanos();
    Flow flow = orderBread();
    try (RedisFlows flows = RedisFlows.connect(TestRedis.settings())) {
      FlowClient orders = flows.register(flow);
      String id = orders.findBy("customer", "Ann", false).getFirst().id();
      while (!orders.isFinished(id) && System.nanoTime() - end < 0) {
        orderBread(); // the page waits for 30 s, which may be too short for a slow machine
      }
      JobView job = orders.get(id);
      assertThat(job.field("label").orElseThrow().asString()).isEqualTo("label of bread");
      orders.findBy("customer", "Ann", false).forEach(each -> orders.delete(each.id()));
    }
  }

  private Flow orderBread() throws Exception {
    // docs:flow
    Flow flow =
        Flow.of(
                "orders",
                Queue.of("reserve").fields("item").next("label"),
                Queue.of("label").fields("item", "reserved"))
            .lookup("customer");
    try (RedisFlows flows = RedisFlows.connect(RedisSettings.of(uri))) {
      FlowClient orders = flows.register(flow);
      orders.workers(
          "reserve", 10, job -> JobResult.of("reserved", inStock(job.get("item", String.class))));
      orders.workers(
          "label", 2, job -> JobResult.of("label", print(job.get("item", String.class))).done());
      flows.start();

      String id = orders.create(Map.of("item", "bread", "customer", "Ann"));
      orders.await(id, Duration.ofMinutes(5));
      orders.findBy("customer", "Ann", false).forEach(job -> System.out.println(job.fields()));
    }
    // docs:end
    return flow;
  }

  @Test
  void aParentWaitsForItsChildren() throws Exception {
    // docs:parent
    Flow flow =
        Flow.of(
            "albums",
            Queue.of("split").next("shrink"),
            Queue.of("shrink").children(Queue.of("photo").fields("file")).next("bind"),
            Queue.of("bind").fields("children:shrink:jobs"));
    // docs:end
    List<String> shrunk = new ArrayList<>();
    try (RedisFlows flows = RedisFlows.connect(TestRedis.settings())) {
      FlowClient albums = flows.register(flow);
      // docs:children
      albums.worker(
          "split",
          job ->
              JobResult.of(
                  "children:shrink:params",
                  List.of(
                      Map.of("childName", "photo", "file", "a.jpg"),
                      Map.of("childName", "photo", "file", "b.jpg"))));
      albums.parentWorkers("shrink", 1);
      albums.worker(
          "shrink:photo",
          job -> {
            shrunk.add(job.get("file", String.class));
            return JobResult.completed().done();
          });
      // docs:end
      albums.worker("bind", job -> JobResult.completed().done());
      flows.start();
      String id = albums.create(Map.of());
      assertThat(albums.await(id, Patience.LIMIT)).isTrue();
      assertThat(shrunk).containsExactly("a.jpg", "b.jpg");
      albums.delete(id);
    }
  }

  @Test
  void whatGoesBeyondTheProtocol() {
    // docs:policy
    Queue send =
        Queue.of("send")
            .fields("to", "text")
            .lockTime(Duration.ofSeconds(30))
            .policy(
                QueuePolicy.standard()
                    .retry(
                        RetryPolicy.exponential(Duration.ofSeconds(1), Duration.ofMinutes(5))
                            .maxAttempts(5))
                    .rateLimit(RateLimit.of(100, Duration.ofSeconds(1)).groupBy("to"))
                    .handlerTimeout(Duration.ofMinutes(1)));
    NewJob reminder =
        NewJob.of(Map.of("to", "ann@example.org", "text", "pay"))
            .delay(Duration.ofHours(1))
            .priority(1)
            .uniqueKey("invoice-17");
    // docs:end
    try (RedisFlows flows = RedisFlows.connect(TestRedis.settings())) {
      FlowClient mails = flows.register(Flow.of("mails", send));
      String id = mails.create(reminder);
      assertThat(mails.create(reminder)).isEqualTo(id);
      assertThat(server.redis().call("ZCARD", MillraceKeys.delayed("send"))).isEqualTo(1L);
      assertThat(mails.delete(id)).isTrue();
    }
  }
}
