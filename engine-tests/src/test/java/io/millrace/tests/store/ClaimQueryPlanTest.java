package io.millrace.tests.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.fixtures.TestDatabase;
import io.millrace.fixtures.store.QueryPlans;
import io.millrace.instance.StartRequest;
import io.millrace.store.ClaimRequest;
import io.millrace.store.ClaimResult;
import io.millrace.store.ExecutorStore;
import io.millrace.store.Store;
import io.millrace.store.sql.SchemaMode;
import io.millrace.store.sql.SqlStore;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests that a claim and the recovery of a dead executor read only their own instances, beside many
 * that have ended, are not due or belong to another executor, whatever PostgreSQL's statistics say.
 */
@ParameterizedClass(name = "{0}")
@EnumSource
class ClaimQueryPlanTest {

  /** The time of PostgreSQL's last analysis of the tables. */
  enum Statistics {
    NEVER,
    BEFORE_ANY_STARTED,
    FRESH
  }

  private static final int MANY = 10_000;
  private static final int TAKEN = 20;

  /**
   * Maximum number of rows read: some for each instance that is taken, and the next hundred for the
   * next due time.
   */
  private static final int MAX_READ = 10 * TAKEN;

  private static final int LIVE = 1;
  private static final int DEAD = 2;

  private final Statistics statistics;
  private final TestDatabase database = TestDatabase.postgres(2);
  private final QueryPlans queryPlans =
      QueryPlans.ofUpdates(database.pool(), sql -> sql.contains("millrace_instance"));
  private final Store store =
      SqlStore.open(queryPlans.dataSource(), new SqlStore.Options(SchemaMode.CREATE, null, false));

  ClaimQueryPlanTest(Statistics statistics) {
    this.statistics = statistics;
  }

  @BeforeEach
  void insertRows() {
    database.execute("ALTER TABLE millrace_instance SET (autovacuum_enabled = false)");
    insertExecutors();
    insertInstances(MANY, "finished", "NULL", "NULL", "now()");
    analyze(Statistics.BEFORE_ANY_STARTED);
    insertInstances(MANY, "created", "now() + interval '1 day'", "NULL", "NULL");
    insertInstances(MANY, "inProgress", "now()", "" + LIVE, "NULL");
    insertInstances(TAKEN, "inProgress", "now()", "" + DEAD, "NULL");
    insertInstances(2 * TAKEN, "created", "now()", "NULL", "NULL");
    analyze(Statistics.FRESH);
  }

  /** Inserts a live executor, one whose lease has expired, and many that were recovered. */
  private void insertExecutors() {
    database.execute(
        """
        INSERT INTO millrace_executor (id, host, pid, executor_group, definition_ids, version,
          started_at, heartbeat_at, expires_at, recovered_at)
        SELECT i, 'host', i, 'group', '1', '1', now(), now(),
          now() + CASE WHEN i = %s THEN interval '1 day' ELSE interval '-1 day' END,
          CASE WHEN i > %s THEN now() END
        FROM generate_series(1, 50) i
        """
            .formatted(LIVE, DEAD));
  }

  private void insertInstances(
      int count, String status, String due, String executor, String ended) {
    database.execute(
        """
        INSERT INTO millrace_instance (type, version, definition_id, executor_group, priority,
          state, status, next_activation_at, executor_id, created_at, modified_at, entered_at,
          ended_at)
        SELECT 'type', 1, 1, 'group', 4, 'state', '%s', %s, %s, now(), now(), now(), %s
        FROM generate_series(1, %s)
        """
            .formatted(status, due, executor, ended, count));
  }

  private void analyze(Statistics time) {
    if (statistics == time) {
      database.execute("ANALYZE");
    }
  }

  @AfterEach
  void close() {
    store.close();
    database.close();
  }

  @Test
  void aClaimReadsWhatIsDue() {
    List<Instant> start = Collections.nCopies(StartRequest.MAX_PRIORITY + 1, Instant.EPOCH);

    assertThat(claim(List.of()).claimed()).hasSize(TAKEN);
    assertReadLittle();
    assertThat(claim(start).claimed()).hasSize(TAKEN);
    assertReadLittle();
    assertThat(claim(List.of()).claimed()).isEmpty();
    assertReadLittle();
    assertThat(claim(start).claimed()).isEmpty();
    assertReadLittle();
  }

  private ClaimResult claim(List<Instant> dueFrom) {
    return store.instances().claim(new ClaimRequest(LIVE, "group", List.of(1), TAKEN, dueFrom));
  }

  @Test
  void aRecoveryReadsWhatTheDeadExecutorOwns() {
    ExecutorStore executors = store.executors();

    assertThat(executors.expired("group")).containsExactly((long) DEAD);
    assertReadLittle();
    assertThat(executors.recover(DEAD, LIVE, TAKEN, 3)).hasSize(TAKEN);
    assertReadLittle();
    assertThat(executors.recover(DEAD, LIVE, TAKEN, 3)).isEmpty();
    assertReadLittle();
    assertThat(executors.expired("group")).isEmpty();
  }

  private void assertReadLittle() {
    assertThat(queryPlans.all())
        .isNotEmpty()
        .allSatisfy(queryPlan -> assertThat(queryPlan.rows()).isLessThan(MAX_READ));
  }
}
