package io.millrace.server.observe;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.millrace.Engine;
import io.millrace.EngineBuilder;
import io.millrace.definition.DefinitionDocument;
import io.millrace.definition.Next;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.instance.LogLine;
import io.millrace.instance.StartRequest;
import io.millrace.lifecycle.EngineRuntime;
import io.millrace.lifecycle.EngineSettings.Retention;
import io.millrace.server.LongLease;
import io.millrace.server.Patience;
import io.millrace.server.config.ObservabilityConfig;
import io.millrace.server.config.ObservabilityConfig.AlertCondition;
import io.millrace.store.Store;
import io.millrace.store.sql.SqlStore;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Tests all parts together, on a database. */
class ObservabilityTest {

  private static final ObservabilityConfig.Alert RULE =
      new ObservabilityConfig.Alert(
          "failures",
          AlertCondition.FAILED,
          null,
          1000,
          Duration.ofMinutes(5),
          new ObservabilityConfig.Target(URI.create("https://hooks.example/"), null, List.of()),
          Duration.ofMinutes(30));

  private final WorkflowDefinition order =
      WorkflowDefinition.of("order")
          .start(
              "reserve",
              ctx -> {
                LoggerFactory.getLogger("com.example.Shop").warn("reserving");
                return Next.done("reserved");
              })
          .build();

  @Test
  void anEngineIsSeenFromAllSides() {
    try (HikariDataSource pool = pool("all");
        Store store = SqlStore.open(pool, SqlStore.Options.DEFAULT);
        Observability observability = observability(pool, store, true, RULE)) {
      long id;
      try (Engine engine = observability.prepare(builder(store)).start()) {
        observability.start(engine);
        id = engine.client().start(StartRequest.of("order")).id();
        assertThat(engine.client().await(id, Patience.LIMIT).status().isTerminal()).isTrue();
        assertThat(engine.client().definitions())
            .extracting(DefinitionDocument::type)
            .containsExactlyInAnyOrder("order", AlertWorkflow.TYPE);
        assertThat(observability.activeAlerts()).isEmpty();
        assertThat(PrometheusExposition.parse(observability.scrape()).names())
            .contains(
                "millrace_attempts_seconds_count",
                "millrace_handlers_limit",
                "millrace_due_oldest_age_seconds",
                "hikaricp_connections",
                "jvm_memory_used_bytes");
        observability.stop();
      }
      assertThat(store.logs().lines(id, 0, 10))
          .extracting(LogLine::message)
          .containsExactly("reserving");
    }
  }

  @Test
  void withoutRulesThereIsNoWorkflowOfAlertsAndMetricsMayBeOff() {
    try (HikariDataSource pool = pool("none");
        Store store = SqlStore.open(pool, SqlStore.Options.DEFAULT);
        Observability observability = observability(pool, store, false);
        Engine engine = observability.prepare(builder(store)).start()) {
      observability.start(engine);
      assertThat(observability.scrape()).isNull();
      assertThat(engine.client().definitions())
          .extracting(DefinitionDocument::type)
          .containsExactly("order");
    }
  }

  private EngineBuilder builder(Store store) {
    return Engine.builder().store(store).workflows(order).settings(LongLease::of);
  }

  private static HikariDataSource pool(String name) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl("jdbc:h2:mem:observability-" + name + ";DB_CLOSE_DELAY=-1");
    return new HikariDataSource(config);
  }

  private static Observability observability(
      HikariDataSource pool, Store store, boolean metrics, ObservabilityConfig.Alert... rules) {
    return new Observability(
        new ObservabilityConfig(
            metrics,
            new ObservabilityConfig.Logs(200, 4000, 64_000),
            List.of(rules),
            null,
            List.of(),
            ObservabilityConfig.Status.DEFAULT),
        pool,
        store,
        "millrace",
        Retention.NONE,
        EngineRuntime.system());
  }
}
