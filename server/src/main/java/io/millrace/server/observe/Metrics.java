package io.millrace.server.observe;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.metrics.micrometer.MicrometerMetricsTrackerFactory;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.millrace.event.EngineListener;
import io.millrace.observe.MillraceMeters;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Stream;

/** The metrics of this node, in the format of Prometheus. Thread-safe. */
public final class Metrics implements AutoCloseable {

  /** The media type of {@link #scrape}. */
  public static final String MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8";

  /**
   * The timers with histograms, so that quantiles can be computed over all nodes. They have no tag
   * for type or state, because each bucket is a series of its own.
   */
  private static final Set<String> DISTRIBUTED =
      Set.of("millrace.claims", "millrace.claim.lag", "millrace.saves");

  private static final double[] BUCKETS =
      Stream.of(1, 2, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000, 30_000, 60_000)
          .mapToDouble(millis -> Duration.ofMillis(millis).toNanos())
          .toArray();

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final JvmGcMetrics gc = new JvmGcMetrics();
  private final MillraceMeters engine;

  public Metrics() {
    registry.config().meterFilter(new Buckets());
    new JvmMemoryMetrics().bindTo(registry);
    gc.bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
    new ClassLoaderMetrics().bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
    new FileDescriptorMetrics().bindTo(registry);
    new UptimeMetrics().bindTo(registry);
    engine = MillraceMeters.to(registry);
  }

  /** Returns the registry for further meters. */
  public MeterRegistry registry() {
    return registry;
  }

  /** Returns the meters of the engine, to be registered with its builder. */
  public EngineListener engine() {
    return engine;
  }

  /** Adds the meters of a pool, which may be in use; must be called once for each pool. */
  public void watch(HikariDataSource pool) {
    pool.setMetricsTrackerFactory(new MicrometerMetricsTrackerFactory(registry));
  }

  /** Returns all meters in the text format of Prometheus. */
  public String scrape() {
    return registry.scrape();
  }

  @Override
  public void close() {
    gc.close();
    registry.close();
  }

  private static final class Buckets implements MeterFilter {
    @Override
    public DistributionStatisticConfig configure(Meter.Id id, DistributionStatisticConfig config) {
      return DISTRIBUTED.contains(id.getName())
          ? DistributionStatisticConfig.builder()
              .serviceLevelObjectives(BUCKETS)
              .build()
              .merge(config)
          : config;
    }
  }
}
