package io.millrace.redis.work;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.redis.Patience;
import io.millrace.redis.flow.Flow;
import io.millrace.redis.flow.FlowEvent;
import io.millrace.redis.flow.JobHandler;
import io.millrace.redis.flow.JobResult;
import io.millrace.redis.flow.Queue;
import io.millrace.redis.flow.QueuePolicy;
import io.millrace.redis.support.TestRedis;
import io.millrace.retry.RetryPolicy;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Tests that only the owner of the lock stores the end of a job: R24, R25, R29 to R32, F2, F4, F5,
 * F6, F11.
 */
class JobLockTest {

  private final TestRedis server = new TestRedis();
  private WorkerFixture workerFixture =
      new WorkerFixture(server, WorkerFixture.flow(server, "a", "b", "c"));
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch go = new CountDownLatch(1);

  /** Handler that waits for {@code go} in spite of interrupts, like work that cannot be stopped. */
  private final JobHandler stubborn =
      job -> {
        begun.countDown();
        while (true) {
          try {
            go.await();
            return JobResult.of("m", 1);
          } catch (InterruptedException e) {
            begun.countDown();
          }
        }
      };

  @AfterEach
  void close() {
    go.countDown();
    workerFixture.close();
  }

  private void del(String key) {
    server.redis().call("DEL", key);
  }

  /** R24, R25, F2: without the lock nothing is written and nothing is pushed. */
  @Test
  void aCompletionWithoutLockDoesNothing() throws Exception {
    workerFixture.worker(0, stubborn).start();
    String id = workerFixture.create(1);
    Patience.await(begun);
    del(workerFixture.keys(0).lock(id));
    go.countDown();
    workerFixture.await(FlowEvent.Lost.class);
    assertThat(workerFixture.field(id, "m")).isNull();
    assertThat(workerFixture.field(id, "completed-queue")).isNull();
    assertThat(workerFixture.waiting(1)).isEmpty();
    assertThat(workerFixture.processing(0)).isEqualTo(List.of(id));
  }

  /**
   * R30, R31, R32, F4: an entry that another program moved away is not completed, and goes nowhere.
   */
  @Test
  void aCompletionOfAnEntryThatWasMovedAwayIsInvalid() throws Exception {
    String named = workerFixture.keys(2).name();
    workerFixture
        .worker(
            0,
            job -> {
              stubborn.handle(job);
              return JobResult.of("m", 1).next(named);
            })
        .start();
    String id = workerFixture.create(1);
    Patience.await(begun);
    server.redis().call("LREM", workerFixture.keys(0).processing(), "1", id);
    go.countDown();
    FlowEvent.Lost lost = workerFixture.await(FlowEvent.Lost.class);
    assertThat(lost.why()).contains("moved");
    assertThat(workerFixture.waiting(1)).isEmpty();
    assertThat(workerFixture.waiting(2)).isEmpty();
    assertThat(workerFixture.field(id, "m")).isNull();
  }

  /** F5: on the last queue the replies are checked just as well. */
  @Test
  void theLastQueueExaminesTheSame() throws Exception {
    workerFixture = new WorkerFixture(server, WorkerFixture.flow(server, "only"));
    workerFixture.worker(0, stubborn).start();
    String id = workerFixture.create(1);
    Patience.await(begun);
    server.redis().call("LREM", workerFixture.keys(0).processing(), "1", id);
    go.countDown();
    assertThat(workerFixture.await(FlowEvent.Lost.class).why()).contains("moved");
  }

  /** R24 for failures: the lock's owner is compared there too. */
  @Test
  void aFailureWithoutLockDoesNothing() throws Exception {
    workerFixture
        .worker(
            0,
            job -> {
              stubborn.handle(job);
              throw new IllegalStateException("late");
            })
        .start();
    String id = workerFixture.create(1);
    Patience.await(begun);
    server.redis().call("SET", workerFixture.keys(0).lock(id), "another");
    go.countDown();
    workerFixture.await(FlowEvent.Lost.class);
    assertThat(workerFixture.field(id, "failed")).isNull();
    assertThat(workerFixture.lock(0, id)).isEqualTo("another");
    assertThat(workerFixture.processing(0)).isEqualTo(List.of(id));
  }

