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
import io.millrace.redis.wire.RedisDialect;
import io.millrace.redis.wire.UuidV7Generator;
import io.millrace.redis.work.FlowRuntime;
import io.millrace.redis.work.WorkerContext;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The flows of a process on one Redis: register flows, make workers, start. Thread-safe.
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
  private final RedisDialect redisDialect;
  private final FlowRuntime flowRuntime;
  private final JobStore jobStore;

  private RedisFlows(Redis redis, Builder builder) {
    this.redis = redis;
    this.redisDialect = builder.redisDialect;
    this.flowRuntime =
        new FlowRuntime(
            new WorkerContext(
                redis,
                builder.redisDialect,
                builder.json,
                builder.runtime,
                builder.listener,
                builder.strict));
    this.jobStore =
        new JobStore(
            redis,
            builder.redisDialect,
            builder.json,
            new UuidV7Generator(builder.runtime.clock(), builder.runtime.random()));
  }

  /** With the standard settings; connects at the first use. */
  public static RedisFlows connect(RedisSettings settings) {
    return builder().settings(settings).connect();
  }

  public static Builder builder() {
    return new Builder();
  }

  /**
   * Makes a flow known. From {@code start} on its stalled jobs are recovered here and its delayed
   * ones come back, whether it has workers here or not.
   *
   * @throws io.millrace.instance.InvalidRequestException if another registered flow has a queue of
   *     the same name
   */
  public FlowClient register(Flow flow) {
    flowRuntime.register(requirePresent(flow, "The flow"));
    return new FlowClient(this, flow);
  }

  /**
   * Starts all workers that have not been started, and begins to tell other processes of the flows
   * and to recover their jobs. Redis need not be there yet. May be called again when there are new
   * workers; a process that only makes jobs and looks at them need not call it.
   *
   * @throws IllegalStateException after {@code stop}
   */
  public void start() {
    flowRuntime.start();
  }

  /**
   * Takes no further jobs, waits for those in hand, and closes the connections. Handlers that have
   * not returned by then are interrupted, and their jobs put back. An interrupt of the caller ends
   * the wait, and is kept. Stopping again does nothing.
   *
   * @param patience how long jobs in hand may take to end; while Redis is away, all of it may take
   *     some seconds longer
   * @return whether all handlers have returned
   */
  public boolean stop(Duration patience) {
    try {
      return flowRuntime.stop(requirePresent(patience, "The patience"));
    } finally {
      redis.close();
    }
  }

  /** Stops with a patience of 30 s. */
  @Override
  public void close() {
    stop(CLOSE);
  }

  /** The connection, for those who look at queues and jobs; closed by {@code stop}. */
  public Redis redis() {
    return redis;
  }

  public RedisDialect dialect() {
    return redisDialect;
  }

  JobStore jobs() {
    return jobStore;
  }

  FlowRuntime workers() {
    return flowRuntime;
  }

  void startLoops() {
    flowRuntime.startLoops();
  }

  /** How to connect. For one thread. */
  public static final class Builder {
    private @Nullable RedisSettings settings;
    private @Nullable Redis redis;
    private RedisDialect redisDialect = RedisDialect.V0_0_8;
    private JavaScriptJson json = JavaScriptJson.standard();
    private EngineRuntime runtime = EngineRuntime.system();
    private FlowListener listener = FlowListener.NONE;
    private boolean strict;

    private Builder() {}

    /** Which server; must be given, unless {@code redis} is. */
    public Builder settings(RedisSettings value) {
      settings = requirePresent(value, "The settings of Redis");
      return this;
    }

    /** In place of settings: a server of the caller's own; {@code stop} closes it. */
    public Builder redis(Redis value) {
      redis = requirePresent(value, "The Redis");
      return this;
    }

    /** That of the npm package 0.0.8 unless another one is given. */
    public Builder dialect(RedisDialect value) {
      redisDialect = requirePresent(value, "The dialect");
      return this;
    }

    /** How fields become JSON, for modules and annotations of a mapper's own. */
    public Builder json(JavaScriptJson value) {
      json = requirePresent(value, "The JavaScriptJson");
      return this;
    }

    /** Where clock, threads and chance come from. */
    public Builder runtime(EngineRuntime value) {
      runtime = requirePresent(value, "The runtime");
      return this;
    }

    /** Is told what happens to jobs in this process. */
    public Builder listener(FlowListener value) {
      listener = requirePresent(value, "The listener");
      return this;
    }

    /**
     * Works on jobs with nothing but the commands of the npm package: no scripts, no recovery, no
     * retries, and no fence between two commands. Locks are not renewed, so that a handler may run
     * no longer than one lives; a job has a correlation id only where its queue asks for that
     * field. Parents make their children, and look for their end, by scripts all the same.
     */
    public Builder strict(boolean value) {
      strict = value;
      return this;
    }

    /** Connects at the first use. */
    public RedisFlows connect() {
      Redis server =
          redis == null
              ? RedisConnections.open(requirePresent(settings, "The settings of Redis"), runtime)
              : redis;
      return new RedisFlows(server, this);
    }
  }
}
