package io.millrace.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.redis.connect.RedisSettings;
import io.millrace.redis.flow.Flow;
import io.millrace.redis.flow.JobResult;
import io.millrace.redis.flow.Queue;
import io.millrace.redis.interop.RedisProcess;
import io.millrace.redis.wire.MillraceKeys;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests of processes that start before their Redis, end after it, or need it only now and then. */
@Timeout(300)
@Tag("brokers")
class RedisFlowsLifecycleTest {

  private static final Duration FOREVER = ChronoUnit.FOREVER.getDuration();

  private final Set<Thread> before = threads();

  private static Set<Thread> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("millrace-redis"))
        .collect(Collectors.toSet());
  }

  /** Waits for the threads to end, since the thread of the connection may need a moment. */
  private void assertNoThreadIsLeft() throws InterruptedException {
    for (Thread thread : threads()) {
      if (!before.contains(thread)) {
        thread.join();
      }
    }
  }

  private static Flow flow(int queues) {
    return Flow.of(
        "trip", IntStream.range(0, queues).mapToObj(i -> Queue.of("q" + i)).toArray(Queue[]::new));
  }

  @Test
  void whoOnlyMakesJobsEndsWithoutAskingRedis() throws Exception {
    RedisFlows flows =
        RedisFlows.connect(RedisSettings.of("redis://127.0.0.1:1").timeout(Duration.ofMinutes(10)));
    flows.register(flow(3)).workers("q0", 2, job -> JobResult.completed());

    assertThat(flows.stop(FOREVER)).isTrue();
    assertThat(flows.stop(Duration.ZERO)).as("once more").isTrue();
    assertNoThreadIsLeft();
  }

  @Test
  void workersMayBeginBeforeTheirRedisAndEndAfterIt() throws Exception {
    try (RedisProcess server = RedisProcess.start()) {
      server.kill();
      RedisFlows flows =
          RedisFlows.connect(RedisSettings.of(server.uri()).timeout(Duration.ofSeconds(1)));
      FlowClient trip = flows.register(flow(10));
      for (Queue queue : trip.flow().queues()) {
        trip.workers(queue.name(), 2, job -> JobResult.completed().done());
      }
      flows.start();
      server.restart();
      String id = trip.create(Map.of("n", 1));
      assertThat(trip.await(id, FOREVER)).isTrue();

      server.kill();
      assertThat(flows.stop(Duration.ofSeconds(30))).isTrue();
      assertNoThreadIsLeft();
    }
  }

  /** Killed processes do not remove their entries, and each crash would add more of them. */
  @Test
  void processesThatWereKilledAreForgotten() throws Exception {
    try (RedisProcess server = RedisProcess.start();
        RedisFlows flows = RedisFlows.connect(RedisSettings.of(server.uri()))) {
      flows.register(flow(1)).worker("q0", job -> JobResult.completed());
      String key = MillraceKeys.workers("q0");
      long hour = Duration.ofMinutes(61).toMillis();
      flows
          .redis()
          .call(
              "HSET",
              key,
              "killed",
              "{\"beat\":" + (System.currentTimeMillis() - hour) + "}",
              "other",
              "{\"beat\":" + System.currentTimeMillis() + "}");

      flows.start();
      while (Long.valueOf(1).equals(flows.redis().call("HEXISTS", key, "killed"))) {
        Thread.onSpinWait(); // the test has a limit
      }

      assertThat(flows.redis().call("HLEN", key)).as("the other, and this one").isEqualTo(2L);
    }
  }

  /** Children that have children of their own have workers by their full names. */
  @Test
  void grandchildrenAreServed() throws Exception {
    Queue sheet = Queue.of("sheet").fields("n");
    Queue book = Queue.of("book").fields("children:shelf:book:jobs").children(sheet);
    try (RedisProcess server = RedisProcess.start();
        RedisFlows flows = RedisFlows.connect(RedisSettings.of(server.uri()))) {
      FlowClient library = flows.register(Flow.of("library", Queue.of("shelf").children(book)));
      library.parentWorkers("shelf", 1);
      library.parentWorkers("shelf:book", 1);
      library.workers("shelf:book:sheet", 2, job -> JobResult.of("read", true));
      flows.start();
      String id =
          library.create(
              Map.of(
                  "children:shelf:params",
                  List.of(
                      Map.of(
                          "childName",
                          "book",
                          "children:shelf:book:params",
                          List.of(Map.of("childName", "sheet", "n", 1))))));

      assertThat(library.await(id, FOREVER)).isTrue();
      var first = library.get(id).children().getFirst();
      assertThat(first.children().getFirst().fields().get("read").booleanValue()).isTrue();
    }
  }
}
