package io.millrace.redis.interop;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.lifecycle.EngineClock;
import io.millrace.lifecycle.EngineRuntime;
import io.millrace.redis.FlowClient;
import io.millrace.redis.RedisFlows;
import io.millrace.redis.connect.Redis;
import io.millrace.redis.connect.RedisConnections;
import io.millrace.redis.flow.Flow;
import io.millrace.redis.flow.JobHandler;
import io.millrace.redis.flow.JobResult;
import io.millrace.redis.flow.NewJob;
import io.millrace.redis.flow.Queue;
import io.millrace.redis.interop.RedisCommandRecorder.Command;
import io.millrace.redis.jobs.JobStore;
import io.millrace.redis.wire.JavaScriptJson;
import io.millrace.redis.wire.UuidV7Generator;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/**
 * Tests that the commands by which a job is created, and what a lease, a completion and a failure
 * store, are byte for byte those of the unmodified npm package.
 */
@Timeout(300)
@Tag("interop")
class GoldenWireTest {

  private static final Flow FLOW =
      Flow.of(
              "shop",
              Queue.of("prepare").fields("user", "n").next("pack").lockTime(Duration.ofSeconds(60)),
              Queue.of("pack").fields("user"),
              Queue.of("break").fields("user"))
          .lookup("user", "tags");

  private final RedisProcess server = RedisProcess.start();
  private final Redis redis = RedisConnections.open(server.settings(), EngineRuntime.system());
  private final NodeJsProcess node = NodeJsProcess.start(server.uri());
  private final JobStore jobStore =
      new JobStore(
          redis,
          JavaScriptJson.standard(),
          new UuidV7Generator(EngineClock.system(), new Random(1)));

  private String job = "";

  @AfterEach
  void close() {
    node.close();
    redis.close();
    server.close();
  }

  private static Map<String, Object> fields() {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("user", "J\u00f6 \"\uD83D\uDE00\" \\ \n \u2028");
    fields.put("n", 62);
    fields.put("price", 12.50);
    fields.put("huge", 1e21);
    fields.put("tiny", 1.5e-7);
    fields.put("tags", Arrays.asList("a", 1.0, true, null));
    fields.put("nothing", null);
    fields.put("deep", Map.of("list", List.of(Map.of("x", 1.0))));
    return fields;
  }

  private void nodeFlow() {
    node.call(
        "flow",
        Map.of(
            "name",
            "shop",
            "queues",
            List.of(
                Map.of(
                    "queueName", "prepare",
                    "attributesToGet", List.of("user", "n"),
                    "nextQueueName", "pack"),
                Map.of("queueName", "pack", "attributesToGet", List.of("user")),
                Map.of("queueName", "break", "attributesToGet", List.of("user"))),
            "lookup",
            List.of("user", "tags")));
  }

  private String nodeCreate() {
    JsonNode id =
        node.call("create", Map.of("flow", "shop", "fields", fields(), "correlation", "c-1"));
    return id.asString();
  }

  private String javaCreate() {
    return jobStore.create(FLOW, NewJob.of(fields()).correlationId("c-1"));
  }

  /** Returns the commands about a job, including those between MULTI and EXEC with one about it. */
  private static List<List<String>> about(String id, List<Command> all) {
    return all.stream()
        .filter(command ->
            command.mentions(id)
                || command.mentions("job:shop:")
                || List.of("MULTI", "EXEC").contains(command.name()))
        .map(command -> command.arguments().stream().map(a -> a.replace(id, "<job>")).toList())
        .toList();
  }

  @Test
  void creationIsThatOfThePackage() {
    nodeFlow();
    List<List<String>> fromNode;
    List<List<String>> fromJava;
    try (RedisCommandRecorder recorder = new RedisCommandRecorder(redis, server.port())) {
      fromNode = about(nodeCreate(), recorder.take());
      fromJava = about(javaCreate(), recorder.take());
    }

    assertThat(fromNode).hasSize(3 + 2 + 2 * 5).first().isEqualTo(List.of("MULTI"));
    assertThat(fromJava).isEqualTo(fromNode);
    assertThat(fromJava.get(1)).startsWith("HSET", "job:shop:<job>", "user");
    assertThat(fromJava.get(2)).isEqualTo(List.of("EXPIRE", "job:shop:<job>", "86400"));
    assertThat(fromJava.get(13)).isEqualTo(List.of("RPUSH", "queue:prepare:waiting", "<job>"));
  }

  /** A worker in Node.js reads the same lists and locks, whichever side has written them. */
  @Test
  void aLeaseIsStoredAsThePackageStoresIt() {
    startNode("prepare", Map.of("kind", "hang"));
    awaitLock();
    SequencedMap<String, List<String>> fromNode = stored();

    SequencedMap<String, List<String>> fromJava = new TreeMap<>();
    inJava(
        "prepare",
        job -> {
          fromJava.putAll(stored());
          return JobResult.completed();
        });

    assertThat(fromNode)
        .containsEntry("lock:prepare:<job>", List.of("<worker>"))
        .containsEntry("queue:prepare:processing", List.of("<job>"));
    assertThat(fromJava).isEqualTo(fromNode);
  }

