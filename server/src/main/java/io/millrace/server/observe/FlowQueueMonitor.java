package io.millrace.server.observe;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.millrace.lifecycle.Loop;
import io.millrace.lifecycle.Runner;
import io.millrace.redis.admin.FlowView;
import io.millrace.redis.admin.QueueView;
import io.millrace.redis.connect.RedisReplyException;
import io.millrace.redis.connect.RedisUnavailableException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A monitor that reads the queues of Redis flows every ten seconds, so that meters need not wait
 * for Redis. Thread-safe.
 */
public final class FlowQueueMonitor implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(FlowQueueMonitor.class);
  private static final Duration PAUSE = Duration.ofSeconds(10);
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /**
   * Upper limit of the queues with meters, since names made at run time must not fill the memory.
   */
  private static final int MAX_QUEUES = 200;

  private final Supplier<List<FlowView>> flows;
  private final MeterRegistry registry;
  private final Set<String> registered = ConcurrentHashMap.newKeySet();
  private final FlowQueueAnalyzer judge;
  private final Loop loop;
  private volatile Map<String, QueueView> queues = Map.of();
  private volatile List<FlowQueueProblem> troubles = List.of();
  private volatile @Nullable String problem;

  /**
   * Starts to monitor.
   *
   * @param flows reads the flows from Redis
   */
  FlowQueueMonitor(
      Supplier<List<FlowView>> flows, Runner runner, MeterRegistry registry, InstantSource clock) {
    this.flows = flows;
    this.judge = new FlowQueueAnalyzer(clock);
    this.registry = registry;
    Gauge.builder("millrace.flow.reachable", () -> problem == null ? 1 : 0)
        .description("1 while Redis answers, 0 while it does not")
        .register(registry);
    this.loop = runner.loop("millrace-flow-watch", this::tick);
  }

  /** Returns the reason why Redis did not answer the last time; empty if it did. */
  Optional<String> problem() {
    return Optional.ofNullable(problem);
  }

  /** Returns the problems of queues at the last observation; empty while Redis does not answer. */
  List<FlowQueueProblem> troubles() {
    return problem == null ? troubles : List.of();
  }

  private Duration tick() {
    try {
      Map<String, QueueView> now = new HashMap<>();
      flows.get().forEach(flow -> flow.queues().forEach(q -> now.put(q.queue().name(), q)));
      queues = Map.copyOf(now);
      troubles = judge.analyze(now.values());
      now.keySet().forEach(this::register);
      if (problem != null) {
        LOG.info("Redis answers again");
      }
      problem = null;
    } catch (RedisUnavailableException | RedisReplyException e) {
      if (problem == null) {
        LOG.warn("The Redis of the flows does not answer: {}", e.getMessage());
      }
      problem = String.valueOf(e.getMessage());
    }
    return PAUSE;
  }

  private void register(String queue) {
    if (registered.contains(queue) || registered.size() >= MAX_QUEUES || !registered.add(queue)) {
      return;
    }
    jobs(queue, "waiting", view -> view.counts().waiting());
    jobs(queue, "processing", view -> view.counts().processing());
    jobs(queue, "delayed", view -> view.counts().delayed());
    jobs(queue, "dead", view -> view.counts().dead());
    Gauge.builder("millrace.flow.oldest.age", () -> value(queue, FlowQueueMonitor::oldest))
        .description("Since the job was made that is next in a queue of a Redis flow")
        .baseUnit("seconds")
        .tags("queue", queue)
        .register(registry);
    Gauge.builder("millrace.flow.workers", () -> value(queue, view -> view.workers().workers()))
        .description("Workers of a queue of a Redis flow that beat")
        .tags("queue", queue)
        .register(registry);
    ended(queue, "completed", view -> view.throughput().completed());
    ended(queue, "failed", view -> view.throughput().failed());
    FunctionCounter.builder(
            "millrace.flow.expired", this, watch -> watch.total(queue, v -> v.expired().total()))
        .description("Jobs that expired or were deleted while they were in a queue of a Redis flow")
        .tags("queue", queue)
        .register(registry);
  }

  /** Returns the age of the oldest waiting job in seconds; 0 if none waits. */
  private static double oldest(QueueView view) {
    Duration oldest = view.counts().oldest();
    return oldest == null ? 0 : oldest.toMillis() / 1000.0;
  }

  private void jobs(String queue, String list, ToDoubleFunction<QueueView> count) {
    Gauge.builder("millrace.flow.jobs", () -> value(queue, count))
        .description("Jobs of a queue of a Redis flow")
        .tags("queue", queue, "list", list)
        .register(registry);
  }

  private void ended(String queue, String outcome, ToDoubleFunction<QueueView> count) {
    FunctionCounter.builder("millrace.flow.finished", this, watch -> watch.total(queue, count))
        .description("Jobs that workers of Millrace have ended in a queue, in all processes")
        .tags("queue", queue, "outcome", outcome)
        .register(registry);
  }

  /**
   * Returns the last observed number, also while Redis is unavailable, since counters never
   * decrease.
   */
  private double total(String queue, ToDoubleFunction<QueueView> of) {
    QueueView view = queues.get(queue);
    return view == null ? 0 : of.applyAsDouble(view);
  }

  /** Returns the last observed number; NaN while Redis does not answer. */
  private double value(String queue, ToDoubleFunction<QueueView> of) {
    QueueView view = queues.get(queue);
    return view == null || problem != null ? Double.NaN : of.applyAsDouble(view);
  }

  @Override
  public void close() {
    loop.stop(PATIENCE);
  }
}
