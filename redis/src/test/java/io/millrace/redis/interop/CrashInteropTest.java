package io.millrace.redis.interop;

import static io.millrace.redis.interop.Sides.queue;
import static io.millrace.redis.interop.Sides.until;
import static io.millrace.redis.interop.Sides.watched;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.redis.FlowClient;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Processes of both sides die in the middle of a job, and so does the server. */
class CrashInteropTest {

  private static final Map<String, Object> DONE =
      Map.of("kind", "answer", "result", Map.of("done", true));

  private final RedisProcess server = RedisProcess.durable();
  private final Sides sides = new Sides(server);
  private final Flow trip = trip();
  private FlowClient client;

  /** A file that is made for Node.js to go on. */
  private Path free;

  static Flow trip() {
    return Flow.of("trip", watched("pack", "n").next("go"), watched("go", "n")).lookup("user");
  }

  @BeforeEach
  void register(@TempDir Path folder) {
    free = folder.resolve("free");
    client = sides.register(trip);
  }

  @AfterEach
  void close() {
    sides.close();
    server.close();
  }

  /** F1. */
  @Test
  void aJobWhoseNodeProcessWasKilledIsDoneByJava() throws Exception {
    stickInNode();
    String id = sides.jobs.create(trip, NewJob.of(Map.of("n", 1)));
    sides.node().awaitJob("pack", id);
    assertThat(sides.redis.call("TTL", "lock:pack:" + id)).as("it runs out").isNotEqualTo(-1L);
    sides.node().kill();
    serve();

    assertThat(client.await(id, Sides.PATIENCE)).isTrue();
    assertThat(sides.await(FlowEvent.Recovered.class, e -> e.place().id().equals(id)).stalls())
        .isEqualTo(1);
    assertThat(sides.processing("pack")).isEmpty();
  }

  /** A worker in Node.js that is stuck in its first job, as a stopped process is. */
  private void stickInNode() {
    sides.nodeWorkers(
        trip, "pack", 1, Map.of("kind", "stuck", "until", free.toString(), "result", Map.of()));
  }

  /** F1. */
  @Test
  void aJobWhoseJavaProcessWasKilledIsDoneByAnother() throws Exception {
    String id = sides.create(trip, Map.of("n", 1));
    try (HangingWorker worker = HangingWorker.start(server.uri())) {
      assertThat(worker.awaitJob()).isEqualTo(id);
      worker.kill();
    }
    serve();

    assertThat(client.await(id, Sides.PATIENCE)).isTrue();
    assertThat(sides.await(FlowEvent.Recovered.class, e -> e.place().id().equals(id)).stalls())
        .isEqualTo(1);
  }

  /**
   * A monitor in Node.js ends a job at the first lock that it misses: it must find none. It is
   * killed before the job ends, because it reads the list and the locks one after the other, so
   * that it also takes a job for lost that ends in between, whoever works on it.
   */
  @Test
  void aMonitorInNodeDoesNoHarmToALongJobOfJava() throws Exception {
    Flow haul =
        Flow.of("haul", queue("lift").lockTime(Duration.ofSeconds(6)).next("drop"), queue("drop"));
    FlowClient porter = sides.register(haul);
    sides
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
    String id = sides.jobs.create(haul, NewJob.of(Map.of("n", 1)));
    sides.java.start();
    begun.await();
    long looks = sides.node().logs("job lists updated").size();

    untilRenewed("lock:lift:" + id, 2);
    until("20 looks", () -> sides.node().logs("job lists updated").size() >= looks + 20);
    sides.node().kill();
    go.countDown();

    assertThat(porter.await(id, Sides.PATIENCE)).isTrue();
    assertThat(sides.hash(haul, id)).doesNotContainKey("failed").containsEntry("done", "true");
    assertThat(sides.node().logs("Job lock time exceeded")).isEmpty();
  }

  /** Each time its end is put off. */
  private void untilRenewed(String lock, int times) {
    for (int i = 0; i < times; i++) {
      long[] left = {(Long) sides.redis.call("PTTL", lock)};
      until(
          "the lock was renewed",
          () -> {
            long before = left[0];
            left[0] = (Long) sides.redis.call("PTTL", lock);
            return left[0] > before;
          });
    }
  }

  /** F6, the limit: what a worker in Node.js ends late cannot be fenced from outside. */
  @Test
  void aLateEndInNodeQueuesTheNextStepOnceMore() throws Exception {
    stickInNode();
    String id = sides.jobs.create(trip, NewJob.of(Map.of("n", 1)));
    sides.node().awaitJob("pack", id);
    client.worker("pack", job -> JobResult.of("by", "java"));
    sides.java.start();
    sides.await(FlowEvent.Completed.class, e -> e.place().queue().equals("pack"));
    assertThat(sides.waiting("go")).containsExactly(id);

    Files.createFile(free);
    until(
        "Node has found that its entry is gone",
        () -> !sides.node().logs("inconsistency in complete()").isEmpty());

    assertThat(sides.hash(trip, id)).containsEntry("by", "\"java\"");
    assertThat(sides.waiting("go"))
        .as("nobody has taken it meanwhile, so that Node takes its second entry back")
        .containsExactly(id);
  }

  /**
   * F13: the npm package does not survive the loss of a connection; its process is started anew.
   */
  @Test
  void jobsOutliveARestartOfTheServer() throws Exception {
    client.workers("pack", 3, job -> JobResult.completed());
    client.workers("go", 3, job -> JobResult.completed().done());
    sides.nodeWorkers(trip, "pack", 3, Map.of("kind", "answer", "result", Map.of()));
    sides.nodeWorkers(trip, "go", 3, DONE);
    sides.java.start();
    List<String> ids = new ArrayList<>();
    ids.addAll(
        sides.jobs.createAll(
            trip, IntStream.range(0, 200).mapToObj(n -> NewJob.of(Map.of("n", n))).toList()));
    until("some are done", () -> !sides.node().jobs("go").isEmpty());

    server.restart();
    sides.node().awaitEnd();
    sides.anotherNode();
    sides.nodeWorkers(trip, "pack", 3, Map.of("kind", "answer", "result", Map.of()));
    sides.nodeWorkers(trip, "go", 3, DONE);
    ids.add(sides.create(trip, Map.of("n", 0)));

    for (String id : ids) {
      assertThat(client.await(id, Sides.PATIENCE)).as("job %s ends", id).isTrue();
      assertThat(sides.hash(trip, id)).containsEntry("done", "true").doesNotContainKey("failed");
    }
    until(
        "no entry is left",
        () ->
            Stream.of("pack", "go")
                .allMatch(
                    name -> sides.waiting(name).isEmpty() && sides.processing(name).isEmpty()));
  }

  private void serve() {
    client.worker("pack", job -> JobResult.completed());
    client.worker("go", job -> JobResult.completed().done());
    sides.java.start();
  }
}
