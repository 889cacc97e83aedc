package io.millrace.redis.interop;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.lifecycle.EngineClock;
import io.millrace.lifecycle.EngineRuntime;
import io.millrace.redis.FlowClient;
import io.millrace.redis.RedisFlows;
import io.millrace.redis.connect.Redis;
import io.millrace.redis.connect.RedisConnections;
import io.millrace.redis.flow.Flow;
import io.millrace.redis.flow.JobResult;
import io.millrace.redis.flow.NewJob;
import io.millrace.redis.flow.Queue;
import io.millrace.redis.interop.RedisCommandRecorder.Command;
import io.millrace.redis.jobs.JobStore;
import io.millrace.redis.wire.JavaScriptJson;
import io.millrace.redis.wire.RedisDialect;
import io.millrace.redis.wire.UuidV7Generator;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/**
 * Tests that with the npm commands only, the commands that reach the server, byte for byte, are
 * those that the unmodified npm package sends for the same job. The server itself records both.
 */
@Timeout(300)
@Tag("interop")
class GoldenWireTest {

  private static final Flow FLOW =
      Flow.of(
              "shop",
              Queue.of("prepare")
                  .attributes("user", "n")
                  .next("pack")
                  .lockTime(Duration.ofSeconds(60)),
              Queue.of("pack").attributes("user"),
              Queue.of("break").attributes("user"))
          .lookup("user", "tags");

  private final RedisProcess server = RedisProcess.start();
  private final Redis redis = RedisConnections.open(server.settings(), EngineRuntime.system());
  private final RedisCommandRecorder redisCommandRecorder =
      new RedisCommandRecorder(redis, server.port());
  private final NodeJsProcess node = NodeJsProcess.start(server.uri());
  private final JobStore jobStore =
      new JobStore(
          redis,
          RedisDialect.V0_0_8,
          JavaScriptJson.standard(),
          new UuidV7Generator(EngineClock.system(), new Random(1)));

  @AfterEach
  void close() {
    node.close();
    redisCommandRecorder.close();
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
  private List<List<String>> about(String id) {
    List<Command> all = redisCommandRecorder.take();
    return all.stream()
        .filter(command ->
            command.mentions(id)
                || (command.mentions("queue:") && command.name().equals("LLEN"))
                || command.mentions("job:shop:")
                || List.of("MULTI", "EXEC").contains(command.name()))
        .map(command -> command.arguments().stream().map(a -> a.replace(id, "<job>")).toList())
        .toList();
  }

  @Test
  void creationIsThatOfThePackage() {
    nodeFlow();
    redisCommandRecorder.take();
    List<List<String>> fromNode = about(nodeCreate());
    List<List<String>> fromJava = about(javaCreate());

    assertThat(fromNode).hasSize(3 + 2 + 2 * 5).first().isEqualTo(List.of("MULTI"));
    assertThat(fromJava).isEqualTo(fromNode);
    assertThat(fromJava.get(1)).startsWith("HSET", "job:shop:<job>", "user");
    assertThat(fromJava.get(2)).isEqualTo(List.of("EXPIRE", "job:shop:<job>", "86400"));
    assertThat(fromJava.get(13)).isEqualTo(List.of("RPUSH", "queue:prepare:waiting", "<job>"));
  }

  @Test
  void leaseIsThatOfThePackage() {
    Map<String, Object> behaviour = Map.of("kind", "answer", "result", Map.of("m", 1));
    List<List<String>> fromNode = begin(nodeWorks("prepare", behaviour));
    List<List<String>> fromJava = begin(javaWorks("prepare", job -> JobResult.of("m", 1)));

    assertThat(fromNode)
        .containsExactly(
            List.of("SET", "lock:prepare:<job>", "<worker>", "EX", "61"),
            List.of("HGET", "job:shop:<job>", "user"),
            List.of("HGET", "job:shop:<job>", "n"));
    assertThat(fromJava).isEqualTo(fromNode);
  }

  /** Returns the commands about a job until a result is stored. */
  private static List<List<String>> begin(List<List<String>> commands) {
    return commands.stream()
        .takeWhile(command -> !command.getFirst().equals("HSET"))
        .map(command ->
            command.getFirst().equals("SET")
                ? List.of("SET", command.get(1), "<worker>", command.get(3), command.get(4))
                : command)
        .toList();
  }

  @Test
  void completionWithTheUsualNextQueueIsThatOfThePackage() {
    completes("prepare", Map.of(), "RPUSH queue:pack:waiting <job>");
  }

  @Test
  void completionWithANextQueueOfTheResultIsThatOfThePackage() {
    completes("prepare", Map.of("nextQueue", "break"), "RPUSH queue:break:waiting <job>");
  }

  @Test
  void completionOfTheLastQueueIsThatOfThePackage() {
    completes("pack", Map.of(), "LREM queue:pack:processing 1 <job>");
  }

  private void completes(String queue, Map<String, Object> how, String expected) {
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("total", 12.0);
    result.put("note", "\u00fc");
    result.put("done", true);
    Map<String, Object> behaviour = new LinkedHashMap<>(how);
    behaviour.put("kind", "answer");
    behaviour.put("result", result);
    List<List<String>> fromNode = end(nodeWorks(queue, behaviour), "completed-queue");
    List<List<String>> fromJava =
        end(
            javaWorks(
                queue,
                next -> {
                  JobResult.Completed completed = JobResult.of(result);
                  Object other = how.get("nextQueue");
                  return other == null ? completed : completed.next((String) other);
                }),
            "completed-queue");

    assertThat(fromNode).contains(List.of(expected.split(" ")));
    assertThat(fromJava).isEqualTo(fromNode);
  }

  @Test
  void failureIsThatOfThePackage() {
    List<List<String>> fromNode =
        end(
            nodeWorks("break", Map.of("kind", "fail", "message", "no \"way\" \u00fc")),
            "failedQueue");
    List<List<String>> fromJava =
        end(
            javaWorks(
                "break",
                job -> {
                  throw new IllegalStateException("no \"way\" \u00fc");
                }),
            "failedQueue");

    assertThat(fromNode).hasSize(2);
    assertThat(fromJava).isEqualTo(fromNode);
  }

  /** Returns the commands about a job, starting with the one that stores this field. */
  private static List<List<String>> end(List<List<String>> commands, String field) {
    for (int i = 0; i < commands.size(); i++) {
      if (commands.get(i).getFirst().equals("HSET") && commands.get(i).contains(field)) {
        return commands.subList(i, commands.size());
      }
    }
    throw new AssertionError("No " + field + " in " + commands);
  }

  private List<List<String>> nodeWorks(String queue, Map<String, ?> behaviour) {
    nodeFlow();
    String id = nodeCreate();
    sendTo(queue, id);
    redisCommandRecorder.take();
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
    awaitEnd(queue);
    node.call("stop", Map.of("workers", List.of(workers.get(0).asString())));
    return about(id);
  }

  private List<List<String>> javaWorks(String queue, io.millrace.redis.flow.JobHandler handler) {
    redis.call("FLUSHDB");
    String id = javaCreate();
    sendTo(queue, id);
    redisCommandRecorder.take();
    try (RedisFlows flows =
        RedisFlows.builder().settings(server.settings()).npmOnly(true).connect()) {
      FlowClient client = flows.register(FLOW);
      client.worker(queue, handler);
      flows.start();
      awaitEnd(queue);
      flows.stop(Duration.ofSeconds(20));
    }
    return about(id);
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
