package io.millrace.redis.interop;

import static io.millrace.redis.interop.InteropFixture.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.redis.FlowClient;
import io.millrace.redis.Patience;
import io.millrace.redis.RedisFlows;
import io.millrace.redis.connect.RedisReplyException;
import io.millrace.redis.connect.RedisSettings;
import io.millrace.redis.connect.RedisUnavailableException;
import io.millrace.redis.flow.Flow;
import io.millrace.redis.flow.JobHandler;
import io.millrace.redis.flow.JobResult;
import io.millrace.redis.flow.NewJob;
import io.millrace.redis.flow.Queue;
import io.millrace.redis.flow.QueuePolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Tests of a server without memory, without answers, or without data. Workers continue without
 * being restarted.
 */
@Tag("brokers")
class RedisServerFaultsTest {

  private final RedisProcess server = RedisProcess.durable();
  private final List<RedisFlows> opened = new ArrayList<>();
  private final Map<String, AtomicInteger> packed = new ConcurrentHashMap<>();

  /**
   * The test's own connection to the server, which waits longer than workers that must notice
   * faults.
   */
  private final RedisFlows own = RedisFlows.connect(server.settings());

  private FlowClient client;

  /**
   * Returns a queue whose workers are never considered dead, and wait long when there is nothing to
   * do.
   */
  private static Queue queue(String name) {
    return Queue.of(name)
        .fields("n")
        .lockTime(Duration.ofMinutes(2))
        .blockTimeout(Duration.ofMinutes(2))
        .policy(QueuePolicy.standard().stallGrace(Duration.ofMinutes(2)));
  }

  /** Returns a queue whose dead workers are noticed soon. */
  private static Queue watched(String name) {
    return queue(name)
        .lockTime(Duration.ofSeconds(2))
        .blockTimeout(Duration.ofSeconds(1))
        .policy(QueuePolicy.standard().stallGrace(Duration.ofMillis(500)));
  }

  @AfterEach
  void close() {
    opened.forEach(flows -> flows.stop(Duration.ofSeconds(1)));
    own.close();
    server.close();
  }

  private void serve(int workers, JobHandler pack) {
    serve(server.settings(), Flow.of("trip", queue("pack").next("go"), queue("go")), workers, pack);
  }

  /** Starts workers with short timeouts, for commands and for the locks of other workers. */
  private void serveHastily(int workers, JobHandler pack) {
    serve(
        server.settings(Duration.ofMillis(500)),
        Flow.of("trip", watched("pack").next("go"), watched("go")),
        workers,
        pack);
  }

  private void serve(RedisSettings settings, Flow trip, int workers, JobHandler pack) {
    if (client == null) {
      client = own.register(trip);
    }
    RedisFlows flows = RedisFlows.connect(settings);
    opened.add(flows);
    FlowClient process = flows.register(trip);
    process.workers("pack", workers, pack);
    process.workers("go", workers, job -> JobResult.completed().done());
    flows.start();
  }

  private JobResult pack(String id) {
    packed.computeIfAbsent(id, key -> new AtomicInteger()).incrementAndGet();
    return JobResult.of("packed", 1);
  }

  private static List<NewJob> jobs(int count) {
    return IntStream.range(0, count).mapToObj(n -> NewJob.of(Map.of("n", n))).toList();
  }

  private void assertEnd(List<String> ids) throws InterruptedException {
    for (String id : ids) {
      assertThat(client.await(id, Patience.LIMIT)).as("job %s ends", id).isTrue();
      assertThat(client.get(id).fields())
          .containsKeys("packed", "done")
          .doesNotContainKey("failed");
    }
  }

  private Object redis(String... command) {
    return own.redis().call(command);
  }

  /**
   * Waits until the server answers after it was away; what is sent over the broken connection is
   * lost.
   */
  private void untilItAnswers() {
    until(
        "it answers",
        () -> {
          try {
            return redis("PING").equals("PONG");
          } catch (RedisUnavailableException e) {
            return false;
          }
        });
  }

