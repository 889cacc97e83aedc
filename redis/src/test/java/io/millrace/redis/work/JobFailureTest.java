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
import io.millrace.redis.wire.MillraceKeys;
import io.millrace.retry.RetryPolicy;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests of faulty handlers: R33 to R41, F9, F10, F18, F19, F21, F22. */
class JobFailureTest {

  private final TestRedis server = new TestRedis();
  private WorkerFixture workerFixture =
      new WorkerFixture(server, WorkerFixture.flow(server, "a", "b"));

  @AfterEach
  void close() {
    workerFixture.close();
  }

  /** R33, R35, R36, R37, R38, R39, R41, F21. */
  @Test
  void aHandlerThatThrowsLeavesTheFourFieldsAndTheJobGoesNowhere() throws Exception {
    workerFixture
        .worker(
            0,
            job -> {
              throw new IllegalStateException("no \"bread\"\n");
            })
        .start();
    String id = workerFixture.create(1);
    FlowEvent.Failed failed = workerFixture.await(FlowEvent.Failed.class);
    assertThat(failed.message()).isEqualTo("no \"bread\"\n");
    assertThat(workerFixture.field(id, "done")).isEqualTo("true");
    assertThat(workerFixture.field(id, "failed")).isEqualTo("true");
    assertThat(workerFixture.field(id, "failedQueue"))
        .isEqualTo('"' + workerFixture.keys(0).name() + '"');
    assertThat(workerFixture.field(id, "failedErrorMsg")).isEqualTo("\"no \\\"bread\\\"\\n\"");
    assertThat(workerFixture.field(id, "completed-queue")).isNull();
    assertThat(workerFixture.processing(0)).isEmpty();
    assertThat(workerFixture.waiting(0)).isEmpty();
    assertThat(workerFixture.waiting(1)).isEmpty();
    assertThat(workerFixture.lock(0, id)).isNull();
    assertThat(workerFixture.dead(0)).isEqualTo(List.of(id));
  }

  /** R34. */
  @Test
  void aFailureIsLoggedWithItsCause() throws Exception {
    PrintStream before = System.err;
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
    String id;
    try {
      workerFixture
          .worker(
              0,
              job -> {
                throw new IllegalStateException("no bread");
              })
          .start();
      id = workerFixture.create(1);
      workerFixture.await(FlowEvent.Failed.class);
    } finally {
      System.setErr(before);
    }
    assertThat(log.toString(StandardCharsets.UTF_8))
        .contains("WARN", id, workerFixture.keys(0).name(), "IllegalStateException: no bread");
  }

  /** F9, R40: whatever is thrown or returned, the job ends and the worker continues. */
  @Test
  void whateverAHandlerDoesTheJobEndsWithAMessage() throws Exception {
    List<JobHandler> odd =
        List.of(
            job -> {
              throw new RuntimeException();
            },
            job -> {
              throw new StackOverflowError();
            },
            job -> {
              throw new Mute();
            },
            job -> {
              throw new InterruptedException("early");
            },
            job -> JobResult.of("self", new Loop()),
            job -> JobResult.completed().next("nowhere"),
            job -> job.get("missing", String.class) == null ? null : JobResult.completed(),
            job -> JobResult.later(Duration.ofSeconds(-1), "no"));
    workerFixture.worker(0, job -> odd.get(job.get("n", Integer.class)).handle(job)).start();
    List<String> messages = new ArrayList<>();
    for (int i = 0; i < odd.size(); i++) {
      String id = workerFixture.create(i);
      workerFixture.await(FlowEvent.Failed.class);
      messages.add(workerFixture.field(id, "failedErrorMsg"));
      assertThat(workerFixture.field(id, "failed")).isEqualTo("true");
    }
    assertThat(messages.get(0)).isEqualTo("\"java.lang.RuntimeException\"");
    assertThat(messages.get(1)).isEqualTo("\"java.lang.StackOverflowError\"");
    assertThat(messages.get(2)).contains("JobFailureTest$Mute");
    assertThat(messages.get(3)).isEqualTo("\"early\"");
    assertThat(messages.get(4)).contains("Field 'self' of the result cannot be stored");
    assertThat(messages.get(5)).contains("'nowhere'").contains(workerFixture.keys(1).name());
    assertThat(messages.get(6)).contains("missing");
    assertThat(messages.get(7)).contains("expected 0 to 365 days");
    assertThat(workerFixture.processing(0)).isEmpty();
  }

