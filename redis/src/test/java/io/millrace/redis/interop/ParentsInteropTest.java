package io.millrace.redis.interop;

import static io.millrace.redis.interop.InteropFixture.queue;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.redis.FlowClient;
import io.millrace.redis.Patience;
import io.millrace.redis.flow.Flow;
import io.millrace.redis.flow.JobResult;
import io.millrace.redis.flow.NewJob;
import io.millrace.redis.jobs.JobView;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Tests of parents of one side with children of the other. */
@Tag("interop")
class ParentsInteropTest {

  private static final Map<String, Object> PARENT =
      Map.of(
          "user",
          "u",
          "children:pack:params",
          List.of(
              Map.of("childName", "box", "n", 1),
              Map.of("childName", "box", "n", 2),
              Map.of("childName", "bag", "n", 3)));

  private static RedisProcess server;
  private InteropFixture interopFixture;
  private final Flow trip =
      Flow.of(
              "trip",
              queue("pack").next("go").children(queue("box", "n"), queue("bag", "n")),
              queue("go", "children:pack:jobs"))
          .lookup("user");
  private FlowClient client;

  @BeforeAll
  static void start() {
    server = RedisProcess.start();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @BeforeEach
  void connect() {
    interopFixture = new InteropFixture(server);
    interopFixture.redis.call("FLUSHALL");
    client = interopFixture.register(trip);
  }

  @AfterEach
  void disconnect() {
    interopFixture.close();
  }

  @Test
  void aParentInJavaWaitsForChildrenInNode() throws Exception {
    client.parentWorkers("pack", 1);
    client.worker("go", job -> JobResult.of("went", true).done());
    interopFixture.java.start();
    Map<String, Object> done =
        Map.of("kind", "answer", "result", Map.of("done", true, "packed", 1));
    interopFixture.nodeChildren(trip, "pack", "box", 1, done);
    interopFixture.nodeChildren(trip, "pack", "bag", 1, done);

    String id = interopFixture.create(trip, PARENT);

    assertThat(client.await(id, Patience.LIMIT)).isTrue();
    assertThat(interopFixture.node().jobs("pack:box")).hasSize(2);
    assertThat(interopFixture.node().jobs("pack:bag")).hasSize(1);
    assertThat(interopFixture.hash(trip, id)).containsEntry("went", "true");
    JsonNode seen =
        interopFixture
            .node()
            .call(
                "find", Map.of("flow", "trip", "attribute", "user", "value", "u", "children", true))
            .path(0)
            .path("children:pack:jobs");
    assertThat(seen.size()).isEqualTo(3);
    seen.forEach(child -> assertThat(child.path("packed").asInt()).isEqualTo(1));
  }

  @Test
  void aParentInNodeWaitsForChildrenInJava() throws Exception {
    interopFixture.nodeParents(trip, "pack", 1);
    for (String child : List.of("box", "bag")) {
      client.childWorker(
          "pack", child, job -> JobResult.of("packed", job.get("n", Integer.class)).done());
    }
    client.worker("go", job -> JobResult.completed().done());
    interopFixture.java.start();

    String id = interopFixture.jobs.create(trip, NewJob.of(PARENT));

    assertThat(client.await(id, Patience.LIMIT)).isTrue();
    List<JobView> children =
        interopFixture.jobs.findBy(trip, "user", "u", true).getFirst().children();
    assertThat(children.stream().map(child -> child.fields().get("packed").asInt()))
        .containsExactly(1, 2, 3);
    assertThat(interopFixture.node().logs("Event loop uncaught error")).isEmpty();
  }

  @Test
  void aChildThatFailsInNodeReleasesAParentInJava() throws Exception {
    client.parentWorkers("pack", 1);
    client.worker("go", job -> JobResult.completed().done());
    interopFixture.java.start();
    Map<String, Object> fails = Map.of("kind", "fail", "message", "torn");
    interopFixture.nodeChildren(trip, "pack", "box", 1, fails);
    interopFixture.nodeChildren(trip, "pack", "bag", 1, fails);

    String id = interopFixture.create(trip, PARENT);

    assertThat(client.await(id, Patience.LIMIT)).isTrue();
    assertThat(interopFixture.jobs.findBy(trip, "user", "u", true).getFirst().children())
        .allSatisfy(
            child -> assertThat(child.fields().get("failedErrorMsg").asString()).isEqualTo("torn"));
  }

  @Test
  void aChildThatFailsInJavaReleasesAParentInNode() throws Exception {
    interopFixture.nodeParents(trip, "pack", 1);
    for (String child : List.of("box", "bag")) {
      client.childWorker(
          "pack",
          child,
          job -> {
            throw new IllegalStateException("torn");
          });
    }
    client.worker("go", job -> JobResult.completed().done());
    interopFixture.java.start();

    String id = interopFixture.jobs.create(trip, NewJob.of(PARENT));

    assertThat(client.await(id, Patience.LIMIT)).isTrue();
    assertThat(interopFixture.hash(trip, id)).doesNotContainKey("failed");
  }

  /** F7: the monitor writes done as a text, for which a parent in Node.js waits forever. */
  @Test
  void aChildThatTheMonitorFailedReleasesAParentInJava() throws Exception {
    client.parentWorkers("pack", 1);
    client.worker("go", job -> JobResult.completed().done());
    client.childWorker("pack", "bag", job -> JobResult.completed().done());
    interopFixture.java.start();
    interopFixture.nodeChildren(trip, "pack", "box", 2, Map.of("kind", "hang"));
    String id =
        interopFixture.create(
            trip,
            Map.of(
                "user", "u", "children:pack:params", List.of(Map.of("childName", "box", "n", 1))));
    String child = interopFixture.node().awaitJob("pack:box");
    interopFixture.anotherNode();
    interopFixture.redis.call("DEL", "lock:pack:box:" + child);
    interopFixture
        .node()
        .call("monitor", Map.of("flow", "pack:box", "queues", List.of("pack:box"), "ms", 50));

    assertThat(client.await(id, Patience.LIMIT))
        .as(
            "parent %s, child %s",
            interopFixture.hash(trip, id),
            interopFixture.redis.call("HGETALL", "job:pack:box:" + child))
        .isTrue();
    assertThat(interopFixture.redis.call("HGET", "job:pack:box:" + child, "done"))
        .isEqualTo("\"true\"");
    assertThat(interopFixture.hash(trip, id)).containsEntry("completed-queue", "\"go\"");
  }
}
