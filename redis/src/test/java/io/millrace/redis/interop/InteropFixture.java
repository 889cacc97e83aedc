package io.millrace.redis.interop;

import io.millrace.lifecycle.EngineRuntime;
import io.millrace.redis.FlowClient;
import io.millrace.redis.RedisFlows;
import io.millrace.redis.connect.Redis;
import io.millrace.redis.flow.Flow;
import io.millrace.redis.flow.FlowEvent;
import io.millrace.redis.flow.Queue;
import io.millrace.redis.flow.QueuePolicy;
import io.millrace.redis.jobs.JobStore;
import io.millrace.redis.support.ServerConditions;
import io.millrace.redis.wire.JavaScriptJson;
import io.millrace.redis.wire.UuidV7Generator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/** Millrace and the npm package on one Redis, with the same flows. */
final class InteropFixture implements AutoCloseable {

  final RedisProcess server;
  final RedisFlows java;
  final Redis redis;
  final JobStore jobs;
  final List<FlowEvent> events = new CopyOnWriteArrayList<>();
  private final List<Flow> flows = new ArrayList<>();
  private NodeJsProcess node;

  InteropFixture(RedisProcess server) {
    this.server = server;
    java = RedisFlows.builder().settings(server.settings()).listener(events::add).connect();
    redis = java.redis();
    EngineRuntime runtime = EngineRuntime.system();
    jobs =
        new JobStore(
            redis,
            JavaScriptJson.standard(),
            new UuidV7Generator(runtime.clock(), runtime.random()));
    node = NodeJsProcess.start(server.uri());
  }

  /** Returns a queue whose workers are never considered dead, however slow the machine is. */
  static Queue queue(String name, String... fields) {
    Duration ages = Duration.ofMinutes(2);
    return Queue.of(name)
        .fields(fields)
        .lockTime(ages)
        .blockTimeout(Duration.ofSeconds(1))
        .policy(QueuePolicy.standard().stallGrace(ages));
  }

  /** Returns a queue whose dead workers are noticed soon. */
  static Queue watched(String name, String... fields) {
    return queue(name, fields)
        .lockTime(Duration.ofSeconds(1))
        .policy(QueuePolicy.standard().stallGrace(Duration.ofMillis(400)));
  }

  NodeJsProcess node() {
    return node;
  }

  /** Starts another process of Node.js in place of one that has ended. */
  NodeJsProcess anotherNode() {
    node.close();
    node = NodeJsProcess.start(server.uri());
    flows.forEach(this::tellNode);
    return node;
  }

  FlowClient register(Flow flow) {
    flows.add(flow);
    tellNode(flow);
    return java.register(flow);
  }

  /** Creates a job in Node.js. */
  String create(Flow flow, Map<String, ?> fields) {
    return node.call("create", Map.of("flow", flow.name(), "fields", fields)).asString();
  }

  /** Starts workers in Node.js whose locks and waits are as long as those of the queue. */
  List<String> nodeWorkers(Flow flow, String queue, int count, Map<String, ?> behaviour) {
    return ids("workers", flow, queue, count, Map.of("behaviour", behaviour));
  }

  List<String> nodeParents(Flow flow, String queue, int count) {
    return ids("parents", flow, queue, count, Map.of());
  }

  List<String> nodeChildren(
      Flow flow, String queue, String child, int count, Map<String, ?> behaviour) {
    return ids("children", flow, queue, count, Map.of("child", child, "behaviour", behaviour));
  }

  private List<String> ids(
      String command, Flow flow, String queue, int count, Map<String, ?> more) {
    Map<String, Object> arguments = new HashMap<>();
    arguments.put("flow", flow.name());
    arguments.put("queue", queue);
    arguments.put("count", count);
    arguments.put("block", flow.queue(queue).blockTimeout().toSeconds());
    arguments.put("lock", flow.queue(queue).lockTime().toSeconds());
    arguments.putAll(more);
    List<String> ids = new ArrayList<>();
    node.call(command, arguments).forEach(id -> ids.add(id.asString()));
    return ids;
  }

  private void tellNode(Flow flow) {
    node.call(
        "flow",
        Map.of(
            "name", flow.name(),
            "lookup", flow.lookup(),
            "queues", flow.queues().stream().map(InteropFixture::options).toList()));
  }

  private static Map<String, Object> options(Queue queue) {
    Map<String, Object> options = new LinkedHashMap<>();
    options.put("queueName", queue.name());
    options.put("attributesToGet", queue.fields());
    if (queue.next() != null) {
      options.put("nextQueueName", queue.next());
    }
    options.put("children", queue.children().stream().map(InteropFixture::options).toList());
    return options;
  }

  /** Returns the texts of a job's hash, as stored. */
  Map<String, String> hash(Flow flow, String id) {
    List<?> texts = (List<?>) redis.call("HGETALL", "job:" + flow.name() + ":" + id);
    Map<String, String> hash = new LinkedHashMap<>();
    for (int i = 0; i < texts.size(); i += 2) {
      hash.put((String) texts.get(i), (String) texts.get(i + 1));
    }
    return hash;
  }

  List<String> waiting(String queue) {
    return list("queue:" + queue + ":waiting");
  }

  List<String> processing(String queue) {
    return list("queue:" + queue + ":processing");
  }

  private List<String> list(String key) {
    return ((List<?>) redis.call("LRANGE", key, "0", "-1")).stream().map(String::valueOf).toList();
  }

  /** Waits for a change that Node.js makes on the server, which nothing announces. */
  static void until(String what, BooleanSupplier condition) {
    ServerConditions.until(what, condition);
  }

  <T extends FlowEvent> T await(Class<T> type, Predicate<T> which) {
    until(
        type.getSimpleName(),
        () -> events.stream().anyMatch(e -> type.isInstance(e) && which.test(type.cast(e))));
    return events.stream()
        .filter(type::isInstance)
        .map(type::cast)
        .filter(which)
        .findFirst()
        .orElseThrow();
  }

  @Override
  public void close() {
    node.close();
    java.stop(Duration.ofSeconds(1));
  }
}
