package io.millrace.observe;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.millrace.event.EngineView;
import io.millrace.event.EngineView.Load;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;

/** Gauges of the load of running engines, read at each collection. */
final class EngineGauges {

  private final List<EngineView> engines = new CopyOnWriteArrayList<>();
  private final MeterRegistry registry;
  private final Tags tags;

  EngineGauges(MeterRegistry registry, Tags tags) {
    this.registry = registry;
    this.tags = tags;
    sum("millrace.instances.held", "Instances held by this process", Load::held);
    sum("millrace.queue.size", "Instances claimed whose handler has not begun", Load::queued);
    sum("millrace.saves.pending", "Results that are not written yet", Load::unsaved);
    sum("millrace.handlers.running", "Handlers that run", load -> load.handlers().running());
    sum("millrace.handlers.limit", "The most that run at a time", load -> load.handlers().limit());
    sum(
        "millrace.handlers.stuck",
        "Handlers beyond the threshold",
        load -> load.handlers().stuck());
    time(
        "millrace.lease.age",
        "Since the last renewal of the lease",
        () -> all(load -> seconds(load.leaseAge())).max().orElse(0));
    time(
        "millrace.lease.left",
        "Until the lease counts as lost unless it is renewed",
        () -> all(load -> seconds(load.leaseLeft())).min().orElse(0));
  }

  void add(EngineView engine) {
    engines.add(engine);
  }

  void remove(long executorId) {
    engines.removeIf(engine -> engine.executorId() == executorId);
  }

  private DoubleStream all(ToDoubleFunction<Load> value) {
    return engines.stream().map(EngineView::load).mapToDouble(value);
  }

  private void sum(String name, String description, ToDoubleFunction<Load> value) {
    Gauge.builder(name, this, gauges -> gauges.all(value).sum())
        .description(description)
        .tags(tags)
        .register(registry);
  }

  private void time(String name, String description, DoubleSupplier value) {
    TimeGauge.builder(name, this, TimeUnit.SECONDS, gauges -> value.getAsDouble())
        .description(description)
        .tags(tags)
        .register(registry);
  }

  private static double seconds(Duration time) {
    return time.toNanos() / 1e9;
  }
}