  /**
   * Neither a listener nor an exception that throws affects the job that was leased with the end.
   */
  @Test
  void whoThrowsWhileAnEndIsToldDoesNoHarm() throws Exception {
    CountDownLatch done = new CountDownLatch(3);
    WorkerContext workerContext =
        new WorkerContext(
            server.redis(),
            workerFixture.setting.json(),
            workerFixture.setting.runtime(),
            event -> {
              throw new AssertionError("a listener of no use");
            });
    for (int i = 0; i < 3; i++) {
      workerFixture.create(i);
    }
    FlowRuntime flowRuntime = new FlowRuntime(workerContext);
    flowRuntime.register(workerFixture.flow);
    QueueWorker worker =
        flowRuntime.worker(
            workerFixture.keys(0).name(),
            job -> {
              done.countDown();
              if (job.get("n", Integer.class) == 0) {
                throw new Mute();
              }
              return JobResult.completed();
            });
    worker.start();

    Patience.await(done);
    worker.stop();
    assertThat(workerFixture.processing(0)).isEmpty();
  }

  /** Only Millrace writes this field, yet an invalid value must not lose the job. */
  @Test
  void aCountOfAttemptsThatIsNoNumberRestarts() throws Exception {
    with(QueuePolicy.standard().retry(RetryPolicy.fixed(Duration.ZERO).maxAttempts(3)));
    String attempts = "attempts:" + workerFixture.keys(0).name();
    List<Integer> seen = Collections.synchronizedList(new ArrayList<>());
    workerFixture
        .worker(
            0,
            job -> {
              seen.add(job.attempt());
              if (seen.size() == 1) {
                server
                    .redis()
                    .call("HSET", workerFixture.keys(0).metadata(job.id()), attempts, "many");
              }
              throw new IllegalStateException("again");
            })
        .start();
    String id = workerFixture.create(1);
    workerFixture.await(FlowEvent.Failed.class);
    assertThat(seen).containsExactly(1, 2, 3);
    assertThat(workerFixture.dead(0)).isEqualTo(List.of(id));
  }

  static final class Mute extends RuntimeException {
    private static final long serialVersionUID = 1L;

    @Override
    public String getMessage() {
      throw new IllegalStateException("mute");
    }
  }

  static final class Loop {
    public Loop getLoop() {
      return this;
    }
  }

  /** R21, F9: no result is an empty success. */
  @Test
  void aHandlerThatAnswersNullHasSucceeded() throws Exception {
    workerFixture.worker(0, job -> null).start();
    String id = workerFixture.create(1);
    workerFixture.await(FlowEvent.Completed.class);
    assertThat(workerFixture.field(id, "completed-queue"))
        .isEqualTo('"' + workerFixture.keys(0).name() + '"');
    assertThat(workerFixture.waiting(1)).isEqualTo(List.of(id));
  }

  /** F10: a field that is not JSON fails its job with a message, and the next job is done. */
  @Test
  void aFieldThatIsNoJsonFailsItsJobOnly() throws Exception {
    workerFixture.worker(0, job -> JobResult.of("m", job.get("n", Integer.class))).start();
    String bad = workerFixture.create("bad", Map.of("n", "{oops"));
    String good = workerFixture.create(2);
    workerFixture.await(FlowEvent.Completed.class);
    assertThat(workerFixture.field(bad, "failedErrorMsg"))
        .contains("Field 'n' of job bad")
        .contains("JSON");
    assertThat(workerFixture.field(good, "m")).isEqualTo("2");
  }

  /** F22: as in Node.js a result may overwrite the job's fields, but not the completed queue. */
  @Test
  void aResultMayOverwriteFieldsButNotTheCompletedQueue() throws Exception {
    workerFixture.worker(0, job -> JobResult.of("n", 9).with("completed-queue", "lie")).start();
    String id = workerFixture.create(1);
    workerFixture.await(FlowEvent.Completed.class);
    assertThat(workerFixture.field(id, "n")).isEqualTo("9");
    assertThat(workerFixture.field(id, "completed-queue"))
        .isEqualTo('"' + workerFixture.keys(0).name() + '"');
  }

