package io.millrace.redis;

import static io.millrace.instance.InvalidRequestException.requirePresent;

import io.millrace.lifecycle.EngineRuntime;
import io.millrace.redis.connect.Redis;
import io.millrace.redis.connect.RedisConnections;
import io.millrace.redis.connect.RedisSettings;
import io.millrace.redis.flow.Flow;
import io.millrace.redis.flow.FlowListener;
import io.millrace.redis.jobs.JobStore;
import io.millrace.redis.wire.JavaScriptJson;
import io.millrace.redis.wire.UuidV7Generator;
import io.millrace.redis.work.FlowRuntime;
import io.millrace.redis.work.WorkerContext;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The flows of a process on one Redis: register flows, create workers, start. Thread-safe.
 *
 * <pre>{@code
 * try (RedisFlows flows = RedisFlows.connect(RedisSettings.of("redis://localhost"))) {
 *   FlowClient orders = flows.register(Flow.of("orders", Queue.of("check")));
 *   orders.workers("check", 10, job -> JobResult.of("valid", true));
 *   flows.start();
 *   ...
 * }
 * }</pre>
 */
public final class RedisFlows implements AutoCloseable {

  private static final Duration CLOSE = Duration.ofSeconds(30);

  private final Redis redis;
  private final FlowRuntime flowRuntime;
  private final JobStore jobStore;

  private RedisFlows(Redis redis, Builder builder) {
    this.redis = redis;
    this.flowRuntime =
        new FlowRuntime(new WorkerContext(redis, builder.json, builder.runtime, builder.listener));
    this.jobStore =
        new JobStore(
            redis,
            builder.json,
            new UuidV7Generator(builder.runtime.clock(), builder.runtime.random()));
  }

  /** Creates flows with the standard settings; they connect at the first use. */
  public static RedisFlows connect(RedisSettings settings) {
    return builder().settings(settings).connect();
  }

  public static Builder builder() {
    return new Builder();
  }

  /**
   * Registers a flow. After {@code start}, this process recovers its stalled jobs and promotes its
   * delayed jobs, whether or not it has workers.
   *
   * @throws io.millrace.instance.InvalidRequestException if another registered flow has a queue of
   *     the same name
   */
  public FlowClient register(Flow flow) {
    flowRuntime.register(requirePresent(flow, "The flow"));
    return new FlowClient(this, flow);
  }

  /**
   * Starts all workers that have not been started. It also starts to publish the flows to other
   * processes and to recover their jobs. Redis need not be available yet. Call it again after
   * creating more workers. A process that only creates and reads jobs need not call it.
   *
   * @throws IllegalStateException after {@code stop}
   */
  public void start() {
    flowRuntime.start();
  }

  /**
   * Leases no further jobs, waits for the current ones, and closes the connections. Handlers that
   * have not returned by then are interrupted, and their jobs are released. An interrupt of the
   * caller ends the wait, and stays set. A second call does nothing.
   *
   * @param patience how long current jobs may take to end; while Redis is away, stopping may take
   *     some seconds longer
   * @return true if all handlers have returned
   */
  public boolean stop(Duration patience) {
    try {
      return flowRuntime.stop(requirePresent(patience, "The patience"));
    } finally {
      redis.close();
    }
  }

  /** Stops and waits up to 30 s. */
  @Override
  public void close() {
    stop(CLOSE);
  }

  /** Returns the connection, for callers that inspect queues and jobs; {@code stop} closes it. */
  public Redis redis() {
    return redis;
  }

  JobStore jobs() {
    return jobStore;
  }

  FlowRuntime runtime() {
    return flowRuntime;
  }

  void startLoops() {
    flowRuntime.startLoops();
  }

  /** A builder of flows. For one thread. */
  public static final class Builder {
    private @Nullable RedisSettings settings;
    private @Nullable Redis redis;
    private JavaScriptJson json = JavaScriptJson.standard();
    private EngineRuntime runtime = EngineRuntime.system();
    private FlowListener listener = FlowListener.NONE;

    private Builder() {}

    /** Sets the server; required unless {@code redis} is set. */
    public Builder settings(RedisSettings value) {
      settings = requirePresent(value, "The settings of Redis");
      return this;
    }

    /** Sets a connection of the caller's own instead of settings; {@code stop} closes it. */
    public Builder redis(Redis value) {
      redis = requirePresent(value, "The Redis");
      return this;
    }

    /**
     * Sets the conversion of fields to JSON, for a mapper with modules and annotations of its own.
     */
    public Builder json(JavaScriptJson value) {
      json = requirePresent(value, "The JavaScriptJson");
      return this;
    }

    /** Sets the source of clock, threads and random numbers. */
    public Builder runtime(EngineRuntime value) {
      runtime = requirePresent(value, "The runtime");
      return this;
    }

    /** Sets the listener of the events of jobs in this process. */
    public Builder listener(FlowListener value) {
      listener = requirePresent(value, "The listener");
      return this;
    }

    /** Creates the flows, which connect at the first use. */
    public RedisFlows connect() {
      Redis server =
          redis == null
              ? RedisConnections.open(requirePresent(settings, "The settings of Redis"), runtime)
              : redis;
      return new RedisFlows(server, this);
    }
  }
}