  @Test
  void completionWithTheUsualNextQueueIsThatOfThePackage() {
    completes("prepare", Map.of(), "pack");
  }

  @Test
  void completionWithANextQueueOfTheResultIsThatOfThePackage() {
    completes("prepare", Map.of("nextQueue", "break"), "break");
  }

  @Test
  void completionOfTheLastQueueIsThatOfThePackage() {
    completes("pack", Map.of(), null);
  }

  private void completes(String queue, Map<String, Object> how, @Nullable String next) {
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("total", 12.0);
    result.put("note", "\u00fc");
    result.put("done", true);
    Map<String, Object> behaviour = new LinkedHashMap<>(how);
    behaviour.put("kind", "answer");
    behaviour.put("result", result);
    inNode(queue, behaviour);
    SequencedMap<String, List<String>> fromNode = stored();
    inJava(
        queue,
        job -> {
          JobResult.Completed completed = JobResult.of(result);
          Object other = how.get("nextQueue");
          return other == null ? completed : completed.next((String) other);
        });

    assertThat(stored()).isEqualTo(fromNode);
    assertThat(fromNode.get("job:shop:<job> expires"))
        .endsWith(
            "total",
            "12",
            "note",
            "\"\u00fc\"",
            "done",
            "true",
            "completed-queue",
            "\"" + queue + "\"");
    assertThat(fromNode.keySet().stream().filter(key -> key.startsWith("queue:")))
        .isEqualTo(next == null ? List.of() : List.of("queue:" + next + ":waiting"));
  }

  @Test
  void failureIsThatOfThePackage() {
    inNode("break", Map.of("kind", "fail", "message", "no \"way\" \u00fc"));
    SequencedMap<String, List<String>> fromNode = stored();
    inJava(
        "break",
        job -> {
          throw new IllegalStateException("no \"way\" \u00fc");
        });

    assertThat(fromNode.get("job:shop:<job> expires"))
        .contains("done", "failed", "failedQueue", "\"break\"", "failedErrorMsg");
    assertThat(fromNode.remove("lock:break:<job>")).as("the package lets it expire").isNotNull();
    assertThat(stored()).isEqualTo(fromNode);
  }

  /** Returns what the keys of the protocol hold, with each text byte for byte. */
  private SequencedMap<String, List<String>> stored() {
    SequencedMap<String, List<String>> stored = new TreeMap<>();
    for (String key : texts("KEYS", "*")) {
      if (key.startsWith("lock:")) {
        assertThat((Long) redis.call("TTL", key)).isBetween(1L, 61L);
        stored.put(key.replace(job, "<job>"), List.of("<worker>"));
      } else if (!key.startsWith("millrace:")) {
        List<String> content =
            redis.call("TYPE", key).equals("hash")
                ? texts("HGETALL", key)
                : texts("LRANGE", key, "0", "-1");
        boolean expires = (Long) redis.call("TTL", key) > 86_000;
        stored.put(
            key.replace(job, "<job>") + (expires ? " expires" : ""),
            content.stream().map(text -> text.replace(job, "<job>")).toList());
      }
    }
    return stored;
  }

  private List<String> texts(String... command) {
    return ((List<?>) redis.call(command)).stream().map(String::valueOf).toList();
  }

  private void inNode(String queue, Map<String, ?> behaviour) {
    String worker = startNode(queue, behaviour);
    awaitEnd(queue);
    node.call("stop", Map.of("workers", List.of(worker)));
  }

  /** Starts a worker in Node.js on a new job in a queue, and returns its id. */
  private String startNode(String queue, Map<String, ?> behaviour) {
    nodeFlow();
    job = nodeCreate();
    sendTo(queue, job);
    JsonNode workers =
        node.call(
            "workers",
            Map.of(
                "flow",
                "shop",
                "queue",
                queue,
                "count",
                1,
                "lock",
                60,
                "block",
                1,
                "behaviour",
                behaviour));
    return workers.get(0).asString();
  }

  private void inJava(String queue, JobHandler handler) {
    redis.call("FLUSHDB");
    job = javaCreate();
    sendTo(queue, job);
    try (RedisFlows flows = RedisFlows.connect(server.settings())) {
      FlowClient client = flows.register(FLOW);
      client.worker(queue, handler);
      flows.start();
      awaitEnd(queue);
      flows.stop(Duration.ofSeconds(20));
    }
  }

  private void awaitLock() {
    while (!Long.valueOf(1).equals(redis.call("EXISTS", "lock:prepare:" + job))) {
      LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
    }
  }

  private void sendTo(String queue, String id) {
    redis.call("LMOVE", "queue:prepare:waiting", "queue:" + queue + ":waiting", "LEFT", "RIGHT");
    assertThat(redis.call("LRANGE", "queue:" + queue + ":waiting", "0", "-1"))
        .isEqualTo(List.of(id));
  }

  private void awaitEnd(String queue) {
    while (!Long.valueOf(0).equals(redis.call("EXISTS", "queue:" + queue + ":waiting"))
        || !Long.valueOf(0).equals(redis.call("EXISTS", "queue:" + queue + ":processing"))) {
      LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
    }
  }
}
