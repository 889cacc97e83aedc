package io.millrace.server.observe;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.TypeCount;
import io.millrace.lifecycle.EngineClock;
import io.millrace.lifecycle.EngineSettings.Retention;
import io.millrace.store.ContinuousStore;
import io.millrace.store.RetentionBacklog;
import io.millrace.store.Store;
import io.millrace.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The gauges for the whole database, the same on every node. They are read when the meters are
 * scraped, at most every 15 seconds. They are NaN while the database does not answer. Thread-safe.
 */
public final class DatabaseGauges {

  private static final Logger LOG = LoggerFactory.getLogger(DatabaseGauges.class);
  private static final long KEPT_NANOS = Duration.ofSeconds(15).toNanos();

  /**
   * Number of types above which the others share a series, since names made at run time must not
   * fill the memory.
   */
  private static final int MAX_TYPES = 200;

  private static final String OTHER = "other";

  private static final int MAX_UNHEALTHY = 1_000;
  private static final ContinuousStore.Filter UNHEALTHY =
      new ContinuousStore.Filter(null, true, null, null, true);

  private final Store store;
  private final Retention retention;
  private final EngineClock clock;
  private final MeterRegistry registry;
  private final ReentrantLock reading = new ReentrantLock();
  private final Set<Kind> registered = ConcurrentHashMap.newKeySet();
  private final Set<String> types = ConcurrentHashMap.newKeySet();
  private volatile Numbers numbers;

  private record Kind(String type, InstanceStatus status) {}

  private record Numbers(
      long readNanos,
      Map<Kind, Long> counts,
      double oldestDueSeconds,
      double unhealthy,
      double overdueSeconds) {}

  private DatabaseGauges(
      Store store, Retention retention, EngineClock clock, MeterRegistry registry) {
    this.store = store;
    this.retention = retention;
    this.clock = clock;
    this.registry = registry;
    this.numbers = unknown(clock.nanoTime() - KEPT_NANOS);
  }

  /** Adds the gauges to {@code registry}; once for each. */
  public static void bind(
      Store store, Retention retention, EngineClock clock, MeterRegistry registry) {
    DatabaseGauges gauges = new DatabaseGauges(store, retention, clock, registry);
    TimeGauge.builder(
            "millrace.due.oldest.age", () -> gauges.fresh().oldestDueSeconds, TimeUnit.SECONDS)
        .description("For how long the oldest due instance has waited; 0 for none")
        .register(registry);
    Gauge.builder("millrace.continuous.unhealthy", () -> gauges.fresh().unhealthy)
        .description("Enabled continuous workflows that do not run, or that fail repeatedly")
        .register(registry);
    TimeGauge.builder(
            "millrace.retention.overdue", () -> gauges.fresh().overdueSeconds, TimeUnit.SECONDS)
        .description("For how long an ended instance should have been archived or deleted")
        .register(registry);
    gauges.fresh();
  }

  private static Numbers unknown(long readNanos) {
    return new Numbers(readNanos, Map.of(), Double.NaN, Double.NaN, Double.NaN);
  }

  /**
   * Reads the numbers again if they are too old. A caller that collides with another one gets the
   * previous numbers.
   */
  private Numbers fresh() {
    if (clock.nanoTime() - numbers.readNanos >= KEPT_NANOS && reading.tryLock()) {
      try {
        numbers = read();
        numbers.counts.keySet().forEach(this::register);
      } finally {
        reading.unlock();
      }
    }
    return numbers;
  }

  private Numbers read() {
    try {
      Map<Kind, Long> counts = new HashMap<>();
      for (TypeCount count : store.statistics().countsByType()) {
        counts.merge(new Kind(limited(count.type()), count.status()), count.count(), Long::sum);
      }
      Instant now = store.queries().now();
      Duration age =
          store
              .statistics()
              .oldestDue()
              .map(due -> Duration.between(due, now))
              .orElse(Duration.ZERO);
      int unhealthy = store.role(ContinuousStore.class).list(UNHEALTHY, null, MAX_UNHEALTHY).size();
      Duration overdue =
          RetentionBacklog.find(store.retention(), retention, now, Duration.ZERO)
              .map(RetentionBacklog::overdue)
              .orElse(Duration.ZERO);
      return new Numbers(
          clock.nanoTime(),
          Map.copyOf(counts),
          Math.max(0, age.toNanos() / 1e9),
          unhealthy,
          overdue.toNanos() / 1e9);
    } catch (StoreException e) {
      LOG.debug("The numbers about the database could not be read", e);
      return unknown(clock.nanoTime());
    }
  }

  private String limited(String type) {
    return types.contains(type) || (types.size() < MAX_TYPES && types.add(type)) ? type : OTHER;
  }

  private void register(Kind kind) {
    if (registered.add(kind)) {
      Gauge.builder("millrace.instances", () -> value(kind))
          .description("Instances that have not ended, and failed ones")
          .tags("type", kind.type, "status", kind.status.code())
          .register(registry);
    }
  }

  private double value(Kind kind) {
    Numbers now = fresh();
    return Double.isNaN(now.oldestDueSeconds) ? Double.NaN : now.counts.getOrDefault(kind, 0L);
  }
}
