package io.millrace.redis.interop;

import static io.millrace.redis.interop.Sides.queue;
import static io.millrace.redis.interop.Sides.until;
import static io.millrace.redis.interop.Sides.watched;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.redis.FlowClient;
import io.millrace.redis.Worker;
import io.millrace.redis.flow.Flow;
import io.millrace.redis.flow.FlowEvent;
import io.millrace.redis.flow.JobResult;
import io.millrace.redis.flow.NewJob;
import io.millrace.redis.jobs.JobView;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Jobs go back and forth between Millrace and the unmodified npm package. */
class InteropTest {

  private static final Map<String, Object> DONE =
      Map.of("kind", "answer", "result", Map.of("done", true));

  private static RedisProcess server;
  private Sides sides;
  private final Flow trip =
      Flow.of(
              "trip",
              queue("pack", "n", "name").next("go"),
              queue("go", "n", "packed"),
              queue("bin"))
          .lookup("user", "tags", "amount");
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
    sides = new Sides(server);
    sides.redis.call("FLUSHALL");
    client = sides.register(trip);
  }

  @AfterEach
  void disconnect() {
    sides.close();
  }

  @Test
  void whatNodeCreatesJavaServes() throws Exception {
    client.worker(
        "pack",
        job ->
            JobResult.of("packed", job.need("n", Integer.class) + 1)
                .with("by", job.need("name", String.class)));
    client.worker("go", job -> JobResult.of("gone", job.need("packed", Integer.class)).done());
    sides.java.start();

    String id = sides.create(trip, Map.of("n", 1, "name", "Zoë 🚀", "user", "u1"));

    assertThat(client.await(id, Sides.PATIENCE)).isTrue();
    assertThat(sides.hash(trip, id))
        .containsEntry("n", "1")
        .containsEntry("packed", "2")
        .containsEntry("by", "\"Zoë 🚀\"")
        .containsEntry("gone", "2")
        .containsEntry("done", "true")
        .containsEntry("completed-queue", "\"go\"");
    assertThat(sides.processing("pack")).isEmpty();
    assertThat(sides.processing("go")).isEmpty();
    assertThat(sides.redis.call("EXISTS", "lock:pack:" + id)).isEqualTo(0L);
  }

  @Test
  void whatJavaCreatesNodeServes() throws Exception {
    sides.nodeWorkers(trip, "pack", 1, Map.of("kind", "echo", "result", Map.of("packed", 2)));
    sides.nodeWorkers(trip, "go", 1, Map.of("kind", "echo", "result", Map.of("done", true)));

    String id = sides.jobs.create(trip, NewJob.of(Map.of("n", 1.0, "name", "Zoë \"🚀\" \n")));

    assertThat(client.await(id, Sides.PATIENCE)).isTrue();
    JsonNode seen = sides.node().awaitJob("pack", id).path("job");
    assertThat(seen.path("n").toString()).isEqualTo("1");
    assertThat(seen.path("name").asString()).isEqualTo("Zoë \"🚀\" \n");
    assertThat(sides.node().awaitJob("go", id).path("job").path("packed").asInt()).isEqualTo(2);
    assertThat(sides.hash(trip, id)).containsEntry("completed-queue", "\"go\"");
  }

  @Test
  void workersOfBothOnOneQueueDoEachJobOnce() {
    int each = 500;
    Queue<String> packed = new ConcurrentLinkedQueue<>();
    Queue<String> gone = new ConcurrentLinkedQueue<>();
    client.workers(
        "pack",
        4,
        job -> {
          packed.add(job.id());
          return JobResult.of("packed", 1);
        });
    client.workers(
        "go",
        4,
        job -> {
          gone.add(job.id());
          return JobResult.completed().done();
        });
    sides.nodeWorkers(trip, "pack", 4, Map.of("kind", "answer", "result", Map.of("packed", 1)));
    sides.nodeWorkers(trip, "go", 4, DONE);
    sides.java.start();

    List<String> ids = new ArrayList<>();
    var byNode = sides.node().send("createMany", Map.of("flow", "trip", "count", each));
    ids.addAll(
        sides.jobs.createAll(
            trip, IntStream.range(0, each).mapToObj(n -> NewJob.of(Map.of("n", n))).toList()));
    byNode.join().forEach(id -> ids.add(id.asString()));

    until(
        "all jobs were served",
        () -> gone.size() + sides.node().jobs("go").size() >= ids.size() && isQuiet());
    assertThat(join(packed, sides.node().jobs("pack"))).containsExactlyInAnyOrderElementsOf(ids);
    assertThat(join(gone, sides.node().jobs("go"))).containsExactlyInAnyOrderElementsOf(ids);
    assertThat(packed).isNotEmpty();
    assertThat(sides.node().jobs("pack")).isNotEmpty();
  }

  private boolean isQuiet() {
    return sides.waiting("pack").isEmpty()
        && sides.processing("pack").isEmpty()
        && sides.waiting("go").isEmpty()
        && sides.processing("go").isEmpty();
  }

  private static List<String> join(Queue<String> one, List<String> other) {
    List<String> all = new ArrayList<>(one);
    all.addAll(other);
    return all;
  }

  @Test
  void failuresOfBothLookTheSame() throws Exception {
    Worker ofJava =
        client.worker(
            "pack",
            job -> {
              throw new IllegalStateException("no \"box\" für Zoë");
            });
    sides.java.start();
    String inJava = sides.create(trip, Map.of("user", "j"));
    assertThat(client.await(inJava, Sides.PATIENCE)).isTrue();
    sides.await(FlowEvent.Failed.class, event -> event.place().id().equals(inJava));

    ofJava.stop(); // or it would take the other job too
    sides.nodeWorkers(trip, "go", 1, Map.of("kind", "fail", "message", "no \"box\" für Zoë"));
    String inNode = sides.create(trip, Map.of("user", "n"));
    sides.redis.call("LREM", "queue:pack:waiting", "0", inNode);
    sides.redis.call("RPUSH", "queue:go:waiting", inNode);
    assertThat(client.await(inNode, Sides.PATIENCE)).isTrue();

    Map<String, String> java = sides.hash(trip, inJava);
    Map<String, String> node = sides.hash(trip, inNode);
    assertThat(java)
        .containsEntry("done", "true")
        .containsEntry("failed", "true")
        .containsEntry("failedQueue", "\"pack\"")
        .containsEntry("failedErrorMsg", node.get("failedErrorMsg"));
    assertThat(node).containsEntry("failedQueue", "\"go\"").containsEntry("failed", "true");
    assertThat(foundByNode("user", "j").path("failedErrorMsg").asString())
        .isEqualTo("no \"box\" für Zoë");
    assertThat(foundByJava("user", "n").fields().get("failed").asBoolean()).isTrue();
    until("Node has removed its entry", () -> sides.processing("go").isEmpty());
    assertThat(sides.processing("pack")).isEmpty();
    assertThat(sides.waiting("go")).isEmpty();
  }

  @Test
  void bothFindTheJobsOfTheOther() {
    Map<String, Object> fields =
        Map.of("user", "Zoë 🚀", "tags", List.of("a b", 62, "ü"), "amount", 12.5);
    String byNode = sides.create(trip, fields);
    String byJava = sides.jobs.create(trip, NewJob.of(fields));

    for (Map.Entry<String, Object> by :
        List.of(
            Map.entry("user", (Object) "Zoë 🚀"),
            Map.entry("tags", (Object) "a b"),
            Map.entry("tags", (Object) 62),
            Map.entry("tags", (Object) "ü"),
            Map.entry("amount", (Object) 12.5))) {
      assertThat(sides.jobs.find(trip, by.getKey(), by.getValue(), false).stream().map(JobView::id))
          .as("Java, %s", by)
          .containsExactly(byNode, byJava);
      List<String> node = new ArrayList<>();
      sides
          .node()
          .call("find", Map.of("flow", "trip", "attribute", by.getKey(), "value", by.getValue()))
          .forEach(job -> node.add(job.path("id").asString()));
      assertThat(node).as("Node, %s", by).containsExactly(byNode, byJava);
    }
    String correlation = sides.hash(trip, byNode).getOrDefault("correlationId", "none");
    assertThat(sides.hash(trip, byJava).getOrDefault("correlationId", "none"))
        .isEqualTo(correlation);
  }

  @Test
  void theCorrelationIdOfTheOtherIsSeen() throws Exception {
    List<String> seen = new ArrayList<>();
    client.worker(
        "pack",
        job -> {
          seen.add(job.correlationId().orElse("none"));
          return JobResult.completed();
        });
    sides.java.start();
    sides.nodeWorkers(trip, "go", 1, DONE);

    String byNode =
        sides
            .node()
            .call(
                "create",
                Map.of("flow", "trip", "fields", Map.of("user", "n"), "correlation", "c-1"))
            .asString();
    assertThat(client.await(byNode, Sides.PATIENCE)).isTrue();
    String byJava = sides.jobs.create(trip, NewJob.of(Map.of("user", "j")).correlationId("c-2"));
    assertThat(client.await(byJava, Sides.PATIENCE)).isTrue();

    assertThat(seen).containsExactly("c-1", "c-2");
    assertThat(foundByNode("user", "j").path("correlationId").asString()).isEqualTo("c-2");
  }

  @Test
  void aResultNamesTheNextQueue() throws Exception {
    client.worker("pack", job -> JobResult.completed().next("bin"));
    sides.java.start();
    sides.nodeWorkers(
        trip, "bin", 1, Map.of("kind", "answer", "result", Map.of(), "nextQueue", "go"));
    sides.nodeWorkers(trip, "go", 1, DONE);

    String id = sides.create(trip, Map.of("n", 1));

    // await() would be content with the end in bin, which has no next queue of its own.
    until("it is done", () -> "true".equals(sides.hash(trip, id).get("done")));
    assertThat(sides.node().jobs("bin")).containsExactly(id);
    assertThat(sides.node().jobs("go")).containsExactly(id);
    assertThat(sides.hash(trip, id)).doesNotContainKey("nextQueue");
  }

  @Test
  void whatOneDeletesIsGoneForTheOther() {
    String byNode = sides.create(trip, Map.of("user", "u"));
    String byJava = sides.jobs.create(trip, NewJob.of(Map.of("user", "u")));

    assertThat(sides.jobs.delete(trip, byNode)).isTrue();
    sides.node().call("delete", Map.of("flow", "trip", "job", byJava));

    assertThat(sides.jobs.get("trip", byJava)).isEmpty();
    assertThat(sides.jobs.find(trip, "user", "u", false)).isEmpty();
    assertThat(sides.node().call("find", Map.of("flow", "trip", "attribute", "user", "value", "u")))
        .isEmpty();
    assertThat(sides.waiting("pack"))
        .as("Node leaves its entry, Java does not")
        .containsExactly(byJava);

    // F11: the entry of the deleted job is dropped, and its hash is not made again.
    client.worker("pack", job -> JobResult.of("packed", 1));
    sides.java.start();
    until("the entry is dropped", () -> sides.waiting("pack").isEmpty());
    until("nobody works on it", () -> sides.processing("pack").isEmpty());
    assertThat(sides.hash(trip, byJava)).isEmpty();
    assertThat(sides.waiting("go")).isEmpty();
  }

  @Test
  void aJobThatNodeNeverCompletesComesBack() throws Exception {
    Flow back = Flow.of("back", watched("fetch", "n").next("carry"), watched("carry"));
    FlowClient porter = sides.register(back);
    sides.nodeWorkers(back, "fetch", 1, Map.of("kind", "nothing"));
    String id = sides.create(back, Map.of("n", 1));
    sides.node().awaitJob("fetch", id);
    sides.anotherNode(); // F9: the first one keeps the entry until its lock ends
    porter.worker("fetch", job -> JobResult.completed());
    porter.worker("carry", job -> JobResult.completed().done());
    sides.java.start();

    assertThat(porter.await(id, Sides.PATIENCE)).isTrue();
    FlowEvent.Recovered recovered =
        sides.await(FlowEvent.Recovered.class, event -> event.place().id().equals(id));
    assertThat(recovered.parked()).isFalse();
  }

  private JsonNode foundByNode(String attribute, Object value) {
    return sides
        .node()
        .call("find", Map.of("flow", "trip", "attribute", attribute, "value", value))
        .path(0);
  }

  private JobView foundByJava(String attribute, Object value) {
    return sides.jobs.find(trip, attribute, value, false).getFirst();
  }
}
