package io.millrace.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.instance.InvalidRequestException;
import io.millrace.redis.flow.Flow;
import io.millrace.redis.flow.FlowEvent;
import io.millrace.redis.flow.JobResult;
import io.millrace.redis.flow.NewJob;
import io.millrace.redis.flow.Queue;
import io.millrace.redis.flow.WorkerStatus;
import io.millrace.redis.support.TestRedis;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Tests of the class RedisFlows: R2, and a stop that waits, or interrupts handlers and releases
 * their jobs.
 */
class RedisFlowsTest {

  private final TestRedis server = new TestRedis();
  private final Queue second = Queue.of(server.name("pack")).fields("item", "checked");
  private final Queue first =
      Queue.of(server.name("check")).fields("item", "count").next(second.name());
  private final Flow flow = Flow.of(server.name("orders"), first, second).lookup("item");
  private final CountDownLatch done = new CountDownLatch(100);
  private final RedisFlows flows =
      RedisFlows.builder()
          .settings(TestRedis.settings())
          .listener(event -> {
            if (event instanceof FlowEvent.Completed completed && completed.nextQueue() == null) {
              done.countDown();
            }
          })
          .connect();
  private final FlowClient orders = flows.register(flow);

  @AfterEach
  void close() {
    flows.close();
    server.redis().call("HDEL", "millrace:flows", flow.name());
    server.close();
  }

  record Order(String item, int count) {}

  @Test
  void jobsGoThroughTheQueuesOfAFlow() throws Exception {
    List<JobWorker> workers =
        orders.workers(
            first.name(), 4, job -> JobResult.of("checked", job.as(Order.class).count() > 0));
    orders.workers(
        second.name(), 4, job -> JobResult.of("packed", job.get("checked", Boolean.class)).done());
    assertThat(workers).allMatch(jobWorker -> jobWorker.status() == WorkerStatus.READY);
    List<String> ids =
        orders.createAll(
            IntStream.range(0, 100)
                .mapToObj(i -> NewJob.of(Map.of("item", "bread", "count", i)))
                .toList());
    flows.start();
    Patience.await(done);
    assertThat(orders.get(ids.getFirst()).fields().get("packed").booleanValue()).isFalse();
    assertThat(orders.get(ids.getLast()).fields().get("packed").booleanValue()).isTrue();
    assertThat(orders.findBy("item", "bread", false)).hasSize(100);
    assertThat(orders.delete(ids.getFirst())).isTrue();
    assertThat(orders.find(ids.getFirst())).isEmpty();
    assertThat(flows.stop(Patience.LIMIT)).isTrue();
    assertThat(workers).allMatch(jobWorker -> jobWorker.status() == WorkerStatus.STOPPED);
    assertThatThrownBy(flows::start).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void aWorkerOfAnUnknownQueueIsRefused() {
    assertThatThrownBy(() -> orders.worker("nowhere", job -> JobResult.completed()))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("nowhere")
        .hasMessageContaining(first.name());
    assertThatThrownBy(() -> orders.worker(first.name() + ":box", job -> JobResult.completed()))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageEndingWith(first.name() + ":box'; " + first.name() + " has none.");
    assertThatThrownBy(() -> orders.workers(first.name(), 0, job -> JobResult.completed()))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("1 to");
    assertThatThrownBy(() -> flows.register(Flow.of(server.name("other"), second)))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining(second.name())
        .hasMessageContaining(flow.name());
  }

  /** After the time limit the handler is interrupted, and its job is the first one waiting. */
  @Tag("races")
  @Test
  void aStopThatDoesNotWaitGivesTheJobsBack() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    List<Boolean> told = new ArrayList<>();
    orders
        .worker(
            first.name(),
            job -> {
              begun.countDown();
              try {
                new CountDownLatch(1).await();
              } catch (InterruptedException e) {
                told.add(job.isCancelled());
              }
              return JobResult.completed();
            })
        .start();
    String id = orders.create(Map.of("item", "a"));
    Patience.await(begun);
    String other = orders.create(Map.of("item", "b"));
    assertThat(flows.stop(Duration.ofMillis(50))).isTrue();
    assertThat(told).containsExactly(true);
    assertThat(server.redis().call("LRANGE", "queue:" + first.name() + ":waiting", "0", "-1"))
        .isEqualTo(List.of(id, other));
    assertThat(server.redis().call("EXISTS", "lock:" + first.name() + ":" + id)).isEqualTo(0L);
  }

  /** A handler that ignores even the interrupt is abandoned, and its job is released. */
  @Test
  void aStopGivesTheJobOfADeafHandlerBack() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    orders
        .worker(
            first.name(),
            job -> {
              begun.countDown();
              while (go.getCount() > 0) {
                try {
                  go.await();
                } catch (InterruptedException e) {
                  assertThat(job.isCancelled()).isTrue();
                }
              }
              return JobResult.of("late", 1);
            })
        .start();
    String id = orders.create(Map.of("item", "a"));
    Patience.await(begun);
    assertThat(flows.stop(Duration.ofMillis(50))).isFalse();
    assertThat(server.redis().call("LRANGE", "queue:" + first.name() + ":waiting", "0", "-1"))
        .isEqualTo(List.of(id));
    go.countDown();
  }
}