  /**
   * F6: recovered while the first worker still works: exactly one end is OK, the next step comes
   * once.
   */
  @Test
  void ofTwoWorkersThatHaveAJobOneCompletesIt() throws Exception {
    AtomicInteger calls = new AtomicInteger();
    AtomicInteger steps = new AtomicInteger();
    JobHandler first =
        job -> {
          calls.incrementAndGet();
          return stubborn.handle(job);
        };
    QueueWorker slow = workerFixture.worker(0, first);
    slow.start();
    workerFixture.worker(1, job -> JobResult.of("steps", steps.incrementAndGet())).start();
    String id = workerFixture.create(1);
    Patience.await(begun);
    // As an operator or a monitor does.
    server.redis().call("LREM", workerFixture.keys(0).processing(), "1", id);
    server.redis().call("LPUSH", workerFixture.keys(0).waiting(), id);
    workerFixture.worker(0, job -> JobResult.of("m", 2)).start();
    workerFixture.await(
        FlowEvent.Completed.class, e -> e.job().queue().equals(workerFixture.keys(1).name()));
    go.countDown();
    FlowEvent.Lost lost = workerFixture.await(FlowEvent.Lost.class);
    assertThat(lost.worker()).isEqualTo(slow.id());
    slow.stop();
    assertThat(calls).hasValue(1);
    assertThat(steps).hasValue(1);
    assertThat(workerFixture.field(id, "m")).isEqualTo("2");
    assertThat(workerFixture.waiting(2)).isEqualTo(List.of(id));
    assertThat(workerFixture.waiting(1)).isEmpty();
  }

  /** Lua passes some thousands of values at once, and no more. */
  @Test
  void aResultMayHaveManyFields() throws Exception {
    Map<String, Integer> many = new HashMap<>();
    for (int i = 0; i < 6_000; i++) {
      many.put("field" + i, i);
    }
    workerFixture.worker(0, job -> JobResult.of(many)).start();
    String id = workerFixture.create(1);
    workerFixture.await(FlowEvent.Completed.class);
    assertThat(server.redis().call("HLEN", workerFixture.keys(0).job(id))).isEqualTo(6_002L);
    assertThat(workerFixture.waiting(1)).isEqualTo(List.of(id));
    assertThat(workerFixture.processing(0)).isEmpty();
  }

  /** F11: a job whose hash is gone is dropped at lease, and the next one is done. */
  @Test
  void aJobWithoutHashIsDropped() throws Exception {
    String gone = workerFixture.create(1);
    String poison = workerFixture.create(2);
    String good = workerFixture.create(3);
    del(workerFixture.keys(0).job(gone));
    del(workerFixture.keys(0).job(poison));
    server.redis().call("SET", workerFixture.keys(0).job(poison), "a string");
    workerFixture.worker(0, job -> JobResult.completed()).start();
    assertThat(workerFixture.await(FlowEvent.Completed.class).job().id()).isEqualTo(good);
    assertThat(workerFixture.processing(0)).isEmpty();
    assertThat(server.redis().call("EXISTS", workerFixture.keys(0).job(gone))).isEqualTo(0L);
    assertThat(workerFixture.lock(0, gone)).isNull();
  }

  /** F11: a job that is deleted while it is in processing is not created again by its result. */
  @Test
  void aJobThatIsDeletedDuringTheWorkIsNotMadeAgain() throws Exception {
    workerFixture.worker(0, stubborn).start();
    String id = workerFixture.create(1);
    Patience.await(begun);
    del(workerFixture.keys(0).job(id));
    go.countDown();
    assertThat(workerFixture.await(FlowEvent.Lost.class).why()).contains("gone");
    assertThat(server.redis().call("EXISTS", workerFixture.keys(0).job(id))).isEqualTo(0L);
    assertThat(workerFixture.processing(0)).isEmpty();
    assertThat(workerFixture.waiting(1)).isEmpty();
  }

  /** F11: the time to live restarts when a job is leased. */
  @Test
  void theTimeToLiveRestartsAtTheLease() throws Exception {
    String id = workerFixture.create(1);
    server.redis().call("EXPIRE", workerFixture.keys(0).job(id), "100");
    workerFixture.worker(0, job -> JobResult.completed()).start();
    workerFixture.await(FlowEvent.Completed.class);
    assertThat((Long) server.redis().call("TTL", workerFixture.keys(0).job(id)))
        .isGreaterThan(86_000L);
  }

  private WorkerFixture with(QueuePolicy policy, Duration lockTime) {
    Queue queue = Queue.of(server.name("q")).fields("n").policy(policy).lockTime(lockTime);
    workerFixture = new WorkerFixture(server, Flow.of(server.name("other"), queue));
    workerFixture.workers.startLoops();
    return workerFixture;
  }

  /** F2: a job that runs longer than its lock keeps it, since it is renewed. */
  @Test
  void theLockOfALeasedJobIsRenewed() throws Exception {
    Duration lockTime = Duration.ofMinutes(10);
    with(QueuePolicy.standard(), lockTime);
    try (ManualClockFixture manualClockFixture = new ManualClockFixture(workerFixture)) {
      manualClockFixture.start(0, stubborn);
      String id = workerFixture.create(1);
      Patience.await(begun);
      String lock = workerFixture.keys(0).lock(id);
      for (int i = 0; i < 3; i++) {
        server.redis().call("EXPIRE", lock, "300");
        manualClockFixture.pass(lockTime.dividedBy(3));
        assertThat((Long) server.redis().call("TTL", lock)).isGreaterThan(300);
      }
      go.countDown();
      workerFixture.await(FlowEvent.Completed.class);
    }
  }

