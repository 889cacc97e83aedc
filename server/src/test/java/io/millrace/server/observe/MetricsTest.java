package io.millrace.server.observe;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.micrometer.core.instrument.Meter;
import io.millrace.Engine;
import io.millrace.definition.Next;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.event.EngineEvent;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.OperatorAction;
import io.millrace.instance.StartRequest;
import io.millrace.lifecycle.EngineClock;
import io.millrace.lifecycle.EngineRuntime;
import io.millrace.lifecycle.EngineSettings.Retention;
import io.millrace.server.LongLease;
import io.millrace.server.Patience;
import io.millrace.server.config.ObservabilityConfig;
import io.millrace.testing.MemoryStore;
import io.millrace.testing.SettableClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class MetricsTest {

  private static final Path DOCS = Path.of("..", "docs");
  private static final Pattern ROW =
      Pattern.compile("(?m)^\\| `(millrace\\.[a-z.]+)` \\| ([a-z]+) \\|([a-z`, ]*)\\|");

  @AutoClose private final Metrics metrics = new Metrics();

  private final MemoryStore store = new MemoryStore(EngineClock.system());

  @Test
  void areInTheFormatOfPrometheus() {
    work(metrics, "order");
    PrometheusExposition scraped = PrometheusExposition.parse(metrics.scrape());

    assertThat(scraped.types())
        .containsEntry("millrace_attempts_seconds", "summary")
        .containsEntry("millrace_claim_lag_seconds", "histogram")
        .containsEntry("millrace_lease_left_seconds", "gauge")
        .containsEntry("millrace_leases_lost_total", "counter")
        .containsKey("jvm_memory_used_bytes");
    assertThat(scraped.samples())
        .containsEntry(okAttempts("order"), 1.0)
        .containsEntry("millrace_saves_delayed_total", 0.0);
  }

  @Test
  void ofTwoNodesFitTogether() {
    try (Metrics other = new Metrics()) {
      work(metrics, "order");
      work(other, "order");
      work(other, "report");
      PrometheusExposition one = PrometheusExposition.parse(metrics.scrape());
      PrometheusExposition two = PrometheusExposition.parse(other.scrape());

      Set<String> shared = new HashSet<>(one.types().keySet());
      shared.retainAll(two.types().keySet());
      assertThat(shared).hasSizeGreaterThan(30);
      assertThat(shared)
          .allSatisfy(name -> assertThat(two.types()).containsEntry(name, one.types().get(name)));
      assertThat(one.samples()).containsEntry(okAttempts("order"), 1.0);
      assertThat(two.samples()).containsEntry(okAttempts("order"), 1.0);
      assertThat(two.samples()).containsEntry(okAttempts("report"), 1.0);
      assertThat(one.samples()).doesNotContainKey(okAttempts("report"));
    }
  }

  @Test
  void ofTheDatabaseAreReadWhenCollectedAndKeptForAWhile() {
    SettableClock time = SettableClock.at(Instant.EPOCH);
    DatabaseGauges.bind(store, Retention.NONE, time, metrics.registry());
    assertThat(value("millrace_due_oldest_age_seconds")).isZero();

    startOne("order");
    assertThat(scrapedNames()).doesNotContain("millrace_instances");
    time.advance(Duration.ofSeconds(15));
    metrics.scrape();
    assertThat(value("millrace_instances{status=\"created\",type=\"order\"}")).isEqualTo(1);

    startOne("order");
    assertThat(value("millrace_instances{status=\"created\",type=\"order\"}")).isEqualTo(1);
    time.advance(Duration.ofSeconds(15));
    assertThat(value("millrace_instances{status=\"created\",type=\"order\"}")).isEqualTo(2);
  }

  @Test
  void ofTheDatabaseTellForHowLongRetentionIsBehind() {
    Retention deleting = new Retention(null, Duration.ofMinutes(1), null, null);
    WorkflowDefinition order =
        WorkflowDefinition.of("order").start("reserve", ctx -> Next.done("ok")).build();
    SettableClock time = SettableClock.at(Instant.EPOCH);
    try (MemoryStore other = new MemoryStore(time)) {
      DatabaseGauges.bind(other, deleting, time, metrics.registry());
      assertThat(value("millrace_retention_overdue_seconds")).isZero();
      try (Engine engine =
          Engine.builder()
              .store(other)
              .settings(s -> s.runsInstances(false))
              .workflows(order)
              .start()) {
        long id = engine.client().start(StartRequest.of("order")).id();
        engine.client().cancel(id, OperatorAction.by("ann", "not needed"));
      }
      time.advance(Duration.ofSeconds(90));
      assertThat(value("millrace_retention_overdue_seconds")).isEqualTo(30);
    }
  }

  @Test
  void ofThePoolAreThere() throws SQLException {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl("jdbc:h2:mem:metrics");
    try (HikariDataSource pool = new HikariDataSource(config)) {
      metrics.watch(pool);
      try (Connection connection = pool.getConnection()) {
        assertThat(connection.isValid(1)).isTrue();
        assertThat(scrapedNames()).contains("hikaricp_connections_active");
      }
    }
  }

  @Test
  void areAllInTheManualWithTheirKindAndTags() throws IOException {
    everything();
    Map<String, String> registered = new TreeMap<>();
    for (Meter meter : metrics.registry().getMeters()) {
      if (meter.getId().getName().startsWith("millrace.")) {
        registered.put(meter.getId().getName(), kind(meter) + ": " + tags(meter));
      }
    }
    Map<String, String> written = new TreeMap<>();
    Matcher row = ROW.matcher(Files.readString(DOCS.resolve("observability.md")));
    while (row.find()) {
      written.put(row.group(1), row.group(2) + ": " + row.group(3).replace("`", "").strip());
    }
    assertThat(written).isEqualTo(registered);
  }

  @Test
  void areUsedByTheirNamesInTheDashboard() throws IOException {
    everything();
    String dashboard = Files.readString(DOCS.resolve("grafana").resolve("millrace.json"));
    Set<String> used = new TreeSet<>();
    Matcher name =
        Pattern.compile("\\b(?:millrace|jvm|hikaricp|process|system)_[a-z_]+").matcher(dashboard);
    while (name.find()) {
      used.add(name.group());
    }
    assertThat(used).hasSizeGreaterThan(20);
    assertThat(withPool()).containsAll(used);
  }

  private static String tags(Meter meter) {
    return meter.getId().getTags().stream()
        .map(tag -> tag.getKey())
        .sorted()
        .collect(Collectors.joining(", "));
  }

  private static String kind(Meter meter) {
    return switch (meter.getId().getType()) {
      case TIMER -> "timer";
      case COUNTER -> "counter";
      case DISTRIBUTION_SUMMARY -> "summary";
      case GAUGE -> "gauge";
      default -> meter.getId().getType().toString();
    };
  }

  /** Creates every meter. */
  private void everything() {
    work(metrics, "order");
    var listener = metrics.engine();
    listener.onEvent(new EngineEvent.ResultFenced(1, "order", 2));
    listener.onEvent(
        new EngineEvent.HandlerStuck(1, "order", "reserve", Duration.ofMinutes(2), List.of()));
    startOne("order");
    DatabaseGauges.bind(store, Retention.NONE, EngineClock.system(), metrics.registry());
    FlowQueueMonitorTest.watching(metrics.registry(), FlowQueueMonitorTest.pack(3)).close();
    new LogCapture(
            store.logs(),
            new ObservabilityConfig.Logs(1, 100, 100),
            EngineRuntime.system(),
            metrics.registry())
        .close();
  }

  private Set<String> withPool() {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl("jdbc:h2:mem:dashboard");
    try (HikariDataSource pool = new HikariDataSource(config)) {
      metrics.watch(pool);
      try (Connection connection = pool.getConnection()) {
        assertThat(connection.isValid(1)).isTrue();
        return scrapedNames();
      } catch (SQLException e) {
        throw new AssertionError(e);
      }
    }
  }

  /** Runs one instance of a workflow in an engine with these meters. */
  private static void work(Metrics metrics, String type) {
    WorkflowDefinition definition =
        WorkflowDefinition.of(type).start("reserve", ctx -> Next.done("reserved")).build();
    try (Engine engine =
        Engine.builder()
            .store(new MemoryStore(EngineClock.system()))
            .workflows(definition)
            .listener(metrics.engine())
            .settings(LongLease::of)
            .start()) {
      long id = engine.client().start(StartRequest.of(type)).id();
      assertThat(engine.client().await(id, Patience.LIMIT).status())
          .isEqualTo(InstanceStatus.FINISHED);
    }
  }

  /** Leaves one instance that no engine runs. */
  private void startOne(String type) {
    WorkflowDefinition definition =
        WorkflowDefinition.of(type).start("reserve", ctx -> Next.done("reserved")).build();
    try (Engine engine =
        Engine.builder()
            .store(store)
            .workflows(definition)
            .settings(s -> s.runsInstances(false))
            .start()) {
      engine.client().start(StartRequest.of(type));
    }
  }

  private Set<String> scrapedNames() {
    return PrometheusExposition.parse(metrics.scrape()).names();
  }

  private double value(String sample) {
    return PrometheusExposition.parse(metrics.scrape()).samples().get(sample);
  }

  private static String okAttempts(String type) {
    return "millrace_attempts_seconds_count{outcome=\"ok\",state=\"reserve\",type=\""
        + type
        + "\"}";
  }
}
