package io.millrace.redis.interop;

import static io.millrace.redis.interop.InteropFixture.queue;
import static io.millrace.redis.interop.InteropFixture.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.redis.FlowClient;
import io.millrace.redis.JobWorker;
import io.millrace.redis.Patience;
import io.millrace.redis.flow.Flow;
import io.millrace.redis.flow.JobResult;
import io.millrace.redis.flow.QueuePolicy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the steps of {@code docs/redis-migration.md}. */
@Timeout(300)
@Tag("interop")
class RedisMigrationTest {

  // docs:before
  private static final QueuePolicy AS_BEFORE =
      QueuePolicy.standard().stallLimit(0).handlerTimeout(Duration.ofMinutes(3));
  // docs:end

  private static final Map<String, Object> PACK =
      Map.of("kind", "answer", "result", Map.of("packed", 1));
  private static final Map<String, Object> GO =
      Map.of("kind", "answer", "result", Map.of("done", true));

  private final RedisProcess server = RedisProcess.start();
  private final InteropFixture interopFixture = new InteropFixture(server);
  private final Flow trip = Flow.of("trip", queue("pack", "n").next("go"), queue("go", "n"));
  private final Queue<String> inJava = new ConcurrentLinkedQueue<>();

  @AfterEach
  void close() {
    interopFixture.close();
    server.close();
  }

  @Test
  void aQueueMovesToJavaAndBackWhileJobsComeIn() throws Exception {
    FlowClient client = interopFixture.register(trip);
    interopFixture.java.start();
    List<String> workersInNode = interopFixture.nodeWorkers(trip, "pack", 2, PACK);
    interopFixture.nodeWorkers(trip, "go", 2, GO);
    List<String> ids = new ArrayList<>(create(50));
    until("Node.js works", () -> !interopFixture.node().jobs("pack").isEmpty());

    List<JobWorker> workersInJava =
        client.workers(
            "pack",
            2,
            job -> {
              inJava.add(job.id());
              return JobResult.of("packed", 1);
            });
    interopFixture.java.start();
    ids.addAll(create(200));
    until("Java works", () -> !inJava.isEmpty());

    interopFixture.node().call("stop", Map.of("workers", workersInNode));
    int before = interopFixture.node().jobs("pack").size();
    List<String> moved = create(50);
    awaitDone(client, moved);
    assertThat(interopFixture.node().jobs("pack")).as("Java has the queue").hasSize(before);
    ids.addAll(moved);

    for (JobWorker jobWorker : workersInJava) {
      jobWorker.stop();
    }
    interopFixture.nodeWorkers(trip, "pack", 2, PACK);
    List<String> back = create(50);
    awaitDone(client, back);
    assertThat(inJava).as("Node.js has it again").doesNotContainAnyElementsOf(back);
    ids.addAll(back);

    awaitDone(client, ids);
    List<String> packed = new ArrayList<>(inJava);
    packed.addAll(interopFixture.node().jobs("pack"));
    assertThat(packed).as("each once").containsExactlyInAnyOrderElementsOf(ids);
    assertThat(interopFixture.node().jobs("go")).containsExactlyInAnyOrderElementsOf(ids);
  }

  private List<String> create(int count) {
    List<String> ids = new ArrayList<>();
    interopFixture
        .node()
        .call("createMany", Map.of("flow", trip.name(), "count", count))
        .forEach(id -> ids.add(id.asString()));
    return ids;
  }

  private static void awaitDone(FlowClient client, List<String> ids) throws InterruptedException {
    for (String id : ids) {
      assertThat(client.await(id, Patience.LIMIT)).as("job %s ends", id).isTrue();
    }
  }

  /** The job of a worker that died fails and is not done again, as with a monitor. */
  @Test
  void aJobWhoseWorkerDiedFailsWhereThatIsWanted(@TempDir Path folder) throws Exception {
    QueuePolicy soon = AS_BEFORE.stallGrace(Duration.ofMillis(400));
    FlowClient client =
        interopFixture.register(
            Flow.of("once", queue("strike").lockTime(Duration.ofSeconds(1)).policy(soon)));
    interopFixture.java.start();
    // The worker is blocked, so that its own deadline cannot end the job.
    String never = folder.resolve("never").toString();
    interopFixture.nodeWorkers(
        client.flow(), "strike", 1, Map.of("kind", "stuck", "until", never, "result", Map.of()));
    String id = interopFixture.create(client.flow(), Map.of("n", 1));
    interopFixture.node().awaitJob("strike", id);
    interopFixture.node().kill();

    assertThat(client.await(id, Patience.LIMIT)).isTrue();
    assertThat(interopFixture.hash(client.flow(), id))
        .containsEntry("failed", "true")
        .hasEntrySatisfying("failedErrorMsg", why -> assertThat(why).contains("strike died"));
    assertThat(interopFixture.waiting("strike")).isEmpty();
  }
}
