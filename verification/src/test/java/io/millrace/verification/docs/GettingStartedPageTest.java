package io.millrace.verification.docs;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.millrace.Engine;
import io.millrace.definition.Next;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.event.EngineEvent;
import io.millrace.instance.StartRequest;
import io.millrace.store.sql.SqlStore;
import io.millrace.verification.support.Patience;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/**
 * The programs of {@code docs/getting-started.md} and {@code docs/database.md}, on a real engine.
 */
class GettingStartedPageTest {

  private final CountDownLatch ended = new CountDownLatch(1);

  private void tell(EngineEvent event) {
    if (event instanceof EngineEvent.StepSaved saved && saved.step().status().isTerminal()) {
      ended.countDown();
    }
  }

  @Test
  void anEngineRunsOnAPool() throws Exception {
    String url = "jdbc:h2:mem:gettingstarted;DB_CLOSE_DELAY=-1";
    // docs:pool
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    config.setMaximumPoolSize(12);
    // docs:end
    try (HikariDataSource pool = new HikariDataSource(config)) {
      run(pool);
    }
  }

  private void run(DataSource pool) throws Exception {
    WorkflowDefinition greeting =
        WorkflowDefinition.of("greeting")
            .start("greet", ctx -> Next.done("hello " + ctx.input(String.class)))
            .build();
    Duration limit = Patience.LIMIT;
    // docs:engine
    try (Engine engine =
        Engine.builder()
            .dataSource(pool)
            .workflows(greeting)
            .settings(settings -> settings.executorGroup("greeters").concurrency(8))
            .listener(this::tell)
            .start()) {
      long id = engine.client().start(StartRequest.of("greeting", "Ada")).id();
      String reason = engine.client().await(id, limit).position().reason();
      // docs:end
      Patience.await(ended);
      assertThat(reason).isEqualTo("hello Ada");
      ownTransaction(pool, engine);
    }
  }

  private static void ownTransaction(DataSource pool, Engine engine) throws Exception {
    // docs:transaction
    try (Connection connection = pool.getConnection()) {
      connection.setAutoCommit(false);
      try (Statement statement = connection.createStatement()) {
        statement.execute("CREATE TABLE IF NOT EXISTS orders (number varchar(20))");
        statement.execute("INSERT INTO orders VALUES ('A-17')");
      }
      engine.client().start(connection, StartRequest.of("greeting", "Grace").externalId("A-17"));
      connection.commit();
    }
    engine.wake();
    // docs:end
    assertThat(
            engine
                .client()
                .start(StartRequest.of("greeting", "Grace").externalId("A-17"))
                .created())
        .isFalse();
  }

  @Test
  void theSchemaCanBePrinted() {
    // docs:schema
    String sql = SqlStore.printSchema("postgresql");
    // docs:end
    assertThat(sql).contains("CREATE TABLE millrace_workflow ");
  }
}
