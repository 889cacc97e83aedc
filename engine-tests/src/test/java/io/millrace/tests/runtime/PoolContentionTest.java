package io.millrace.tests.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.millrace.Engine;
import io.millrace.definition.Next;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.event.EngineEvent;
import io.millrace.fixtures.ConditionPoller;
import io.millrace.fixtures.TestDatabase;
import io.millrace.instance.InstanceQuery;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.StartRequest;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Tests that handlers which exhaust the pool of their engine do not keep it from renewing its
 * lease.
 */
@Timeout(300)
@Tag("races")
class PoolContentionTest {

  private static final int INSTANCES = 100;

  private static Next hold(HikariDataSource pool) throws Exception {
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("SELECT pg_sleep(0.8)");
      return Next.done("held a connection");
    }
  }

  @Test
  void noLeaseIsLostWhileHandlersWaitForThePool() throws Exception {
    List<EngineEvent> lost = new CopyOnWriteArrayList<>();
    try (TestDatabase database = TestDatabase.postgres();
        HikariDataSource pool = database.open(10);
        Engine engine =
            Engine.builder()
                .dataSource(pool)
                .workflows(WorkflowDefinition.of("hold").start("held", ctx -> hold(pool)).build())
                .settings(
                    s -> s.concurrency(64).lease(Duration.ofSeconds(3), Duration.ofMillis(500)))
                .listener(event -> {
                  if (event instanceof EngineEvent.LeaseLost) {
                    lost.add(event);
                  }
                })
                .start();
        Engine client =
            Engine.builder()
                .dataSource(database.pool())
                .settings(s -> s.runsInstances(false))
                .start()) {
      client.client().startAll(Collections.nCopies(INSTANCES, StartRequest.of("hold")));
      ConditionPoller.await(
          "all instances have ended",
          () ->
              client
                      .client()
                      .search(InstanceQuery.all().status(InstanceStatus.FINISHED).limit(INSTANCES))
                      .items()
                      .size()
                  == INSTANCES);
      assertThat(lost).isEmpty();
      assertThat(database.number("SELECT COUNT(*) FROM millrace_history WHERE attempt > 1"))
          .isZero();
      assertThat(engine.executorId()).isNotNull();
    }
  }
}
