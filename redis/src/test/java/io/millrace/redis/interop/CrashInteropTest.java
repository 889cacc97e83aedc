package io.millrace.redis.interop;

import static io.millrace.redis.interop.InteropFixture.queue;
import static io.millrace.redis.interop.InteropFixture.until;
import static io.millrace.redis.interop.InteropFixture.watched;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.redis.FlowClient;
import io.millrace.redis.Patience;
import io.millrace.redis.flow.Flow;
import io.millrace.redis.flow.FlowEvent;
import io.millrace.redis.flow.JobResult;
import io.millrace.redis.flow.NewJob;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests in which processes of both sides die in the middle of a job, and so does the server. */
@Tag("interop")
class CrashInteropTest {

  private static final Map<String, Object> DONE =
      Map.of("kind", "answer", "result", Map.of("done", true));

  private final RedisProcess server = RedisProcess.durable();
  private final InteropFixture interopFixture = new InteropFixture(server);
  private final Flow trip = trip();
  private FlowClient client;

  /** A file that lets Node.js continue once it exists. */
  private Path free;

  static Flow trip() {
    return Flow.of("trip", watched("pack", "n").next("go"), watched("go", "n")).lookup("user");
  }

  @BeforeEach
  void register(@TempDir Path folder) {
    free = folder.resolve("free");
    client = interopFixture.register(trip);
  }

  @AfterEach
  void close() {
    interopFixture.close();
    server.close();
  }

  /** F1. */
  @Test
  void aJobWhoseNodeProcessWasKilledIsDoneByJava() throws Exception {
    stickInNode();
    String id = interopFixture.jobs.create(trip, NewJob.of(Map.of("n", 1)));
    interopFixture.node().awaitJob("pack", id);
    assertThat(interopFixture.redis.call("TTL", "lock:pack:" + id))
        .as("it runs out")
        .isNotEqualTo(-1L);
    interopFixture.node().kill();
    serve();

    assertThat(client.await(id, Patience.LIMIT)).isTrue();
    assertThat(
            interopFixture.await(FlowEvent.Recovered.class, e -> e.job().id().equals(id)).stalls())
        .isEqualTo(1);
    assertThat(interopFixture.processing("pack")).isEmpty();
  }

  /** Starts a worker in Node.js that blocks in its first job, like a stopped process. */
  private void stickInNode() {
    interopFixture.nodeWorkers(
        trip, "pack", 1, Map.of("kind", "stuck", "until", free.toString(), "result", Map.of()));
  }

  /** F1. */
  @Test
  void aJobWhoseJavaProcessWasKilledIsDoneByAnother() throws Exception {
    String id = interopFixture.create(trip, Map.of("n", 1));
    try (HangingWorker worker = HangingWorker.start(server.uri())) {
      assertThat(worker.awaitJob()).isEqualTo(id);
      worker.kill();
    }
    serve();

    assertThat(client.await(id, Patience.LIMIT)).isTrue();
    assertThat(
            interopFixture.await(FlowEvent.Recovered.class, e -> e.job().id().equals(id)).stalls())
        .isEqualTo(1);
  }

  /**
   * A monitor in Node.js fails a job at the first lock that it misses, so no lock may be missing.
   * It is killed before the job ends: it reads the list and the locks one after the other, and
   * therefore also fails a job that ends in between, whichever side processes it.
   */
  @Test
  void aMonitorInNodeDoesNoHarmToALongJobOfJava() throws Exception {
    Flow haul =
        Flow.of("haul", queue("lift").lockTime(Duration.ofSeconds(6)).next("drop"), queue("drop"));
    FlowClient porter = interopFixture.register(haul);
    interopFixture
        .node()
        .call("monitor", Map.of("flow", "haul", "queues", List.of("lift", "drop"), "ms", 50));
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    porter.worker(
        "lift",
        job -> {
          begun.countDown();
          go.await();
          return JobResult.completed();
        });
    porter.worker("drop", job -> JobResult.completed().done());
    String id = interopFixture.jobs.create(haul, NewJob.of(Map.of("n", 1)));
    interopFixture.java.start();
    begun.await();
    long looks = interopFixture.node().logs("job lists updated").size();

    untilRenewed("lock:lift:" + id, 2);
    until("20 looks", () -> interopFixture.node().logs("job lists updated").size() >= looks + 20);
    interopFixture.node().kill();
    go.countDown();

    assertThat(porter.await(id, Patience.LIMIT)).isTrue();
    assertThat(interopFixture.hash(haul, id))
        .doesNotContainKey("failed")
        .containsEntry("done", "true");
    assertThat(interopFixture.node().logs("Job lock time exceeded")).isEmpty();
  }