  /** A lost lock ends the handler, and its result is not stored. */
  @Test
  void aHandlerIsInterruptedWhenItsLockIsLost() throws Exception {
    Duration lockTime = Duration.ofSeconds(60);
    with(QueuePolicy.standard(), lockTime);
    CountDownLatch told = new CountDownLatch(1);
    try (ManualClockFixture manualClockFixture = new ManualClockFixture(workerFixture)) {
      manualClockFixture.start(
          0,
          job -> {
            begun.countDown();
            try {
              go.await();
            } catch (InterruptedException e) {
              if (job.isCancelled()) {
                told.countDown();
              }
            }
            return JobResult.of("m", 1);
          });
      String id = workerFixture.create(1);
      Patience.await(begun);
      server.redis().call("SET", workerFixture.keys(0).lock(id), "another");
      manualClockFixture.pass(lockTime.dividedBy(3));
      Patience.await(told);
      workerFixture.await(FlowEvent.Lost.class);
      assertThat(workerFixture.field(id, "m")).isNull();
      // The worker continues, and its next job is not interrupted.
      go.countDown();
      String next = workerFixture.create(2);
      workerFixture.await(FlowEvent.Completed.class, e -> e.job().id().equals(next));
    }
  }

  /** The locks of all jobs are renewed by one call, each only for its worker. */
  @Test
  void manyLocksAreRenewedByOneCall() {
    String mine = server.name("mine");
    String anothers = server.name("anothers");
    String list = server.name("list");
    String none = server.name("none");
    String job = server.name("job");
    String metadata = server.name("metadata");
    server.redis().call("HSET", job, "n", "1");
    server.redis().call("EXPIRE", job, "5000");
    server.redis().call("SET", mine, "me", "EX", "500");
    server.redis().call("SET", anothers, "you", "EX", "500");
    server.redis().call("RPUSH", list, "x");
    Object answer =
        server
            .redis()
            .run(
                io.millrace.redis.wire.LuaScript.RENEW_LOCKS,
                List.of(
                    mine, job, metadata, anothers, job, metadata, list, job, metadata, none, job,
                    metadata),
                List.of(
                    "me", "10000", "50000", "me", "10000", "90000", "me", "10000", "90000", "me",
                    "10000", "90000"));
    assertThat(answer).isEqualTo(List.of(1L, 0L, 0L, 0L));
    assertThat((Long) server.redis().call("TTL", job)).isBetween(49_000L, 50_000L);
    assertThat((Long) server.redis().call("TTL", mine)).isGreaterThan(9_000L);
    assertThat((Long) server.redis().call("TTL", anothers)).isLessThan(501L);
  }

  /** A stale lock of a Node.js worker does not keep a job from being done. */
  @Test
  void anOldLockIsOverwritten() throws Exception {
    QueueWorker worker = workerFixture.worker(0, job -> JobResult.completed());
    server.redis().call("SET", workerFixture.keys(0).lock("j1"), "node", "EX", "100");
    server.redis().call("SET", workerFixture.keys(0).lock("j2"), "node", "EX", "100");
    workerFixture.create("j1", Map.of("n", "1"));
    worker.start();
    workerFixture.await(FlowEvent.Completed.class);
    workerFixture.create("j2", Map.of("n", "1"));
    workerFixture.await(FlowEvent.Completed.class);
  }

  /** Retries and the final failure are counted across workers. */
  @Test
  void theAttemptsOfAJobBelongToTheQueueAndAreForgottenAtItsEnd() throws Exception {
    with(
        QueuePolicy.standard().retry(RetryPolicy.fixed(Duration.ZERO).maxAttempts(5)),
        Duration.ofMinutes(10));
    AtomicInteger tries = new AtomicInteger();
    workerFixture
        .worker(
            0,
            job -> {
              if (tries.incrementAndGet() < 3) {
                throw new IllegalStateException("not yet");
              }
              return JobResult.of("attempt", job.attempt());
            })
        .start();
    String id = workerFixture.create(1);
    workerFixture.await(FlowEvent.Completed.class);
    assertThat(workerFixture.field(id, "attempt")).isEqualTo("3");
    assertThat(
            server
                .redis()
                .call(
                    "HGET",
                    workerFixture.keys(0).metadata(id),
                    "attempts:" + workerFixture.keys(0).name()))
        .isNull();
  }
}
