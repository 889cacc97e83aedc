package io.millrace.redis.work;

import io.millrace.lifecycle.EngineRuntime;
import io.millrace.redis.Patience;
import io.millrace.redis.flow.Flow;
import io.millrace.redis.flow.FlowEvent;
import io.millrace.redis.flow.JobHandler;
import io.millrace.redis.flow.Queue;
import io.millrace.redis.support.TestRedis;
import io.millrace.redis.wire.JavaScriptJson;
import io.millrace.redis.wire.MillraceKeys;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * Workers of a process on a real server, with jobs that are created by plain commands, as Node.js
 * does.
 */
final class WorkerFixture implements AutoCloseable {

  final TestRedis server;
  final Flow flow;
  final FlowRuntime workers;
  final WorkerContext setting;
  final BlockingQueue<FlowEvent> events = new LinkedBlockingQueue<>();

  /** Creates a fixture with the connection of the given server. */
  WorkerFixture(TestRedis server, Flow flow) {
    this.server = server;
    this.flow = flow;
    this.setting =
        new WorkerContext(
            server.redis(), JavaScriptJson.standard(), EngineRuntime.system(), events::add);
    this.workers = new FlowRuntime(setting);
    workers.register(flow);
  }

  /** Returns a flow of queues with these names that lead to each other. */
  static Flow flow(TestRedis server, String... names) {
    List<Queue> queues = new ArrayList<>();
    for (int i = 0; i < names.length; i++) {
      Queue queue = Queue.of(server.name(names[i])).fields("n");
      queues.add(i + 1 < names.length ? queue.next(server.name(names[i + 1])) : queue);
    }
    return Flow.of(server.name("flow"), queues.toArray(Queue[]::new));
  }

  QueueKeys keys(int queue) {
    return QueueKeys.allOf(flow).get(queue);
  }

  /** Creates a job with the field n, in the first queue. */
  String create(Object n) {
    return create(UUID.randomUUID().toString(), Map.of("n", String.valueOf(n)));
  }

  String create(String id, Map<String, String> texts) {
    List<String> fields = new ArrayList<>(List.of("HSET", keys(0).job(id)));
    texts.forEach((name, text) -> {
      fields.add(name);
      fields.add(text);
    });
    server.redis().call(fields.toArray(String[]::new));
    server.redis().call("EXPIRE", keys(0).job(id), "86400");
    server.redis().call("RPUSH", keys(0).waiting(), id);
    return id;
  }

  QueueWorker worker(int queue, JobHandler handler) {
    return workers.worker(keys(queue).name(), handler);
  }

  String field(String id, String name) {
    return (String) server.redis().call("HGET", keys(0).job(id), name);
  }

  List<?> list(String key) {
    return (List<?>) server.redis().call("LRANGE", key, "0", "-1");
  }

  List<?> waiting(int queue) {
    return list(keys(queue).waiting());
  }

  List<?> processing(int queue) {
    return list(keys(queue).processing());
  }

  String lock(int queue, String id) {
    return (String) server.redis().call("GET", keys(queue).lock(id));
  }

  List<?> dead(int queue) {
    return (List<?>)
        server.redis().call("ZRANGE", MillraceKeys.dead(keys(queue).name()), "0", "-1");
  }

  /** Returns the next event of a kind; earlier events are dropped. */
  <T extends FlowEvent> T await(Class<T> kind) throws InterruptedException {
    return await(kind, event -> true);
  }

  <T extends FlowEvent> T await(Class<T> kind, Predicate<T> condition) throws InterruptedException {
    while (true) {
      FlowEvent event = events.poll(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS);
      if (event == null) {
        throw new AssertionError("No " + kind.getSimpleName() + " within " + Patience.LIMIT);
      }
      if (kind.isInstance(event) && condition.test(kind.cast(event))) {
        return kind.cast(event);
      }
    }
  }

  @Override
  public void close() {
    workers.stop(Duration.ofSeconds(2));
    server.close();
  }
}
