package io.millrace.redis.work;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.redis.flow.Flow;
import io.millrace.redis.flow.FlowEvent;
import io.millrace.redis.flow.JobResult;
import io.millrace.redis.flow.NewJob;
import io.millrace.redis.flow.Queue;
import io.millrace.redis.flow.QueuePolicy;
import io.millrace.redis.flow.RateLimit;
import io.millrace.redis.jobs.JobStore;
import io.millrace.redis.support.TestRedis;
import io.millrace.redis.wire.JavaScriptJson;
import io.millrace.redis.wire.MillraceKeys;
import io.millrace.redis.wire.UuidV7Generator;
import io.millrace.retry.RetryPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Tests of delays, back-off, priorities, unique keys and rate limits, from a job's creation to its
 * end.
 */
@Timeout(300)
@Tag("races")
class DelaysTest {

  private final TestRedis server = new TestRedis();
  private final String queue = server.name("q");
  private final JobStore jobStore =
      new JobStore(
          server.redis(),
          JavaScriptJson.standard(),
          new UuidV7Generator(Instant::now, new Random(1)));
  private WorkerFixture workerFixture = shop(QueuePolicy.standard());

  private WorkerFixture shop(QueuePolicy policy) {
    Flow flow = Flow.of(server.name("flow"), Queue.of(queue).fields("n", "user").policy(policy));
    return new WorkerFixture(server, flow);
  }

  @AfterEach
  void close() {
    workerFixture.close();
  }

  @Test
  void aDelayedJobBeginsWhenItIsDue() throws Exception {
    long begun = System.nanoTime();
    String later = jobStore.create(workerFixture.flow, job(1).delay(Duration.ofMillis(700)));
    String now = jobStore.create(workerFixture.flow, job(2));
    // The loops start only now: however long that took, jobs that became due are behind those that
    // wait.
    workerFixture.workers.startLoops();
    workerFixture.worker(0, job -> JobResult.completed()).start();

    assertThat(workerFixture.await(FlowEvent.Completed.class).job().id()).isEqualTo(now);
    assertThat(workerFixture.await(FlowEvent.Completed.class).job().id()).isEqualTo(later);
    assertThat(Duration.ofNanos(System.nanoTime() - begun))
        .isGreaterThanOrEqualTo(Duration.ofMillis(699));
  }

  @Test
  void urgentJobsAreDoneFirst() throws Exception {
    jobStore.createAll(
        workerFixture.flow,
        List.of(job(1), job(2).priority(9), job(3), job(4).priority(1), job(5)));
    List<Integer> order = Collections.synchronizedList(new ArrayList<>());
    workerFixture
        .worker(
            0,
            job -> {
              order.add(job.get("n", Integer.class));
              return JobResult.completed();
            })
        .start();
    for (int i = 0; i < 5; i++) {
      workerFixture.await(FlowEvent.Completed.class);
    }

    assertThat(order).containsExactly(4, 2, 1, 3, 5);
  }

  @Test
  void aJobThatIsNotPossibleYetComesBackAndCountsAsNoAttempt() throws Exception {
    workerFixture.workers.startLoops();
    AtomicInteger calls = new AtomicInteger();
    workerFixture
        .worker(
            0,
            job ->
                calls.incrementAndGet() == 1
                    ? JobResult.later(Duration.ofMillis(50), "not yet")
                    : JobResult.of("attempt", job.attempt()))
        .start();
    String id = jobStore.create(workerFixture.flow, job(1));

    assertThat(workerFixture.await(FlowEvent.Later.class).reason()).isEqualTo("not yet");
    workerFixture.await(FlowEvent.Completed.class);
    assertThat(workerFixture.field(id, "attempt")).isEqualTo("1");
  }

