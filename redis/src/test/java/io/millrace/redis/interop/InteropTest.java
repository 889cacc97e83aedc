package io.millrace.redis.interop;

import static io.millrace.redis.interop.InteropFixture.queue;
import static io.millrace.redis.interop.InteropFixture.until;
import static io.millrace.redis.interop.InteropFixture.watched;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.redis.FlowClient;
import io.millrace.redis.JobWorker;
import io.millrace.redis.Patience;
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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Tests of jobs that go back and forth between Millrace and the unmodified npm package. */
@Tag("interop")
class InteropTest {

  private static final Map<String, Object> DONE =
      Map.of("kind", "answer", "result", Map.of("done", true));

  private static RedisProcess server;
  private InteropFixture interopFixture;
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
    interopFixture = new InteropFixture(server);
    interopFixture.redis.call("FLUSHALL");
    client = interopFixture.register(trip);
  }

  @AfterEach
  void disconnect() {
    interopFixture.close();
  }

  @Test
  void whatNodeCreatesJavaServes() throws Exception {
    client.worker(
        "pack",
        job ->
            JobResult.of("packed", job.get("n", Integer.class) + 1)
                .with("by", job.get("name", String.class)));
    client.worker("go", job -> JobResult.of("gone", job.get("packed", Integer.class)).done());
    interopFixture.java.start();

    String id = interopFixture.create(trip, Map.of("n", 1, "name", "Zoë 🚀", "user", "u1"));

    assertThat(client.await(id, Patience.LIMIT)).isTrue();
    assertThat(interopFixture.hash(trip, id))
        .containsEntry("n", "1")
        .containsEntry("packed", "2")
        .containsEntry("by", "\"Zoë 🚀\"")
        .containsEntry("gone", "2")
        .containsEntry("done", "true")
        .containsEntry("completed-queue", "\"go\"");
    assertThat(interopFixture.processing("pack")).isEmpty();
    assertThat(interopFixture.processing("go")).isEmpty();
    assertThat(interopFixture.redis.call("EXISTS", "lock:pack:" + id)).isEqualTo(0L);
  }

  @Test
  void whatJavaCreatesNodeServes() throws Exception {
    interopFixture.nodeWorkers(
        trip, "pack", 1, Map.of("kind", "echo", "result", Map.of("packed", 2)));
    interopFixture.nodeWorkers(
        trip, "go", 1, Map.of("kind", "echo", "result", Map.of("done", true)));

    String id =
        interopFixture.jobs.create(trip, NewJob.of(Map.of("n", 1.0, "name", "Zoë \"🚀\" \n")));

    assertThat(client.await(id, Patience.LIMIT)).isTrue();
    JsonNode seen = interopFixture.node().awaitJob("pack", id).path("job");
    assertThat(seen.path("n").toString()).isEqualTo("1");
    assertThat(seen.path("name").asString()).isEqualTo("Zoë \"🚀\" \n");
    assertThat(interopFixture.node().awaitJob("go", id).path("job").path("packed").asInt())
        .isEqualTo(2);
    assertThat(interopFixture.hash(trip, id)).containsEntry("completed-queue", "\"go\"");
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
    interopFixture.nodeWorkers(
        trip, "pack", 4, Map.of("kind", "answer", "result", Map.of("packed", 1)));
    interopFixture.nodeWorkers(trip, "go", 4, DONE);
    interopFixture.java.start();

    List<String> ids = new ArrayList<>();
    var byNode = interopFixture.node().send("createMany", Map.of("flow", "trip", "count", each));
    ids.addAll(
        interopFixture.jobs.createAll(
            trip, IntStream.range(0, each).mapToObj(n -> NewJob.of(Map.of("n", n))).toList()));
    byNode.join().forEach(id -> ids.add(id.asString()));

    until(
        "all jobs were served",
        () -> gone.size() + interopFixture.node().jobs("go").size() >= ids.size() && isQuiet());
    assertThat(join(packed, interopFixture.node().jobs("pack")))
        .containsExactlyInAnyOrderElementsOf(ids);
    assertThat(join(gone, interopFixture.node().jobs("go")))
        .containsExactlyInAnyOrderElementsOf(ids);
    assertThat(packed).isNotEmpty();
    assertThat(interopFixture.node().jobs("pack")).isNotEmpty();
  }

  private boolean isQuiet() {
    return interopFixture.waiting("pack").isEmpty()
        && interopFixture.processing("pack").isEmpty()
        && interopFixture.waiting("go").isEmpty()
        && interopFixture.processing("go").isEmpty();
  }

  private static List<String> join(Queue<String> one, List<String> other) {
    List<String> all = new ArrayList<>(one);
    all.addAll(other);
    return all;
  }

  @Test
  void failuresOfBothLookTheSame() throws Exception {
    JobWorker ofJava =
        client.worker(
            "pack",
            job -> {
              throw new IllegalStateException("no \"box\" für Zoë");
            });
    interopFixture.java.start();
    String inJava = interopFixture.create(trip, Map.of("user", "j"));
    assertThat(client.await(inJava, Patience.LIMIT)).isTrue();
    interopFixture.await(FlowEvent.Failed.class, event -> event.job().id().equals(inJava));

    ofJava.stop(); // otherwise it would lease the other job too
    interopFixture.nodeWorkers(
        trip, "go", 1, Map.of("kind", "fail", "message", "no \"box\" für Zoë"));
    String inNode = interopFixture.create(trip, Map.of("user", "n"));
    interopFixture.redis.call("LREM", "queue:pack:waiting", "0", inNode);
    interopFixture.redis.call("RPUSH", "queue:go:waiting", inNode);
    assertThat(client.await(inNode, Patience.LIMIT)).isTrue();

    Map<String, String> java = interopFixture.hash(trip, inJava);
    Map<String, String> node = interopFixture.hash(trip, inNode);
    assertThat(java)
        .containsEntry("done", "true")
        .containsEntry("failed", "true")
        .containsEntry("failedQueue", "\"pack\"")
        .containsEntry("failedErrorMsg", node.get("failedErrorMsg"));
    assertThat(node).containsEntry("failedQueue", "\"go\"").containsEntry("failed", "true");
    assertThat(foundByNode("user", "j").path("failedErrorMsg").asString())
        .isEqualTo("no \"box\" für Zoë");
    assertThat(foundByJava("user", "n").fields().get("failed").asBoolean()).isTrue();
    until("Node has removed its entry", () -> interopFixture.processing("go").isEmpty());
    assertThat(interopFixture.processing("pack")).isEmpty();
    assertThat(interopFixture.waiting("go")).isEmpty();
  }

  @Test
  void bothFindTheJobsOfTheOther() {
    Map<String, Object> fields =
        Map.of("user", "Zoë 🚀", "tags", List.of("a b", 62, "ü"), "amount", 12.5);
    String byNode = interopFixture.create(trip, fields);
    String byJava = interopFixture.jobs.create(trip, NewJob.of(fields));

    for (Map.Entry<String, Object> by :
        List.of(
            Map.entry("user", (Object) "Zoë 🚀"),
            Map.entry("tags", (Object) "a b"),
            Map.entry("tags", (Object) 62),
            Map.entry("tags", (Object) "ü"),
            Map.entry("amount", (Object) 12.5))) {
      assertThat(
              interopFixture.jobs.findBy(trip, by.getKey(), by.getValue(), false).stream()
                  .map(JobView::id))
          .as("Java, %s", by)
          .containsExactly(byNode, byJava);
      List<String> node = new ArrayList<>();
      interopFixture
          .node()
          .call("find", Map.of("flow", "trip", "attribute", by.getKey(), "value", by.getValue()))
          .forEach(job -> node.add(job.path("id").asString()));
      assertThat(node).as("Node, %s", by).containsExactly(byNode, byJava);
    }
    String correlation = interopFixture.hash(trip, byNode).getOrDefault("correlationId", "none");
    assertThat(interopFixture.hash(trip, byJava).getOrDefault("correlationId", "none"))
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
    interopFixture.java.start();
    interopFixture.nodeWorkers(trip, "go", 1, DONE);

    String byNode =
        interopFixture
            .node()
            .call(
                "create",
                Map.of("flow", "trip", "fields", Map.of("user", "n"), "correlation", "c-1"))
            .asString();
    assertThat(client.await(byNode, Patience.LIMIT)).isTrue();
    String byJava =
        interopFixture.jobs.create(trip, NewJob.of(Map.of("user", "j")).correlationId("c-2"));
    assertThat(client.await(byJava, Patience.LIMIT)).isTrue();

    assertThat(seen).containsExactly("c-1", "c-2");
    assertThat(foundByNode("user", "j").path("correlationId").asString()).isEqualTo("c-2");
  }

  @Test
  void aResultNamesTheNextQueue() throws Exception {
    client.worker("pack", job -> JobResult.completed().next("bin"));
    interopFixture.java.start();
    interopFixture.nodeWorkers(
        trip, "bin", 1, Map.of("kind", "answer", "result", Map.of(), "nextQueue", "go"));
    interopFixture.nodeWorkers(trip, "go", 1, DONE);

    String id = interopFixture.create(trip, Map.of("n", 1));

    // await() would return after the end in bin, which has no next queue of its own.
    until("it is done", () -> "true".equals(interopFixture.hash(trip, id).get("done")));
    assertThat(interopFixture.node().jobs("bin")).containsExactly(id);
    assertThat(interopFixture.node().jobs("go")).containsExactly(id);
    assertThat(interopFixture.hash(trip, id)).doesNotContainKey("nextQueue");
  }

  @Test
  void whatOneDeletesIsGoneForTheOther() {
    String byNode = interopFixture.create(trip, Map.of("user", "u"));
    String byJava = interopFixture.jobs.create(trip, NewJob.of(Map.of("user", "u")));

    assertThat(interopFixture.jobs.delete(trip, byNode)).isTrue();
    interopFixture.node().call("delete", Map.of("flow", "trip", "job", byJava));

    assertThat(interopFixture.jobs.find("trip", byJava)).isEmpty();
    assertThat(interopFixture.jobs.findBy(trip, "user", "u", false)).isEmpty();
    assertThat(
            interopFixture
                .node()
                .call("find", Map.of("flow", "trip", "attribute", "user", "value", "u")))
        .isEmpty();
    assertThat(interopFixture.waiting("pack"))
        .as("Node leaves its entry, Java does not")
        .containsExactly(byJava);

    // F11: the entry of the deleted job is dropped, and its hash is not created again.
    client.worker("pack", job -> JobResult.of("packed", 1));
    interopFixture.java.start();
    until("the entry is dropped", () -> interopFixture.waiting("pack").isEmpty());
    until("nobody works on it", () -> interopFixture.processing("pack").isEmpty());
    assertThat(interopFixture.hash(trip, byJava)).isEmpty();
    assertThat(interopFixture.waiting("go")).isEmpty();
  }

  @Test
  void aJobThatNodeNeverCompletesComesBack() throws Exception {
    Flow back = Flow.of("back", watched("fetch", "n").next("carry"), watched("carry"));
    FlowClient porter = interopFixture.register(back);
    interopFixture.nodeWorkers(back, "fetch", 1, Map.of("kind", "nothing"));
    String id = interopFixture.create(back, Map.of("n", 1));
    interopFixture.node().awaitJob("fetch", id);
    interopFixture.anotherNode(); // F9: the first one keeps the entry until its lock ends
    porter.worker("fetch", job -> JobResult.completed());
    porter.worker("carry", job -> JobResult.completed().done());
    interopFixture.java.start();

    assertThat(porter.await(id, Patience.LIMIT)).isTrue();
    FlowEvent.Recovered recovered =
        interopFixture.await(FlowEvent.Recovered.class, event -> event.job().id().equals(id));
    assertThat(recovered.failed()).isFalse();
  }

  private JsonNode foundByNode(String field, Object value) {
    return interopFixture
        .node()
        .call("find", Map.of("flow", "trip", "attribute", field, "value", value))
        .path(0);
  }

  private JobView foundByJava(String field, Object value) {
    return interopFixture.jobs.findBy(trip, field, value, false).getFirst();
  }
}
