package io.millrace.server;

import io.millrace.lifecycle.EngineRuntime;
import io.millrace.lifecycle.Loop;
import io.millrace.redis.FlowClient;
import io.millrace.redis.RedisFlows;
import io.millrace.redis.ServedFlow;
import io.millrace.redis.admin.FlowAdmin;
import io.millrace.redis.connect.Redis;
import io.millrace.redis.connect.RedisConnections;
import io.millrace.redis.connect.RedisSettings;
import io.millrace.redis.flow.JobHandler;
import io.millrace.redis.jobs.JobStore;
import io.millrace.redis.jobs.JobTtlRenewer;
import io.millrace.redis.wire.JavaScriptJson;
import io.millrace.redis.wire.UuidV7Generator;
import io.millrace.server.api.FlowServices;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The Redis flows of a server: workers for the flows that it was given, and a separate connection
 * for operators, which stays open while the workers stop. Redis may be unavailable at any time.
 */
public final class ServerFlows implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ServerFlows.class);

  /**
   * Time after the grace period in which interrupted handlers return and their jobs are queued
   * again.
   */
  private static final Duration ENDING = Duration.ofSeconds(10);

  private final EngineRuntime runtime;
  private final Redis redis;
  private final FlowServices services;
  private final @Nullable RedisFlows working;
  private @Nullable Loop renewal;
  private final CountDownLatch stopped = new CountDownLatch(1);

  private ServerFlows(RedisSettings settings, EngineRuntime runtime, List<ServedFlow> works) {
    this.runtime = runtime;
    this.redis = RedisConnections.open(settings.clientName("millrace-server"), runtime);
    this.services =
        new FlowServices(
            new FlowAdmin(redis, runtime.clock()),
            new JobStore(
                redis,
                JavaScriptJson.standard(),
                new UuidV7Generator(runtime.clock(), runtime.random())));
    try {
      this.working = works.isEmpty() ? null : register(settings, runtime, works);
    } catch (RuntimeException e) {
      redis.close();
      throw e;
    }
  }

  /**
   * Opens the flows without starting workers.
   *
   * @param settings null for no Redis, and so for no flows
   * @param works the flows to work on; empty on a node that runs nothing
   */
  static @Nullable ServerFlows open(
      @Nullable RedisSettings settings, EngineRuntime runtime, List<ServedFlow> works) {
    if (settings != null) {
      return new ServerFlows(settings, runtime, works);
    }
    for (ServedFlow work : works) {
      LOG.warn("Flow {} does not run, since there is no Redis: set redis.uri", work.flow().name());
    }
    return null;
  }

  private static RedisFlows register(
      RedisSettings settings, EngineRuntime runtime, List<ServedFlow> works) {
    RedisFlows flows = RedisFlows.builder().settings(settings).runtime(runtime).connect();
    try {
      works.forEach(work -> register(flows, work));
      return flows;
    } catch (RuntimeException e) {
      flows.close();
      throw e;
    }
  }

  private static void register(RedisFlows flows, ServedFlow work) {
    FlowClient client = flows.register(work.flow());
    for (ServedFlow.WorkerPool workerPool : work.workerPools()) {
      JobHandler handler = workerPool.handler();
      if (handler == null) {
        client.parentWorkers(workerPool.queue(), workerPool.workers());
      } else {
        client.workers(workerPool.queue(), workerPool.workers(), handler);
      }
    }
  }

  /** Returns the services with which operators inspect and change flows. */
  public FlowServices services() {
    return services;
  }

  /** Starts to take jobs, and renews the jobs of all registered flows, also without workers. */
  void start() {
    renewal =
        runtime
            .runner()
            .loop(
                "millrace-flow-renewal",
                new JobTtlRenewer(redis, JavaScriptJson.standard(), runtime.clock()));
    if (working != null) {
      working.start();
    }
  }

  /**
   * Takes no further jobs from now on, and waits on another thread for the running ones.
   *
   * @param grace how long the running jobs may take
   */
  void drain(Duration grace) {
    RedisFlows flows = working;
    if (flows == null) {
      stopped.countDown();
      return;
    }
    runtime
        .runner()
        .runOnPlatform(
            "millrace-flows-stop",
            () -> {
              try {
                if (!flows.stop(grace)) {
                  LOG.warn(
                      "Handlers of Redis jobs did not end within {} and were interrupted", grace);
                }
              } finally {
                stopped.countDown();
              }
            });
  }

  /**
   * Waits until a drain has ended and the jobs of interrupted handlers are queued again.
   *
   * @param grace the grace period of the drain
   * @return false if the drain takes much longer than the grace period
   */
  boolean awaitDrained(Duration grace) throws InterruptedException {
    Duration patience = grace.plus(ENDING);
    boolean drained = stopped.await(patience.toMillis(), TimeUnit.MILLISECONDS);
    if (!drained) {
      LOG.warn(
          "The workers of Redis flows have not stopped within {}; their jobs come back when their"
              + " locks have run out",
          patience);
    }
    return drained;
  }

  /** Closes the connection for operators. */
  @Override
  public void close() {
    Loop loop = renewal;
    if (loop != null) {
      loop.stop(ENDING);
    }
    redis.close();
  }
}