  @Test
  void aFailureIsTriedAgainAfterItsBackOffAndThenGoesToTheDead() throws Exception {
    workerFixture =
        shop(
            QueuePolicy.standard().retry(RetryPolicy.fixed(Duration.ofMillis(100)).maxAttempts(3)));
    workerFixture.workers.startLoops();
    workerFixture
        .worker(
            0,
            job -> {
              throw new IllegalStateException("attempt " + job.attempt());
            })
        .start();
    String id = jobStore.create(workerFixture.flow, job(1));

    FlowEvent.Retried first = workerFixture.await(FlowEvent.Retried.class);
    assertThat(first.after()).isBetween(Duration.ofMillis(80), Duration.ofMillis(100));
    workerFixture.await(FlowEvent.Retried.class);
    assertThat(workerFixture.await(FlowEvent.Failed.class).message()).isEqualTo("attempt 3");
    assertThat(workerFixture.dead(0)).isEqualTo(List.of(id));
    assertThat(workerFixture.field(id, "failedErrorMsg")).isEqualTo("\"attempt 3\"");
  }

  @Test
  void aUniqueKeyIsFreeWhenItsJobHasEndedAndNotBefore() throws Exception {
    String first = jobStore.create(workerFixture.flow, job(1).uniqueKey("k"));
    assertThat(jobStore.createOrGet(workerFixture.flow, job(2).uniqueKey("k")))
        .isEqualTo(new JobStore.CreateResult(first, false));
    workerFixture
        .worker(
            0,
            job -> {
              if (job.get("n", Integer.class) == 3) {
                throw new IllegalStateException("no");
              }
              return JobResult.completed();
            })
        .start();
    workerFixture.await(FlowEvent.Completed.class);

    String second = jobStore.create(workerFixture.flow, job(3).uniqueKey("k"));
    assertThat(second).isNotEqualTo(first);
    workerFixture.await(FlowEvent.Failed.class);
    assertThat(jobStore.create(workerFixture.flow, job(4).uniqueKey("k"))).isNotEqualTo(second);
  }

  @Test
  void noMoreJobsBeginInAWindowThanTheLimitAllows() throws Exception {
    workerFixture = shop(QueuePolicy.standard().rateLimit(RateLimit.of(5, Duration.ofMillis(400))));
    assertThat(windowsOf(17, 4, i -> "a")).isGreaterThanOrEqualTo(3);
    assertThat(delayed()).isZero();
  }

  @Test
  void eachGroupHasALimitOfItsOwnAndDoesNotHoldUpOthers() throws Exception {
    workerFixture =
        shop(
            QueuePolicy.standard()
                .rateLimit(RateLimit.of(2, Duration.ofMillis(500)).groupBy("user")));
    workerFixture.workers.startLoops();
    assertThat(windowsOf(9, 3, i -> i < 8 ? "busy" : "other")).isGreaterThanOrEqualTo(3);
    assertThat(delayed()).isZero();
    assertThat(order.indexOf("other")).as("not behind the busy group").isLessThan(5);
  }

  private final List<String> order = Collections.synchronizedList(new ArrayList<>());

  /**
   * Returns the number of windows that start between the first and the last job.
   * RateLimitScriptTest shows that none has too many jobs.
   */
  private long windowsOf(int count, int workers, IntFunction<String> user) throws Exception {
    for (int i = 0; i < count; i++) {
      jobStore.create(workerFixture.flow, NewJob.of(Map.of("n", i, "user", user.apply(i))));
    }
    long first = window();
    for (int i = 0; i < workers; i++) {
      workerFixture
          .worker(
              0,
              job -> {
                order.add(job.get("user", String.class));
                return JobResult.completed();
              })
          .start();
    }
    for (int i = 0; i < count; i++) {
      workerFixture.await(FlowEvent.Leased.class);
    }
    return window() - first;
  }

  private long window() {
    List<?> time = (List<?>) server.redis().call("TIME");
    long millis =
        Long.parseLong((String) time.get(0)) * 1_000 + Long.parseLong((String) time.get(1)) / 1_000;
    return millis / workerFixture.keys(0).policy().rateLimit().window().toMillis();
  }

  private long delayed() {
    return (Long) server.redis().call("ZCARD", MillraceKeys.delayed(queue));
  }

  private static NewJob job(int n) {
    return NewJob.of(Map.of("n", n));
  }
}
