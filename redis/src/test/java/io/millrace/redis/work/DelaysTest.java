package io.millrace.redis.work;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.redis.flow.Flow;
import io.millrace.redis.flow.FlowEvent;
import io.millrace.redis.flow.JobResult;
import io.millrace.redis.flow.NewJob;
import io.millrace.redis.flow.Queue;
import io.millrace.redis.flow.QueuePolicy;
import io.millrace.redis.flow.RateLimit;
import io.millrace.redis.jobs.Jobs;
import io.millrace.redis.support.TestRedis;
import io.millrace.redis.wire.Dialect;
import io.millrace.redis.wire.JsText;
import io.millrace.redis.wire.OwnKeys;
import io.millrace.redis.wire.Uuidv7;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Delays, back-off, priorities, unique keys and rate limits, from the job's creation to its end.
 */
@Timeout(120)
class DelaysTest {

  private final TestRedis server = new TestRedis();
  private final String queue = server.name("q");
  private final Jobs jobs =
      new Jobs(
          server.redis(),
          Dialect.V0_0_8,
          JsText.standard(),
          new Uuidv7(Instant::now, new Random(1)));
  private Shop shop = shop(QueuePolicy.standard());

  private Shop shop(QueuePolicy policy) {
    Flow flow =
        Flow.of(server.name("flow"), Queue.of(queue).attributes("n", "user").policy(policy));
    return new Shop(server, flow, false);
  }

  @AfterEach
  void close() {
    shop.close();
  }

  @Test
  void aDelayedJobBeginsWhenItIsDue() throws Exception {
    long begun = System.nanoTime();
    String later = jobs.create(shop.flow, job(1).delay(Duration.ofMillis(700)));
    String now = jobs.create(shop.flow, job(2));
    // Only now: however long that took, what was due meanwhile is put behind what waits.
    shop.workers.begin();
    shop.worker(0, job -> JobResult.completed()).start();

    assertThat(shop.await(FlowEvent.Completed.class).place().id()).isEqualTo(now);
    assertThat(shop.await(FlowEvent.Completed.class).place().id()).isEqualTo(later);
    assertThat(Duration.ofNanos(System.nanoTime() - begun))
        .isGreaterThanOrEqualTo(Duration.ofMillis(699));
  }

  @Test
  void urgentJobsAreDoneFirst() throws Exception {
    jobs.createAll(
        shop.flow, List.of(job(1), job(2).priority(9), job(3), job(4).priority(1), job(5)));
    List<Integer> order = Collections.synchronizedList(new ArrayList<>());
    shop.worker(
            0,
            job -> {
              order.add(job.need("n", Integer.class));
              return JobResult.completed();
            })
        .start();
    for (int i = 0; i < 5; i++) {
      shop.await(FlowEvent.Completed.class);
    }

    assertThat(order).containsExactly(4, 2, 1, 3, 5);
  }

  @Test
  void aJobThatIsNotPossibleYetComesBackAndCountsAsNoAttempt() throws Exception {
    shop.workers.begin();
    AtomicInteger calls = new AtomicInteger();
    shop.worker(
            0,
            job ->
                calls.incrementAndGet() == 1
                    ? JobResult.later(Duration.ofMillis(50), "not yet")
                    : JobResult.of("attempt", job.attempt()))
        .start();
    String id = jobs.create(shop.flow, job(1));

    assertThat(shop.await(FlowEvent.Retried.class).reason()).isEqualTo("not yet");
    shop.await(FlowEvent.Completed.class);
    assertThat(shop.field(id, "attempt")).isEqualTo("1");
  }

  @Test
  void aFailureIsTriedAgainAfterItsBackOffAndThenGoesToTheDead() throws Exception {
    shop =
        shop(
            QueuePolicy.standard().retry(RetryPolicy.fixed(Duration.ofMillis(100)).maxAttempts(3)));
    shop.workers.begin();
    shop.worker(
            0,
            job -> {
              throw new IllegalStateException("attempt " + job.attempt());
            })
        .start();
    String id = jobs.create(shop.flow, job(1));

    FlowEvent.Retried first = shop.await(FlowEvent.Retried.class);
    assertThat(first.after()).isBetween(Duration.ofMillis(80), Duration.ofMillis(100));
    shop.await(FlowEvent.Retried.class);
    assertThat(shop.await(FlowEvent.Failed.class).message()).isEqualTo("attempt 3");
    assertThat(shop.dead(0)).isEqualTo(List.of(id));
    assertThat(shop.field(id, "failedErrorMsg")).isEqualTo("\"attempt 3\"");
  }

  @Test
  void aUniqueKeyIsFreeWhenItsJobHasEndedAndNotBefore() throws Exception {
    String first = jobs.create(shop.flow, job(1).uniqueKey("k"));
    assertThat(jobs.make(shop.flow, job(2).uniqueKey("k"))).isEqualTo(new Jobs.Made(first, false));
    shop.worker(
            0,
            job -> {
              if (job.need("n", Integer.class) == 3) {
                throw new IllegalStateException("no");
              }
              return JobResult.completed();
            })
        .start();
    shop.await(FlowEvent.Completed.class);

    String second = jobs.create(shop.flow, job(3).uniqueKey("k"));
    assertThat(second).isNotEqualTo(first);
    shop.await(FlowEvent.Failed.class);
    assertThat(jobs.create(shop.flow, job(4).uniqueKey("k"))).isNotEqualTo(second);
  }

  @Test
  void noMoreJobsBeginInAWindowThanTheLimitAllows() throws Exception {
    shop = shop(QueuePolicy.standard().rateLimit(RateLimit.of(5, Duration.ofMillis(400))));
    assertThat(windowsOf(17, 4, i -> "a")).isGreaterThanOrEqualTo(3);
    assertThat(delayed()).isZero();
  }

  @Test
  void eachGroupHasALimitOfItsOwnAndDoesNotHoldUpOthers() throws Exception {
    shop =
        shop(
            QueuePolicy.standard()
                .rateLimit(RateLimit.of(2, Duration.ofMillis(500)).groupBy("user")));
    shop.workers.begin();
    assertThat(windowsOf(9, 3, i -> i < 8 ? "busy" : "other")).isGreaterThanOrEqualTo(3);
    assertThat(delayed()).isZero();
    assertThat(order.indexOf("other")).as("not behind the busy group").isLessThan(5);
  }

  private final List<String> order = Collections.synchronizedList(new ArrayList<>());

  /**
   * How many windows begin from before the first job until the last one has begun: LimitTest shows
   * that none has too many.
   */
  private long windowsOf(int count, int workers, IntFunction<String> user) throws Exception {
    for (int i = 0; i < count; i++) {
      jobs.create(shop.flow, NewJob.of(Map.of("n", i, "user", user.apply(i))));
    }
    long first = window();
    for (int i = 0; i < workers; i++) {
      shop.worker(
              0,
              job -> {
                order.add(job.need("user", String.class));
                return JobResult.completed();
              })
          .start();
    }
    for (int i = 0; i < count; i++) {
      shop.await(FlowEvent.Leased.class);
    }
    return window() - first;
  }

  private long window() {
    List<?> time = (List<?>) server.redis().call("TIME");
    long millis =
        Long.parseLong((String) time.get(0)) * 1_000 + Long.parseLong((String) time.get(1)) / 1_000;
    return millis / shop.lane(0).policy().rateLimit().window().toMillis();
  }

  private long delayed() {
    return (Long) server.redis().call("ZCARD", OwnKeys.delayed(queue));
  }

  private static NewJob job(int n) {
    return NewJob.of(Map.of("n", n));
  }
}
