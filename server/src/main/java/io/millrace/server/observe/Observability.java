package io.millrace.server.observe;

import com.zaxxer.hikari.HikariDataSource;
import io.millrace.Engine;
import io.millrace.EngineBuilder;
import io.millrace.lifecycle.EngineRuntime;
import io.millrace.lifecycle.EngineSettings.Retention;
import io.millrace.lifecycle.Runner;
import io.millrace.redis.admin.FlowAdmin;
import io.millrace.server.config.ObservabilityConfig;
import io.millrace.server.security.OutboundClient;
import io.millrace.store.Store;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * All that a server tells about itself, put together: make it when the store is open, let it
 * prepare the engine's builder, start it with the engine, close it after the engine. Thread-safe
 * once it is started.
 */
public final class Observability implements AutoCloseable {

  private final @Nullable Metrics scraped;
  private final Metrics metrics = new Metrics();
  private final LogCapture logs;
  private final AlertMonitor alertMonitor;
  private final Runner runner;
  private final InstantSource clock;
  private volatile @Nullable FlowQueueMonitor flows;

  /**
   * Begins to listen to the log.
   *
   * @param pool the store's
   */
  public Observability(
      ObservabilityConfig config,
      HikariDataSource pool,
      Store store,
      String executorGroup,
      Retention retention,
      EngineRuntime runtime) {
    scraped = config.metrics() ? metrics : null;
    runner = runtime.runner();
    clock = runtime.clock();
    metrics.watch(pool);
    DatabaseGauges.bind(store, retention, runtime.clock(), metrics.registry());
    OutboundClient outside =
        OutboundClient.allowing(Set.copyOf(config.webhookHosts()), runtime.clock());
    alertMonitor = new AlertMonitor(config, store, executorGroup, retention, outside, runtime);
    logs = new LogCapture(store.logs(), config.logs(), runtime, metrics.registry());
    logs.attach();
  }

  /** Adds listeners, an interceptor and the workflow of the alerts. */
  public EngineBuilder prepare(EngineBuilder builder) {
    return builder
        .listener(metrics.engine())
        .listener(logs)
        .interceptor(logs)
        .workflows(alertMonitor.workflows());
  }

  /** Begins to look after the alerts. */
  public void start(Engine engine) {
    alertMonitor.start(engine.client(), engine::executorId);
  }

  /** Begins to look at the queues of Redis flows; once. */
  public void watch(FlowAdmin admin) {
    flows = new FlowQueueMonitor(admin::flows, runner, metrics.registry(), clock);
  }

  /** Why the Redis of the flows does not answer; empty when it does, or there is none. */
  public Optional<String> redisProblem() {
    FlowQueueMonitor watching = flows;
    return watching == null ? Optional.empty() : watching.problem();
  }

  /** What is wrong with queues of Redis flows. */
  public List<FlowQueueProblem> flowTroubles() {
    FlowQueueMonitor watching = flows;
    return watching == null ? List.of() : watching.troubles();
  }

  /** The metrics as {@link Metrics#MEDIA_TYPE}; null where the configuration has none. */
  public @Nullable String scrape() {
    return scraped == null ? null : scraped.scrape();
  }

  /** The alerts that are on, the newest first. */
  public List<AlertMonitor.ActiveAlert> activeAlerts() {
    return alertMonitor.activeAlerts();
  }

  /** To be called before the engine closes, so that nobody looks after alerts any more. */
  public void stop() {
    alertMonitor.close();
  }

  @Override
  public void close() {
    stop();
    FlowQueueMonitor watching = flows;
    if (watching != null) {
      watching.close();
    }
    logs.close();
    metrics.close();
  }
}
