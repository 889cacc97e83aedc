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
 * The observability of a server: metrics, log lines, alerts and the monitor of queues. Create it
 * when the store is open, let it prepare the engine's builder, start it with the engine, and close
 * it after the engine. Thread-safe once it is started.
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
   * Creates the parts and starts to listen to the log.
   *
   * @param pool the pool of the store
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

  /** Starts to monitor the alerts. */
  public void start(Engine engine) {
    alertMonitor.start(engine.client(), engine::executorId);
  }

  /** Starts to monitor the queues of Redis flows; must be called once only. */
  public void watch(FlowAdmin admin) {
    flows = new FlowQueueMonitor(admin::flows, runner, metrics.registry(), clock);
  }

  /**
   * Returns the reason why the Redis of the flows does not answer; empty if it does, or if there is
   * none.
   */
  public Optional<String> redisProblem() {
    FlowQueueMonitor watching = flows;
    return watching == null ? Optional.empty() : watching.problem();
  }

  /** Returns the problems of queues of Redis flows. */
  public List<FlowQueueProblem> flowTroubles() {
    FlowQueueMonitor watching = flows;
    return watching == null ? List.of() : watching.troubles();
  }

  /** Returns the metrics as {@link Metrics#MEDIA_TYPE}; null if they are disabled. */
  public @Nullable String scrape() {
    return scraped == null ? null : scraped.scrape();
  }

  /** Returns the active alerts, the newest first. */
  public List<AlertMonitor.ActiveAlert> activeAlerts() {
    return alertMonitor.activeAlerts();
  }

  /** Stops the monitor of alerts; must be called before the engine closes. */
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
