package io.millrace.verification.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Engine;
import io.millrace.definition.Next;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.event.EngineEvent;
import io.millrace.fixtures.EventRecorder;
import io.millrace.fixtures.TestDatabase;
import io.millrace.instance.StartRequest;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Tests that a row which cannot be released, because another transaction has locked it, does not
 * cost the lease.
 */
@Timeout(300)
@Tag("races")
class LockedRowReleaseTest {

  private static final int RENEWALS = 4;

  /**
   * Statement that simulates the lost answer to a claim: the executor owns the instance without
   * knowing it.
   */
  private static final String ORPHAN =
      """
      INSERT INTO millrace_instance (type, version, definition_id, executor_group, priority, state,
        status, next_activation_at, executor_id, lease_version, attempt, created_at, modified_at, entered_at)
      SELECT type, version, definition_id, executor_group, priority, state,
        status, next_activation_at, executor_id, 1, 1, created_at, modified_at, entered_at
      FROM millrace_instance
      """;

  private final EventRecorder events = new EventRecorder();
  private final CountDownLatch release = new CountDownLatch(1);

  private final WorkflowDefinition patient =
      WorkflowDefinition.of("patient")
          .start(
              "wait",
              ctx -> {
                release.await();
                return Next.done("done");
              })
          .build();

  @Test
  void theHeartbeatGoesOn() throws Exception {
    try (TestDatabase database = TestDatabase.postgres();
        Engine engine =
            Engine.builder()
                .dataSource(database.pool())
                .workflows(patient)
                .listener(events)
                .start()) {
      long running = engine.client().start(StartRequest.of("patient")).id();
      events.await(EngineEvent.AttemptStarted.class, 1, e -> e.instanceId() == running);
      database.execute(ORPHAN);
      try (Connection holder = DriverManager.getConnection(database.url());
          Statement statement = holder.createStatement()) {
        holder.setAutoCommit(false);
        statement.execute("SELECT * FROM millrace_instance WHERE id <> " + running + " FOR UPDATE");
        awaitRenewals(database);
        holder.rollback();
      } finally {
        release.countDown();
      }
      assertThat(events.all(EngineEvent.LeaseLost.class, e -> true)).isEmpty();
    }
  }

  /** Waits for renewals, because the time that counts is that of the database. */
  private static void awaitRenewals(TestDatabase database) {
    for (int i = 0; i < RENEWALS; i++) {
      long before = renewed(database);
      while (renewed(database) == before) {
        database.execute("SELECT pg_sleep(0.1)");
      }
    }
  }

  private static long renewed(TestDatabase database) {
    return database.number(
        "SELECT CAST(extract(epoch FROM max(heartbeat_at)) * 1000 AS bigint) FROM millrace_executor");
  }
}
