package io.millrace.redis.interop;

import static io.millrace.redis.interop.Sides.queue;
import static io.millrace.redis.interop.Sides.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.redis.FlowClient;
import io.millrace.redis.Worker;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The steps of {@code docs/redis-migration.md}. */
@Timeout(120)
class MovingTest {

  // docs:before
  private static final QueuePolicy AS_BEFORE =
      QueuePolicy.standard().stallLimit(0).maxRun(Duration.ofMinutes(3));
  // docs:end

  private static final Map<String, Object> PACK =
      Map.of("kind", "answer", "result", Map.of("packed", 1));
  private static final Map<String, Object> GO =
      Map.of("kind", "answer", "result", Map.of("done", true));

  private final RedisProcess server = RedisProcess.start();
  private final Sides sides = new Sides(server);
  private final Flow trip = Flow.of("trip", queue("pack", "n").next("go"), queue("go", "n"));
  private final Queue<String> inJava = new ConcurrentLinkedQueue<>();

  @AfterEach
  void close() {
    sides.close();
    server.close();
  }

  @Test
  void aQueueMovesToJavaAndBackWhileJobsComeIn() throws Exception {
    FlowClient client = sides.register(trip);
    sides.java.start();
    List<String> workersInNode = sides.nodeWorkers(trip, "pack", 2, PACK);
    sides.nodeWorkers(trip, "go", 2, GO);
    List<String> ids = new ArrayList<>(create(50));
    until("Node.js works", () -> !sides.node().jobs("pack").isEmpty());

    List<Worker> workersInJava =
        client.workers(
            "pack",
            2,
            job -> {
              inJava.add(job.id());
              return JobResult.of("packed", 1);
            });
    sides.java.start();
    ids.addAll(create(200));
    until("Java works", () -> !inJava.isEmpty());

    sides.node().call("stop", Map.of("workers", workersInNode));
    int before = sides.node().jobs("pack").size();
    List<String> moved = create(50);
    awaitDone(client, moved);
    assertThat(sides.node().jobs("pack")).as("Java has the queue").hasSize(before);
    ids.addAll(moved);

    for (Worker worker : workersInJava) {
      worker.stop();
    }
    sides.nodeWorkers(trip, "pack", 2, PACK);
    List<String> back = create(50);
    awaitDone(client, back);
    assertThat(inJava).as("Node.js has it again").doesNotContainAnyElementsOf(back);
    ids.addAll(back);

    awaitDone(client, ids);
    List<String> packed = new ArrayList<>(inJava);
    packed.addAll(sides.node().jobs("pack"));
    assertThat(packed).as("each once").containsExactlyInAnyOrderElementsOf(ids);
    assertThat(sides.node().jobs("go")).containsExactlyInAnyOrderElementsOf(ids);
  }

  private List<String> create(int count) {
    List<String> ids = new ArrayList<>();
    sides
        .node()
        .call("createMany", Map.of("flow", trip.name(), "count", count))
        .forEach(id -> ids.add(id.asString()));
    return ids;
  }

  private static void awaitDone(FlowClient client, List<String> ids) throws InterruptedException {
    for (String id : ids) {
      assertThat(client.await(id, Sides.PATIENCE)).as("job %s ends", id).isTrue();
    }
  }

  /** As it was with a monitor: the job of a worker that died has failed, and is not done again. */
  @Test
  void aJobWhoseWorkerDiedFailsWhereThatIsWanted(@TempDir Path folder) throws Exception {
    QueuePolicy soon = AS_BEFORE.stallGrace(Duration.ofMillis(400));
    FlowClient client =
        sides.register(
            Flow.of("once", queue("strike").lockTime(Duration.ofSeconds(1)).policy(soon)));
    sides.java.start();
    // So busy that its own deadline cannot end the job.
    String never = folder.resolve("never").toString();
    sides.nodeWorkers(
        client.flow(), "strike", 1, Map.of("kind", "stuck", "until", never, "result", Map.of()));
    String id = sides.create(client.flow(), Map.of("n", 1));
    sides.node().awaitJob("strike", id);
    sides.node().kill();

    assertThat(client.await(id, Sides.PATIENCE)).isTrue();
    assertThat(sides.hash(client.flow(), id))
        .containsEntry("failed", "true")
        .hasEntrySatisfying("failedErrorMsg", why -> assertThat(why).contains("strike died"));
    assertThat(sides.waiting("strike")).isEmpty();
  }
}
