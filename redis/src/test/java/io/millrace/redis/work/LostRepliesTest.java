package io.millrace.redis.work;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.lifecycle.EngineClock;
import io.millrace.lifecycle.EngineRuntime;
import io.millrace.lifecycle.ThreadRunner;
import io.millrace.redis.Patience;
import io.millrace.redis.flow.Flow;
import io.millrace.redis.flow.FlowEvent;
import io.millrace.redis.flow.Job;
import io.millrace.redis.flow.JobHandler;
import io.millrace.redis.flow.JobResult;
import io.millrace.redis.flow.QueuePolicy;
import io.millrace.redis.sim.SimFaults;
import io.millrace.redis.sim.SimFaults.Fate;
import io.millrace.redis.sim.SimRedis;
import io.millrace.redis.sim.SimRedisClock;
import io.millrace.redis.sim.SimServer;
import io.millrace.redis.support.ServerConditions;
import io.millrace.redis.wire.JavaScriptJson;
import io.millrace.retry.RetryPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests of real workers, with all their threads and loops, on a simulated server whose locks never
 * expire. Requests and replies are lost, and there are no other faults.
 */
class LostRepliesTest {

  private static final int JOBS = 120;

  private final SimServer server = new SimServer(new SimRedisClock());
  private final SimRedis maker = new SimRedis(server, "maker", SimFaults.none());
  private final Queue<FlowEvent> events = new ConcurrentLinkedQueue<>();
  private final Map<String, AtomicInteger> calls = new ConcurrentHashMap<>();
  private final List<FlowRuntime> processes = new ArrayList<>();

  @AfterEach
  void close() {
    processes.forEach(flowRuntime -> flowRuntime.stop(Patience.LIMIT));
  }

  /** The grace is so long that no job is recovered. */
  @ValueSource(strings = {"LEASE", "LEASE_MOVED", "COMPLETE", "COME_BACK"})
  @ParameterizedTest
  void anAnswerThatIsLostCostsNeitherTheEndOfAJobNorTheNextOne(String script) {
    AtomicBoolean first = new AtomicBoolean(true);
    process(
        Duration.ofHours(1),
        1,
        (client, request) ->
            request.equals(script) && first.getAndSet(false) ? Fate.LOSE_REPLY : Fate.DELIVER,
        job -> again(job, job.id().equals("0") ? 0 : 2));
    create(0);
    create(1);
    processes.forEach(FlowRuntime::start);
    ServerConditions.until(() -> ended() == 2);
    create(2);
    ServerConditions.until(() -> ended() == 3);
    // An event is reported after the server has accepted the end.
    ServerConditions.until(() -> number(FlowEvent.Completed.class) >= 6);

    assertThat(first).isFalse();
    assertThat(calls.values()).allMatch(times -> times.get() <= 2);
    assertThat(number(FlowEvent.Completed.class)).isEqualTo(6);
    assertThat(number(FlowEvent.Retried.class)).isEqualTo(1);
    assertThat(number(FlowEvent.Lost.class)).isZero();
    assertThat(number(FlowEvent.Recovered.class)).isZero();
  }

  /** The random numbers of a thread depend on the machine, and so does a grace of a second. */
  @Tag("races")
  @ValueSource(longs = {1, 2, 3})
  @ParameterizedTest
  void eachStepIsDoneAndToldOnceThoughRequestsAndAnswersAreLost(long seed) {
    Random random = new Random(seed);
    AtomicBoolean calm = new AtomicBoolean();
    SimFaults faults =
        (client, request) -> {
          int dice = calm.get() ? 100 : random.nextInt(100);
          return dice < 4 ? Fate.LOSE_REQUEST : dice < 12 ? Fate.LOSE_REPLY : Fate.DELIVER;
        };
    for (int i = 0; i < 2; i++) {
      process(Duration.ofSeconds(1), 3, faults, job -> again(job, job.get("n", Integer.class) % 3));
    }
    for (int n = 0; n < JOBS; n++) {
      create(n);
    }
    processes.forEach(FlowRuntime::start);
    ServerConditions.until(() -> ended() == JOBS);
    calm.set(true);
    close();

    for (int n = 0; n < JOBS; n++) {
      String which = "job " + n + "\n" + server.trace();
      assertThat(calls.get("one" + n)).as(which).hasValue(n % 3 == 2 ? 1 : 2);
      assertThat(calls.get("two" + n)).as(which).hasValue(1);
    }
    assertThat(number(FlowEvent.Retried.class)).isEqualTo(JOBS / 3);
    assertThat(number(FlowEvent.Completed.class)).isEqualTo(JOBS + JOBS / 3 + JOBS);
    assertThat(number(FlowEvent.Lost.class)).isZero();
    for (String queue : List.of("one", "two")) {
      assertThat(server.list("queue:" + queue + ":waiting")).isEmpty();
      assertThat(server.list("queue:" + queue + ":processing")).isEmpty();
    }
  }

  /**
   * Throws in the first call in the first queue (0), sends the job back (1), or completes it (2).
   */
  private JobResult again(Job job, int how) {
    int call =
        calls.computeIfAbsent(job.queue() + job.id(), key -> new AtomicInteger()).incrementAndGet();
    if (job.queue().equals("two") || call > 1 || how == 2) {
      return JobResult.of("call" + job.queue(), call);
    }
    if (how == 0) {
      throw new IllegalStateException("not yet");
    }
    return JobResult.completed().next("one");
  }

  private void process(Duration grace, int workers, SimFaults faults, JobHandler handler) {
    // The ids of the processes must differ.
    Random random = new Random(processes.size());
    EngineRuntime runtime = new EngineRuntime(EngineClock.system(), new ThreadRunner(), random);
    SimRedis redis = new SimRedis(server, "process" + processes.size(), faults);
    FlowRuntime all =
        new FlowRuntime(new WorkerContext(redis, JavaScriptJson.standard(), runtime, events::add));
    QueuePolicy policy =
        QueuePolicy.standard()
            .retry(RetryPolicy.fixed(Duration.ZERO).maxAttempts(3))
            .stallLimit(1_000)
            .stallGrace(grace);
    all.register(
        Flow.of(
            "lost",
            io.millrace.redis.flow.Queue.of("one").fields("n").next("two").policy(policy),
            io.millrace.redis.flow.Queue.of("two").fields("n").policy(policy)));
    for (int i = 0; i < workers; i++) {
      all.worker("one", handler);
      all.worker("two", handler);
    }
    processes.add(all);
  }

  private void create(int n) {
    maker.transaction(
        List.of(
            List.of("HSET", "job:lost:" + n, "n", Integer.toString(n)),
            List.of("RPUSH", "queue:one:waiting", Integer.toString(n))));
  }

  private long ended() {
    return events.stream()
        .filter(event ->
            event instanceof FlowEvent.Completed completed && completed.nextQueue() == null)
        .count();
  }

  private long number(Class<? extends FlowEvent> kind) {
    return events.stream().filter(kind::isInstance).count();
  }
}