  private WorkerFixture with(QueuePolicy policy) {
    Queue queue = Queue.of(server.name("q")).fields("n").policy(policy);
    workerFixture = new WorkerFixture(server, Flow.of(server.name("other"), queue));
    return workerFixture;
  }

  /** A policy lets failed jobs be retried: at once, or later from the set of delayed ones. */
  @Test
  void aJobIsTriedAgainAsItsPolicySays() throws Exception {
    RetryPolicy policy = RetryPolicy.fixed(Duration.ZERO).maxAttempts(3);
    with(QueuePolicy.standard().retry(policy));
    List<Integer> attempts = Collections.synchronizedList(new ArrayList<>());
    List<String> keys = Collections.synchronizedList(new ArrayList<>());
    workerFixture
        .worker(
            0,
            job -> {
              attempts.add(job.attempt());
              keys.add(job.idempotencyKey());
              throw new IllegalStateException("again");
            })
        .start();
    String id = workerFixture.create(1);
    workerFixture.await(FlowEvent.Failed.class);
    assertThat(attempts).containsExactly(1, 2, 3);
    assertThat(keys).hasSize(3).containsOnly(keys.getFirst());
    assertThat(workerFixture.field(id, "failedErrorMsg")).isEqualTo("\"again\"");
  }

  @Test
  void aRetryThatWaitsStandsAmongTheDelayedJobs() throws Exception {
    with(QueuePolicy.standard().retry(RetryPolicy.fixed(Duration.ofMinutes(5)).jitter(0)));
    workerFixture
        .worker(
            0,
            job -> {
              throw new IllegalStateException("later");
            })
        .start();
    long begun = server.millis();
    String id = workerFixture.create(1);
    FlowEvent.Retried retried = workerFixture.await(FlowEvent.Retried.class);
    assertThat(retried.after()).isEqualTo(Duration.ofMinutes(5));
    String delayed = MillraceKeys.delayed(workerFixture.keys(0).name());
    long due = (long) Double.parseDouble((String) server.redis().call("ZSCORE", delayed, id));
    assertThat(due).isBetween(begun + 300_000, server.millis() + 300_000);
    assertThat(workerFixture.processing(0)).isEmpty();
    assertThat(workerFixture.field(id, "failed")).isNull();
    assertThat(server.redis().call("HGET", workerFixture.keys(0).metadata(id), "note"))
        .isEqualTo("later");
    assertThat((Long) server.redis().call("TTL", workerFixture.keys(0).metadata(id))).isPositive();
  }

  /** A handler may ask for the job to come back; that does not count as an attempt. */
  @Test
  void aJobThatIsNotPossibleYetComesBackWithoutAnAttempt() throws Exception {
    with(QueuePolicy.standard());
    List<Integer> attempts = Collections.synchronizedList(new ArrayList<>());
    workerFixture
        .worker(
            0,
            job -> {
              attempts.add(job.attempt());
              return attempts.size() < 3
                  ? JobResult.later(Duration.ZERO, "not yet")
                  : JobResult.completed();
            })
        .start();
    workerFixture.create(1);
    workerFixture.await(FlowEvent.Completed.class);
    assertThat(attempts).containsExactly(1, 1, 1);
  }

  /** F18, R8: the next job waits until the late handler has really returned. */
  @Test
  void aHandlerThatRunsTooLongIsInterruptedAndItsJobFails() throws Exception {
    with(QueuePolicy.standard().handlerTimeout(Duration.ofMillis(100)));
    CountDownLatch release = new CountDownLatch(1);
    CountDownLatch interrupted = new CountDownLatch(1);
    List<String> order = Collections.synchronizedList(new ArrayList<>());
    CountDownLatch begun = new CountDownLatch(1);
    try (ManualClockFixture manualClockFixture = new ManualClockFixture(workerFixture)) {
      manualClockFixture.start(
          0,
          job -> {
            if (job.get("n", Integer.class) == 1) {
              begun.countDown();
              try {
                new CountDownLatch(1).await();
              } catch (InterruptedException e) {
                assertThat(job.isCancelled()).isTrue();
                interrupted.countDown();
              }
              release.await();
              order.add("first returned");
            } else {
              order.add("second begun");
            }
            return JobResult.completed();
          });
      String id = workerFixture.create(1);
      workerFixture.create(2);
      Patience.await(begun);
      manualClockFixture.pass(Duration.ofMillis(99));
      assertThat(interrupted.getCount()).isEqualTo(1);
      manualClockFixture.pass(Duration.ofMillis(1));
      Patience.await(interrupted);
      assertThat(workerFixture.waiting(0)).hasSize(1);
      release.countDown();
      workerFixture.await(FlowEvent.Completed.class);
      assertThat(order).containsExactly("first returned", "second begun");
      assertThat(workerFixture.field(id, "failedErrorMsg"))
          .isEqualTo("\"Execution timeout of 0.1 seconds exceeded\"");
    }
  }

