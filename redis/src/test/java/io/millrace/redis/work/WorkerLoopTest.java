package io.millrace.redis.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.redis.Patience;
import io.millrace.redis.flow.Flow;
import io.millrace.redis.flow.FlowEvent;
import io.millrace.redis.flow.JobResult;
import io.millrace.redis.flow.WorkerStatus;
import io.millrace.redis.support.ServerConditions;
import io.millrace.redis.support.TestRedis;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests of the loop of a worker: R1 to R16, R19 to R23, R26 to R28 and R40. */
class WorkerLoopTest {

  private final TestRedis server = new TestRedis();
  private Flow flow = WorkerFixture.flow(server, "a", "b");
  private WorkerFixture workerFixture = new WorkerFixture(server, flow);

  @AfterEach
  void close() {
    workerFixture.close();
  }

  /** R1, R3, R4, R5. */
  @Test
  void aWorkerGoesFromReadyOverRunningAndStoppingToStopped() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    QueueWorker worker =
        workerFixture.worker(
            0,
            job -> {
              begun.countDown();
              go.await();
              return JobResult.completed();
            });
    assertThat(worker.status()).isEqualTo(WorkerStatus.READY);
    worker.start();
    assertThat(worker.status()).isEqualTo(WorkerStatus.RUNNING);
    String id = workerFixture.create(1);
    Patience.await(begun);
    worker.requestStop();
    assertThat(worker.status()).isEqualTo(WorkerStatus.STOPPING);
    go.countDown();
    worker.stop();
    assertThat(worker.status()).isEqualTo(WorkerStatus.STOPPED);
    // R6: the current job is completed all the same.
    assertThat(workerFixture.field(id, "completed-queue")).isEqualTo('"' + worker.queue() + '"');
  }

  /** Handlers that compute on virtual threads would keep all others from the processors. */
  @Test
  void aHandlerRunsOnAPlatformThread() throws Exception {
    BlockingQueue<Boolean> virtual = new LinkedBlockingQueue<>();
    QueueWorker worker =
        workerFixture.worker(
            0,
            job -> {
              virtual.add(Thread.currentThread().isVirtual());
              return JobResult.completed();
            });
    worker.start();
    workerFixture.create(1);
    assertThat(Patience.take(virtual)).isFalse();
    worker.stop();
  }

  /** R5. */
  @Test
  void aWorkerIsStartedOnceAndNeverAgain() throws Exception {
    QueueWorker worker = workerFixture.worker(0, job -> JobResult.completed());
    assertThatThrownBy(worker::stop)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("READY")
        .hasMessageContaining("STOPPING");
    worker.start();
    assertThatThrownBy(worker::start)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("RUNNING");
    worker.stop();
    worker.stop();
    assertThatThrownBy(worker::start)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("STOPPED")
        .hasMessageContaining("create another one");
  }

  /** R6: no job is leased once the worker must stop. */
  @Test
  void aWorkerThatStopsTakesNoFurtherJob() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    QueueWorker worker =
        workerFixture.worker(
            0,
            job -> {
              begun.countDown();
              go.await();
              return JobResult.completed();
            });
    String first = workerFixture.create(1);
    String second = workerFixture.create(2);
    worker.start();
    Patience.await(begun);
    worker.requestStop();
    go.countDown();
    worker.stop();
    assertThat(workerFixture.waiting(0)).isEqualTo(List.of(second));
    assertThat(workerFixture.processing(0)).isEmpty();
    assertThat(workerFixture.waiting(1)).isEqualTo(List.of(first));
    assertThat(workerFixture.lock(0, second)).isNull();
  }

  /** R7, R8, R40: jobs are done one after another, in the order of the queue. */
  @Test
  void oneWorkerDoesOneJobAfterAnother() throws Exception {
    AtomicInteger now = new AtomicInteger();
    List<Integer> most = Collections.synchronizedList(new ArrayList<>());
    List<Integer> order = Collections.synchronizedList(new ArrayList<>());
    QueueWorker worker =
        workerFixture.worker(
            0,
            job -> {
              most.add(now.incrementAndGet());
              order.add(job.get("n", Integer.class));
              now.decrementAndGet();
              if (job.get("n", Integer.class) == 2) {
                throw new IllegalStateException("two");
              }
              return JobResult.completed();
            });
    for (int i = 0; i < 6; i++) {
      workerFixture.create(i);
    }
    worker.start();
    for (int i = 0; i < 5; i++) {
      workerFixture.await(FlowEvent.Completed.class);
    }
    assertThat(order).containsExactly(0, 1, 2, 3, 4, 5);
    assertThat(most).containsOnly(1);
  }

  /** R9: each job exactly once, by many workers in two processes. */
  @Test
  void manyWorkersDoEachJobOnce() throws Exception {
    Map<String, Integer> done = new java.util.concurrent.ConcurrentHashMap<>();
    int jobs = 500;
    CountDownLatch all = new CountDownLatch(jobs);
    try (TestRedis other = new TestRedis()) {
      FlowRuntime second = new FlowRuntime(setting(other));
      second.register(flow);
      for (int i = 0; i < 8; i++) {
        QueueWorker worker =
            (i % 2 == 0 ? workerFixture.workers : second)
                .worker(
                    workerFixture.keys(0).name(),
                    job -> {
                      done.merge(job.id(), 1, Integer::sum);
                      all.countDown();
                      return JobResult.completed();
                    });
        worker.start();
      }
      for (int i = 0; i < jobs; i++) {
        workerFixture.create(i);
      }
      Patience.await(all);
      second.stop(Patience.LIMIT);
      workerFixture.workers.stop(Patience.LIMIT);
    }
    assertThat(done).hasSize(jobs);
    assertThat(done.values()).containsOnly(1);
    assertThat(workerFixture.waiting(1)).hasSize(jobs).doesNotHaveDuplicates();
    assertThat(workerFixture.processing(0)).isEmpty();
  }

  private WorkerContext setting(TestRedis other) {
    return new WorkerContext(
        other.redis(), workerFixture.setting.json(), workerFixture.setting.runtime(), event -> {});
  }

  /** R2, R4, R12: stopping an idle worker does not wait for the block timeout. */
  @Test
  void anIdleWorkerStopsAtOnce() throws Exception {
    workerFixture = patient(Duration.ofHours(1));
    List<QueueWorker> idle = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      QueueWorker worker = workerFixture.worker(0, job -> JobResult.completed());
      worker.start();
      idle.add(worker);
    }
    workerFixture.create(1);
    workerFixture.await(FlowEvent.Completed.class);
    for (QueueWorker worker : idle) {
      worker.requestStop();
      assertThat(worker.awaitStop(Patience.LIMIT)).isTrue();
    }
    assertThat(idle).allMatch(worker -> worker.status() == WorkerStatus.STOPPED);
  }

  private WorkerFixture patient(Duration blockTimeout) {
    flow =
        Flow.of(
            server.name("patient"),
            io.millrace.redis.flow.Queue.of(server.name("p"))
                .fields("n")
                .blockTimeout(blockTimeout));
    return new WorkerFixture(server, flow);
  }

  /** R13, R10, R14: the queue's wait is used, and a job that comes during a wait is done. */
  @Test
  void aJobThatComesDuringTheWaitIsDone() throws Exception {
    workerFixture = patient(Duration.ofSeconds(60));
    workerFixture.worker(0, job -> JobResult.of("m", job.get("n", Integer.class) + 1)).start();
    for (int i = 0; i < 3; i++) {
      String id = workerFixture.create(i);
      FlowEvent.Completed done = workerFixture.await(FlowEvent.Completed.class);
      assertThat(done.job().id()).isEqualTo(id);
      assertThat(workerFixture.field(id, "m")).isEqualTo(Integer.toString(i + 1));
    }
  }

  /** R12: the status is checked after each wait. */
  @Test
  void aWaitThatRunsOutIsBegunAgain() throws Exception {
    workerFixture = patient(Duration.ofMillis(20));
    workerFixture.worker(0, job -> JobResult.completed()).start();
    ServerConditions.untilWaits(server, 3);
    workerFixture.create(1);
    workerFixture.await(FlowEvent.Completed.class);
  }

  /**
   * R15, R16: the lock has the worker's id, under the queue's name, a second longer than its time.
   */
  @Test
  void theLockHoldsTheWorkerAndLivesForTheLockTime() throws Exception {
    List<Object> seen = Collections.synchronizedList(new ArrayList<>());
    QueueWorker worker =
        workerFixture.worker(
            0,
            job -> {
              String lock = "lock:" + job.queue() + ":" + job.id();
              seen.add(server.redis().call("GET", lock));
              seen.add(server.redis().call("PTTL", lock));
              seen.add(workerFixture.processing(0));
              return JobResult.completed();
            });
    String id = workerFixture.create(1);
    long begun = System.nanoTime();
    worker.start();
    workerFixture.await(FlowEvent.Completed.class);
    long passed = Duration.ofNanos(System.nanoTime() - begun).toMillis();
    assertThat(seen.get(0)).isEqualTo(worker.id());
    assertThat((Long) seen.get(1)).isBetween(180_990 - passed, 181_000L);
    assertThat(seen.get(2)).isEqualTo(List.of(id));
    // R28
    assertThat(workerFixture.lock(0, id)).isNull();
    assertThat(workerFixture.processing(0)).isEmpty();
    assertThat(workerFixture.waiting(1)).isEqualTo(List.of(id));
  }

  /** R19, R20: only the fields that the queue asks for reach the handler. */
  @Test
  void theJobHasItsIdAndTheFieldsThatTheQueueAsksFor() throws Exception {
    List<Object> seen = Collections.synchronizedList(new ArrayList<>());
    workerFixture
        .worker(
            0,
            job -> {
              seen.add(job.id());
              seen.add(job.fields());
              seen.add(job.correlationId().orElse("none"));
              try {
                job.find("secret", String.class);
              } catch (RuntimeException e) {
                seen.add(e.getMessage());
              }
              return JobResult.completed();
            })
        .start();
    String id =
        workerFixture.create("j1", Map.of("n", "1", "secret", "\"x\"", "correlationId", "\"c-1\""));
    workerFixture.await(FlowEvent.Completed.class);
    assertThat(seen.subList(0, 3)).isEqualTo(List.of(id, java.util.Set.of("n"), "c-1"));
    assertThat(seen.get(3)).asString().contains("'secret'").contains("Queue.fields");
  }

  /**
   * R21, R22, R23, R26, R27: a result names the next queue, or the queue has one, or the flow ends.
   */
  @Test
  void aJobGoesWhereItsResultSaysOrItsQueueOrNowhere() throws Exception {
    flow = WorkerFixture.flow(server, "x", "y", "z");
    workerFixture = new WorkerFixture(server, flow);
    String last = workerFixture.keys(2).name();
    workerFixture
        .worker(
            0,
            job ->
                job.get("n", Integer.class) == 1
                    ? JobResult.of("m", 5).next(last)
                    : JobResult.of("m", 5))
        .start();
    String named = workerFixture.create(1);
    workerFixture.await(FlowEvent.Completed.class);
    String usual = workerFixture.create(2);
    workerFixture.await(FlowEvent.Completed.class);
    assertThat(workerFixture.waiting(1)).isEqualTo(List.of(usual));
    assertThat(workerFixture.waiting(2)).isEqualTo(List.of(named));
    assertThat(workerFixture.field(named, "m")).isEqualTo("5");
    assertThat(workerFixture.field(named, "completed-queue"))
        .isEqualTo('"' + workerFixture.keys(0).name() + '"');
    assertThat(workerFixture.field(named, "nextQueue")).isNull();

    workerFixture.worker(2, job -> JobResult.completed().done()).start();
    FlowEvent.Completed end = workerFixture.await(FlowEvent.Completed.class);
    assertThat(end.nextQueue()).isNull();
    assertThat(workerFixture.field(named, "done")).isEqualTo("true");
    assertThat(workerFixture.waiting(2)).isEmpty();
  }
}
