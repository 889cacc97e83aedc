package io.millrace.redis.work;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.redis.Patience;
import io.millrace.redis.flow.FlowEvent;
import io.millrace.redis.flow.JobResult;
import io.millrace.redis.support.ServerConditions;
import io.millrace.redis.support.TestRedis;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests of a server that refuses at once, again and again: F16. */
class FaultyQueueTest {

  private final TestRedis server = new TestRedis();
  private final WorkerFixture workerFixture =
      new WorkerFixture(server, WorkerFixture.flow(server, "a", "b"));

  @AfterEach
  void close() {
    workerFixture.close();
  }

  private long failedCalls() {
    String stats = (String) server.redis().call("INFO", "errorstats");
    int at = stats.indexOf("errorstat_WRONGTYPE:count=");
    return at < 0
        ? 0
        : Long.parseLong(stats.substring(at + 26, stats.indexOf('\r', at)).replace("\n", ""));
  }

  /** F16: the worker pauses longer and longer, and continues when the fault is gone. */
  @Test
  void aWorkerRestsWhenTheServerRefusesAndGoesOnAfterwards() throws Exception {
    String waiting = workerFixture.keys(0).waiting();
    server.redis().call("SET", waiting, "poison");
    QueueWorker worker = workerFixture.worker(0, job -> JobResult.completed());
    long before = failedCalls();
    long begun = System.nanoTime();
    worker.start();
    ServerConditions.until(() -> failedCalls() - before >= 5);
    // Four pauses, of 50, 100, 200 and 400 ms, half of each random.
    assertThat(System.nanoTime() - begun).isGreaterThan(370_000_000L);
    server.redis().call("DEL", waiting);
    String id = workerFixture.create(1);
    assertThat(workerFixture.await(FlowEvent.Completed.class).job().id()).isEqualTo(id);
    worker.stop();
  }

  /** A stop ends such a pause at once. */
  @Test
  void aWorkerThatRestsStopsAtOnce() throws Exception {
    server.redis().call("SET", workerFixture.keys(0).waiting(), "poison");
    QueueWorker worker = workerFixture.worker(0, job -> JobResult.completed());
    long before = failedCalls();
    worker.start();
    ServerConditions.until(() -> failedCalls() - before >= 3);
    worker.stop();
  }

  @Test
  void theRestsGrowUpToFiveSecondsAndHalfOfEachIsRandom() {
    WorkerBackoff workerBackoff = new WorkerBackoff(new Random(7));
    List<Long> rests = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      rests.add(workerBackoff.next().toMillis());
    }
    assertThat(rests.getFirst()).isBetween(25L, 50L);
    assertThat(rests.get(3)).isBetween(200L, 400L);
    assertThat(rests.getLast()).isBetween(2_500L, 5_000L);
    workerBackoff.reset();
    assertThat(workerBackoff.next().toMillis()).isBetween(25L, 50L);
  }

  /** A result that the server refuses is stored when the server accepts it again. */
  @Test
  void aResultIsStoredWhenTheServerTakesItAgain() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    workerFixture
        .worker(
            0,
            job -> {
              begun.countDown();
              go.await();
              return JobResult.of("m", 1);
            })
        .start();
    String id = workerFixture.create(1);
    Patience.await(begun);
    String processing = workerFixture.keys(0).processing();
    String kept = server.name("kept");
    server.redis().call("RENAME", processing, kept);
    server.redis().call("SET", processing, "poison");
    long before = failedCalls();
    go.countDown();
    ServerConditions.until(() -> failedCalls() - before >= 2);
    assertThat(workerFixture.field(id, "m")).isNull();
    server
        .redis()
        .transaction(List.of(List.of("DEL", processing), List.of("RENAME", kept, processing)));
    workerFixture.await(FlowEvent.Completed.class);
    assertThat(workerFixture.field(id, "m")).isEqualTo("1");
    assertThat(workerFixture.waiting(1)).isEqualTo(List.of(id));
  }
}