  /** Waits until the expiry of a lock was extended a number of times. */
  private void untilRenewed(String lock, int times) {
    for (int i = 0; i < times; i++) {
      long[] left = {(Long) interopFixture.redis.call("PTTL", lock)};
      until(
          "the lock was renewed",
          () -> {
            long before = left[0];
            left[0] = (Long) interopFixture.redis.call("PTTL", lock);
            return left[0] > before;
          });
    }
  }

  /** F6, the limit: a late end in Node.js cannot be fenced from outside. */
  @Test
  void aLateEndInNodeQueuesTheNextStepOnceMore() throws Exception {
    stickInNode();
    String id = interopFixture.jobs.create(trip, NewJob.of(Map.of("n", 1)));
    interopFixture.node().awaitJob("pack", id);
    client.worker("pack", job -> JobResult.of("by", "java"));
    interopFixture.java.start();
    interopFixture.await(FlowEvent.Completed.class, e -> e.job().queue().equals("pack"));
    assertThat(interopFixture.waiting("go")).containsExactly(id);

    Files.createFile(free);
    until(
        "Node has found that its entry is gone",
        () -> !interopFixture.node().logs("inconsistency in complete()").isEmpty());

    assertThat(interopFixture.hash(trip, id)).containsEntry("by", "\"java\"");
    assertThat(interopFixture.waiting("go"))
        .as("nobody has taken it meanwhile, so that Node takes its second entry back")
        .containsExactly(id);
  }

  /**
   * F13: the npm package does not survive the loss of a connection, so its process is restarted.
   */
  @Test
  void jobsOutliveARestartOfTheServer() throws Exception {
    client.workers("pack", 3, job -> JobResult.completed());
    client.workers("go", 3, job -> JobResult.completed().done());
    interopFixture.nodeWorkers(trip, "pack", 3, Map.of("kind", "answer", "result", Map.of()));
    interopFixture.nodeWorkers(trip, "go", 3, DONE);
    interopFixture.java.start();
    List<String> ids = new ArrayList<>();
    ids.addAll(
        interopFixture.jobs.createAll(
            trip, IntStream.range(0, 200).mapToObj(n -> NewJob.of(Map.of("n", n))).toList()));
    until("some are done", () -> !interopFixture.node().jobs("go").isEmpty());

    server.restart();
    interopFixture.node().awaitEnd();
    interopFixture.anotherNode();
    interopFixture.nodeWorkers(trip, "pack", 3, Map.of("kind", "answer", "result", Map.of()));
    interopFixture.nodeWorkers(trip, "go", 3, DONE);
    ids.add(interopFixture.create(trip, Map.of("n", 0)));

    for (String id : ids) {
      assertThat(client.await(id, Patience.LIMIT)).as("job %s ends", id).isTrue();
      assertThat(interopFixture.hash(trip, id))
          .containsEntry("done", "true")
          .doesNotContainKey("failed");
    }
    until(
        "no entry is left",
        () ->
            Stream.of("pack", "go")
                .allMatch(name ->
                    interopFixture.waiting(name).isEmpty()
                        && interopFixture.processing(name).isEmpty()));
  }

  private void serve() {
    client.worker("pack", job -> JobResult.completed());
    client.worker("go", job -> JobResult.completed().done());
    interopFixture.java.start();
  }
}
