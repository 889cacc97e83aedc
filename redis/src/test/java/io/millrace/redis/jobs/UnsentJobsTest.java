package io.millrace.redis.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.millrace.lifecycle.EngineClock;
import io.millrace.lifecycle.EngineRuntime;
import io.millrace.redis.connect.Redis;
import io.millrace.redis.connect.RedisConnections;
import io.millrace.redis.connect.RedisSettings;
import io.millrace.redis.connect.RedisUnavailableException;
import io.millrace.redis.flow.Flow;
import io.millrace.redis.flow.NewJob;
import io.millrace.redis.flow.Queue;
import io.millrace.redis.support.TestRedis;
import io.millrace.redis.wire.JavaScriptJson;
import io.millrace.redis.wire.UuidV7Generator;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Tests that a request that was not sent has created no job, and that one without answer may have.
 */
class UnsentJobsTest {

  private static final NewJob JOB = NewJob.of(Map.of("n", 1));

  private final TestRedis test = new TestRedis();
  private final Flow flow = Flow.of(test.name("orders"), Queue.of(test.name("check")));

  @AfterEach
  void close() {
    test.close();
  }

  private static JobStore jobs(Redis redis) {
    return new JobStore(
        redis, JavaScriptJson.standard(), new UuidV7Generator(EngineClock.system(), new Random(1)));
  }

  private static Redis open(String uri) {
    return RedisConnections.open(
        RedisSettings.of(uri).timeout(Duration.ofMillis(50)), EngineRuntime.system());
  }

  private static RedisUnavailableException failure(Runnable call) {
    return catchThrowableOfType(RedisUnavailableException.class, call::run);
  }

  private void assertNoneIsMade(String uri, String why) {
    try (Redis redis = open(uri)) {
      JobStore jobs = jobs(redis);
      for (Runnable call :
          List.<Runnable>of(
              () -> jobs.create(flow, JOB),
              () -> jobs.create(flow, JOB.uniqueKey("k")),
              () -> jobs.createWithId(flow, "id", JOB))) {
        RedisUnavailableException failure = failure(call);
        assertThat(failure)
            .hasMessageStartingWith("No job was created in queue '" + flow.first().name() + "'")
            .hasMessageContaining(why);
        assertThat(failure.unexecuted()).isTrue();
      }
      RedisUnavailableException failure = failure(() -> jobs.createAll(flow, List.of(JOB, JOB)));
      assertThat(failure)
          .hasMessageStartingWith(
              "The first 0 of 2 jobs of flow '" + flow.name() + "' were created, and no other")
          .hasMessageContaining(why)
          .hasMessageNotContaining("unknown");
      assertThat(failure.unexecuted()).isTrue();
    }
  }

  @Test
  void aClosedPortMakesNoJob() throws IOException {
    int port;
    try (ServerSocket closed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = closed.getLocalPort();
    }
    assertNoneIsMade("redis://127.0.0.1:" + port, "refused");
  }

  @Test
  void aWrongPasswordMakesNoJob() {
    assertNoneIsMade(TestRedis.uri().replace("redis://", "redis://nobody:wrong@"), "WRONGPASS");
  }

  @Test
  void aClosedClientMakesNoJob() {
    Redis redis = open(TestRedis.uri());
    redis.close();
    assertThat(failure(() -> jobs(redis).create(flow, JOB)))
        .hasMessageStartingWith("No job was created")
        .hasMessageContaining("is closed");
  }

  /** Returns a store that executes the first transaction only. */
  private JobStore failingAfterTheFirst(RedisUnavailableException failure) {
    int[] left = {1};
    return jobs(
        (Redis)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {Redis.class},
                (proxy, method, arguments) -> {
                  if (method.getName().equals("transaction") && left[0]-- == 0) {
                    throw failure;
                  }
                  try {
                    return method.invoke(test.redis(), arguments);
                  } catch (InvocationTargetException e) {
                    throw e.getCause();
                  }
                }));
  }

  @Test
  void ofManyTheOnesThatWereNotSentAreTold() {
    List<NewJob> many = Collections.nCopies(JobStore.BATCH + 1, JOB);
    String made =
        "The first "
            + JobStore.BATCH
            + " of "
            + many.size()
            + " jobs of flow '"
            + flow.name()
            + "' were created";

    RedisUnavailableException unsent = RedisUnavailableException.unexecuted("away", null);
    assertThat(failure(() -> failingAfterTheFirst(unsent).createAll(flow, many)))
        .hasMessage(made + ", and no other; try again with those: away")
        .matches(RedisUnavailableException::unexecuted);

    RedisUnavailableException unanswered = new RedisUnavailableException("no answer", null);
    assertThat(failure(() -> failingAfterTheFirst(unanswered).createAll(flow, many)))
        .hasMessage(made + ", of up to " + JobStore.BATCH + " more it is unknown: no answer")
        .matches(failure -> !failure.unexecuted());
    assertThat(failure(() -> failingAfterTheFirst(unanswered).createAll(flow, many.subList(0, 1))))
        .isNull();
  }

  @Test
  void ofOneThatWasNotAnsweredItIsUnknown() {
    RedisUnavailableException unanswered = new RedisUnavailableException("no answer", null);
    JobStore jobs = failingAfterTheFirst(unanswered);
    jobs.create(flow, JOB);
    assertThat(failure(() -> jobs.create(flow, JOB)))
        .hasMessageStartingWith("It is unknown whether a job was created in queue '")
        .hasMessageEndingWith("no answer")
        .matches(failure -> !failure.unexecuted());
  }
}
