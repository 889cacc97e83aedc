package io.millrace.tests.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.fixtures.TestDatabase;
import io.millrace.fixtures.store.QueryPlans;
import io.millrace.store.RetentionStore;
import io.millrace.store.Store;
import io.millrace.store.sql.SchemaMode;
import io.millrace.store.sql.SqlStore;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that the removal of an instance in parts on PostgreSQL reads only the rows of the part,
 * whatever the statistics say.
 */
class RemovalQueryPlanTest {

  private static final int ROWS = 20_000;
  private static final int OTHERS = 200;
  private static final Duration AGE = Duration.ofDays(30);

  /**
   * Maximum number of rows read: some for each row of a part, but not one for each row of the
   * instance.
   */
  private static final long MAX_READ = RetentionStore.ROWS_PER_INSTANCE * 6L;

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aPartReadsNoOtherRows(boolean analyzed) {
    try (TestDatabase database = TestDatabase.postgres(2)) {
      QueryPlans queryPlans =
          QueryPlans.ofUpdates(
              database.pool(), sql -> sql.contains("_workflow_") || sql.contains("_archive_"));
      try (Store store =
          SqlStore.open(
              queryPlans.dataSource(), new SqlStore.Options(SchemaMode.CREATE, null, false))) {
        insertRows(database);
        if (analyzed) {
          database.execute("ANALYZE");
        }
        for (int part = 0; part < 10; part++) {
          assertThat(store.retention().archive(AGE, 1)).isEqualTo(1);
          assertReadLittle(queryPlans);
        }
        assertThat(database.number("SELECT count(*) FROM millrace_archive_history"))
            .isEqualTo(10L * RetentionStore.ROWS_PER_INSTANCE);

        while (store.retention().archive(AGE, 100) > 0) {}
        assertThat(database.number("SELECT count(*) FROM millrace_history")).isEqualTo(ROWS);
        assertThat(database.number("SELECT count(*) FROM millrace_archive_history"))
            .isEqualTo(ROWS);
        queryPlans.all();
        for (int part = 0; part < 10; part++) {
          assertThat(store.retention().deleteArchived(AGE, 1)).isEqualTo(1);
          assertReadLittle(queryPlans);
        }
        assertThat(store.retention().overdueArchived(AGE)).isPresent();
        assertReadLittle(queryPlans);
      }
    }
  }

  private static void assertReadLittle(QueryPlans queryPlans) {
    assertThat(queryPlans.all())
        .isNotEmpty()
        .allSatisfy(queryPlan -> assertThat(queryPlan.rows()).isLessThan(MAX_READ));
  }

  /**
   * Inserts one old instance with many rows in each table, and as many rows of others that stay.
   */
  private static void insertRows(TestDatabase database) {
    database.execute(
        """
        ALTER TABLE millrace_history SET (autovacuum_enabled = false);
        ALTER TABLE millrace_archive_history SET (autovacuum_enabled = false);
        INSERT INTO millrace_instance (id, type, version, definition_id, executor_group, priority,
          state, status, created_at, modified_at, entered_at, ended_at)
        SELECT i, 'type', 1, 1, 'group', 4, 'state', 'finished', now(), now(), now(),
          CASE WHEN i = 1 THEN now() - INTERVAL '40 days' ELSE now() END
        FROM generate_series(1, %2$s + 1) i;
        INSERT INTO millrace_history (instance_id, seq, type, from_state, to_state,
          lease_version, attempt, started_at, ended_at)
        SELECT w.id, i, 'stateExecution', 'state', 'state', 1, 1, now(), now()
        FROM generate_series(1, %1$s) i, LATERAL (VALUES (1), (2 + i %% %2$s)) AS w(id);
        INSERT INTO millrace_variable (instance_id, name, value)
        SELECT 1, 'v' || i, '1' FROM generate_series(1, %1$s / 10) i;
        INSERT INTO millrace_message (instance_id, kind, name, sent_at)
        SELECT 1, 'signal', 'paid', now() FROM generate_series(1, %1$s / 10) i;
        INSERT INTO millrace_step (instance_id, entered_seq, name, result, created_at)
        SELECT 1, 0, 's' || i, '1', now() FROM generate_series(1, %1$s / 10) i;
        INSERT INTO millrace_log (instance_id, attempt, seq, logged_at, level, logger, message)
        SELECT 1, 1, 1, now(), 'INFO', 'logger', 'text' FROM generate_series(1, %1$s / 10) i
        """
            .formatted(ROWS, OTHERS));
  }
}
