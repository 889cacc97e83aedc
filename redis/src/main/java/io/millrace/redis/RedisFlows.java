package io.millrace.redis;

import static io.millrace.instance.InvalidRequestException.given;

import io.millrace.lifecycle.EngineRuntime;
import io.millrace.redis.connect.Connections;
import io.millrace.redis.connect.Redis;
import io.millrace.redis.connect.RedisSettings;
import io.millrace.redis.flow.Flow;
import io.millrace.redis.flow.FlowListener;
import io.millrace.redis.jobs.Jobs;
import io.millrace.redis.wire.Dialect;
import io.millrace.redis.wire.JsText;
import io.millrace.redis.wire.Uuidv7;
import io.millrace.redis.work.Setting;
import io.millrace.redis.work.Workers;
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
  private final Dialect dialect;
  private final Workers workers;
  private final Jobs jobs;

  private RedisFlows(Redis redis, Builder builder) {
    this.redis = redis;
    this.dialect = builder.dialect;
    this.workers =
        new Workers(
            new Setting(
                redis,
                builder.dialect,
                builder.json,
                builder.runtime,
                builder.listener,
                builder.strict));
    this.jobs =
        new Jobs(
            redis,
            builder.dialect,
            builder.json,
            new Uuidv7(builder.runtime.clock(), builder.runtime.random()));
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
    workers.register(given(flow, "The flow"));
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
    workers.start();
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
      return workers.stop(given(patience, "The patience"));
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

  public Dialect dialect() {
    return dialect;
  }

  Jobs jobs() {
    return jobs;
  }

  Workers workers() {
    return workers;
  }

  void begin() {
    workers.begin();
  }

  /** How to connect. For one thread. */
  public static final class Builder {
    private @Nullable RedisSettings settings;
    private @Nullable Redis redis;
    private Dialect dialect = Dialect.V0_0_8;
    private JsText json = JsText.standard();
    private EngineRuntime runtime = EngineRuntime.system();
    private FlowListener listener = FlowListener.NONE;
    private boolean strict;

    private Builder() {}

    /** Which server; must be given, unless {@code redis} is. */
    public Builder settings(RedisSettings value) {
      settings = given(value, "The settings of Redis");
      return this;
    }

    /** In place of settings: a server of the caller's own; {@code stop} closes it. */
    public Builder redis(Redis value) {
      redis = given(value, "The Redis");
      return this;
    }

    /** That of the npm package 0.0.8 unless another one is given. */
    public Builder dialect(Dialect value) {
      dialect = given(value, "The dialect");
      return this;
    }

    /** How fields become JSON, for modules and annotations of a mapper's own. */
    public Builder json(JsText value) {
      json = given(value, "The JsText");
      return this;
    }

    /** Where clock, threads and chance come from. */
    public Builder runtime(EngineRuntime value) {
      runtime = given(value, "The runtime");
      return this;
    }

    /** Is told what happens to jobs in this process. */
    public Builder listener(FlowListener value) {
      listener = given(value, "The listener");
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
              ? Connections.open(given(settings, "The settings of Redis"), runtime)
              : redis;
      return new RedisFlows(server, this);
    }
  }
}
