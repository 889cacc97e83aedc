package io.millrace.tests.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.millrace.fixtures.ConditionPoller;
import io.millrace.fixtures.TestDatabase;
import io.millrace.fixtures.store.StoredSequenceSpec;
import io.millrace.instance.OperatorAction;
import io.millrace.store.OperatorCommand;
import io.millrace.store.OperatorStore.CommandResult;
import io.millrace.store.SequenceStore;
import io.millrace.store.Store;
import io.millrace.store.sql.SchemaMode;
import io.millrace.store.sql.SqlStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the order in which a retry locks the row of a fire and the instance. */
class ReopeningLockTest {

  private static final Instant SLOT = Instant.parse("2026-01-01T00:00:01Z");

  private static final String WAITING_ON_POSTGRESQL =
      """
      SELECT COUNT(*) FROM pg_stat_activity
      WHERE datname = CURRENT_DATABASE() AND wait_event_type = 'Lock'
      """;

  private static final String WAITING_ON_H2 =
      "SELECT COUNT(*) FROM INFORMATION_SCHEMA.SESSIONS WHERE BLOCKER_ID IS NOT NULL";

  /**
   * A transaction that fires a sequence locks the fire before it cancels the execution: a retry
   * that held the instance while it waits for the fire would be in a deadlock with it.
   */
  @ParameterizedTest
  @ValueSource(strings = {"postgresql", "h2"})
  void aRetryWaitsForTheFireWithoutHoldingTheInstance(String kind) throws Exception {
    boolean h2 = kind.equals("h2");
    try (TestDatabase database = h2 ? TestDatabase.h2() : TestDatabase.postgres(4);
        Store store =
            SqlStore.open(database.pool(), new SqlStore.Options(SchemaMode.NONE, null, false));
        Connection other = database.pool().getConnection()) {
      long execution = StoredSequenceSpec.addAndFire(store, SLOT);
      database.execute(
          "UPDATE millrace_instance SET status = 'failed', next_activation_at = NULL,"
              + " ended_at = created_at");
      assertThat(store.role(SequenceStore.class).recordEnds(10)).isEqualTo(1);
      other.setAutoCommit(false);
      lock(other, "SELECT id FROM millrace_slot_record FOR UPDATE");

      FutureTask<CommandResult> retry =
          new FutureTask<>(() ->
              store
                  .operators()
                  .apply(execution, new OperatorCommand.Retry(), OperatorAction.by("ann")));
      Thread.ofPlatform().start(retry);
      ConditionPoller.await(
          "the retry waits for a lock",
          () -> database.number(h2 ? WAITING_ON_H2 : WAITING_ON_POSTGRESQL) > 0);
      assertThatCode(() -> lock(other, "SELECT id FROM millrace_instance FOR UPDATE NOWAIT"))
          .as("the lock of the instance")
          .doesNotThrowAnyException();
      other.rollback();

      assertThat(retry.get()).isInstanceOf(CommandResult.Applied.class);
    }
  }

  private static void lock(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.executeQuery(sql).close();
    }
  }
}