  /** F18: no second handler runs beside it, and its late result does not count. */
  @Test
  void theJobOfAHandlerThatDoesNotReturnFailsForGood() throws Exception {
    RetryPolicy often = RetryPolicy.fixed(Duration.ZERO).maxAttempts(5);
    with(QueuePolicy.standard().handlerTimeout(Duration.ofMinutes(1)).retry(often));
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch interrupted = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    try (ManualClockFixture manualClockFixture = new ManualClockFixture(workerFixture)) {
      manualClockFixture.start(
          0,
          job -> {
            begun.countDown();
            while (go.getCount() > 0) {
              try {
                go.await();
              } catch (InterruptedException e) {
                interrupted.countDown();
              }
            }
            return JobResult.of("late", 1);
          });
      String id = workerFixture.create(1);
      String next = workerFixture.create(2);
      Patience.await(begun);
      manualClockFixture.pass(Duration.ofMinutes(1));
      Patience.await(interrupted);
      manualClockFixture.pass(Duration.ofMillis(4_999));
      assertThat(workerFixture.processing(0)).isEqualTo(List.of(id));

      String dead = MillraceKeys.dead(workerFixture.keys(0).name());
      server.redis().call("SET", dead, "no set");
      manualClockFixture.pass(Duration.ofMillis(1));
      assertThat(workerFixture.processing(0)).as("refused, and tried again").isEqualTo(List.of(id));
      server.redis().call("DEL", dead);
      manualClockFixture.pass(Duration.ofMillis(1));

      assertThat(workerFixture.await(FlowEvent.Failed.class).message())
          .isEqualTo("Execution timeout of 60 seconds exceeded");
      assertThat(workerFixture.field(id, "failed")).isEqualTo("true");
      assertThat(workerFixture.dead(0)).isEqualTo(List.of(id));
      assertThat(workerFixture.processing(0)).isEmpty();
      assertThat(workerFixture.waiting(0)).as("the worker waits for it").isEqualTo(List.of(next));
      go.countDown();
      workerFixture.await(FlowEvent.Completed.class, event -> event.job().id().equals(next));
      assertThat(workerFixture.field(id, "late")).isNull();
    }
  }

  /** F19: a job that ended in time is not interrupted later, nor is the next one. */
  @Test
  void aJobThatEndedInTimeIsNotInterruptedLater() throws Exception {
    with(QueuePolicy.standard().handlerTimeout(Duration.ofMillis(200)));
    try (ManualClockFixture manualClockFixture = new ManualClockFixture(workerFixture)) {
      manualClockFixture.start(
          0,
          job -> {
            // Two jobs together take longer than one may.
            manualClockFixture.pass(Duration.ofMillis(120));
            return JobResult.of("interrupted", Thread.currentThread().isInterrupted());
          });
      for (int i = 0; i < 4; i++) {
        workerFixture.create(i);
      }
      for (int i = 0; i < 4; i++) {
        String id = workerFixture.await(FlowEvent.Completed.class).job().id();
        assertThat(workerFixture.field(id, "interrupted")).isEqualTo("false");
      }
    }
  }

  @Test
  void theOverlongIsToldInTheWordsOfTheNpmPackage() {
    assertThat(FailureFields.timeoutMessage(Duration.ofSeconds(8)))
        .isEqualTo("Execution timeout of 8 seconds exceeded");
    assertThat(FailureFields.timeoutMessage(Duration.ofMillis(1500)))
        .isEqualTo("Execution timeout of 1.5 seconds exceeded");
  }
}