  @Test
  void withoutMemoryJobsInHandEndAndTheOthersWait() throws Exception {
    CountDownLatch full = new CountDownLatch(1);
    serve(
        2,
        job -> {
          full.await();
          return pack(job.id());
        });
    List<String> ids = client.createAll(jobs(50));
    until("two are in hand", () -> redis("LLEN", "queue:pack:processing").equals(2L));

    redis("CONFIG", "SET", "maxmemory", "1");
    full.countDown();
    assertThatThrownBy(() -> client.create(Map.of("n", 1)))
        .isInstanceOfSatisfying(
            RedisReplyException.class,
            refused -> assertThat(refused.code()).isIn("OOM", "EXECABORT"));
    until("those in hand were done", () -> packed.size() >= 2);
    redis("CONFIG", "SET", "maxmemory", "0");

    assertEnd(ids);
    assertThat(packed.values()).allSatisfy(times -> assertThat(times).hasValue(1));
  }

  @Test
  void aServerThatDoesNotAnswerForAWhileLosesNothing() throws Exception {
    serveHastily(4, job -> pack(job.id()));
    List<String> ids = client.createAll(jobs(400));
    until("some are done", () -> packed.size() > 20);

    server.pause();
    long begin = System.nanoTime();
    until("it was silent for 1.5 s", () -> System.nanoTime() - begin > 1_500_000_000L);
    server.resume();

    assertEnd(ids);
    until(
        "nothing is in hand",
        () -> redis("EXISTS", "queue:pack:processing", "queue:go:processing").equals(0L));
  }

  /** F13, F14: neither the loops of a process nor its workers end with a connection. */
  @Test
  void aServerThatIsKilledAndComesBackWithItsFileLosesNothing() throws Exception {
    serveHastily(4, job -> pack(job.id()));
    List<String> ids = client.createAll(jobs(400));
    until("some are done", () -> packed.size() > 20);

    server.restart();
    untilItAnswers();

    assertEnd(ids);
    until("no lock is left", () -> ((List<?>) redis("KEYS", "lock:*")).isEmpty());
  }

  /** F11: what was deleted is not partly created again. */
  @Test
  void whatWasFlushedIsGoneAndNewJobsAreServed() throws Exception {
    CountDownLatch flushed = new CountDownLatch(1);
    serve(
        1,
        job -> {
          flushed.await();
          return pack(job.id());
        });
    List<String> ids = client.createAll(jobs(3));
    until("one is in hand", () -> redis("LLEN", "queue:pack:processing").equals(1L));

    redis("FLUSHALL");
    flushed.countDown();

    assertEnd(client.createAll(jobs(3)));
    for (String id : ids) {
      assertThat(client.find(id)).as("job %s", id).isEmpty();
    }
  }

  @Test
  void anEmptyServerInItsPlaceIsServed() throws Exception {
    serveHastily(2, job -> pack(job.id()));
    assertEnd(client.createAll(jobs(3)));

    server.replace();
    untilItAnswers();

    assertEnd(client.createAll(jobs(3)));
    until(
        "the flow is registered again",
        () -> redis("HEXISTS", "millrace:flows", "trip").equals(1L));
  }

  /** F15, F25, F26: several processes promote delayed jobs, each job once, in their order. */
  @Test
  void delayedJobsComeBackOnceThoughSeveralProcessesBringThem() throws Exception {
    serve(2, job -> pack(job.id()));
    serve(2, job -> pack(job.id()));
    serve(2, job -> pack(job.id()));
    List<String> ids =
        client.createAll(jobs(60).stream().map(job -> job.delay(Duration.ofMillis(300))).toList());

    assertEnd(ids);
    assertThat(packed).hasSize(60);
    assertThat(packed.values()).allSatisfy(times -> assertThat(times).hasValue(1));
  }

  /** F24: there are priority levels, and yet no worker polls. */
  @Test
  void anIdleWorkerTakesAnUrgentJobAtOnceAndAsksSeldom() throws Exception {
    serve(3, job -> pack(job.id()));
    assertEnd(client.createAll(jobs(1)));
    long before = commands();
    long begin = System.nanoTime();
    until("it was idle for 2 s", () -> System.nanoTime() - begin > 2_000_000_000L);
    double seconds = (System.nanoTime() - begin) / 1e9;
    long idle = commands() - before;

    // No worker would check by itself for 2 minutes.
    String id = client.create(NewJob.of(Map.of("n", 1)).priority(1));
    assertThat(client.await(id, Patience.LIMIT)).isTrue();

    assertThat(idle / seconds).as("of six idle workers and all loops in 1 s").isLessThan(50);
  }

  private long commands() {
    return ((String) redis("INFO", "stats"))
        .lines()
        .filter(line -> line.startsWith("total_commands_processed:"))
        .mapToLong(line -> Long.parseLong(line.substring(line.indexOf(':') + 1).trim()))
        .findFirst()
        .orElseThrow();
  }
}
