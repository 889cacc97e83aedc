package io.millrace.tests.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.fixtures.TestDatabase;
import io.millrace.fixtures.store.QueryPlans;
import io.millrace.store.Store;
import io.millrace.store.sql.SchemaMode;
import io.millrace.store.sql.SqlStore;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that a batch of the archive on PostgreSQL does not read the ended children of parents that
 * keep them, whatever the statistics say.
 */
class ArchiveQueryPlanTest {

  private static final int KEPT = 20_000;
  private static final int ROOTS = 300;
  private static final int ORPHANS = 150;
  private static final int BATCH = 100;

  /**
   * Maximum number of pages: some for each instance of a batch, but not one for each kept child.
   */
  private static final long MAX_PAGES = 1_500;

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aBatchReadsNoChildrenThatStay(boolean analyzed) {
    try (TestDatabase database = TestDatabase.postgres(2)) {
      QueryPlans queryPlans =
          new QueryPlans(database.pool(), sql -> sql.contains("FOR UPDATE SKIP LOCKED"));
      try (Store store =
          SqlStore.open(
              queryPlans.dataSource(), new SqlStore.Options(SchemaMode.CREATE, null, false))) {
        database.execute("ALTER TABLE millrace_instance SET (autovacuum_enabled = false)");
        insert(database, "1", "inProgress", "NULL", "NULL");
        insert(database, "1", "failed", "NULL", "now()");
        insert(database, "generate_series(1, %s)".formatted(KEPT), "finished", "1 + i % 2", OLDEST);
        insert(database, "generate_series(1, %s)".formatted(ROOTS), "finished", "NULL", OLD);
        insert(database, "generate_series(1, %s)".formatted(ORPHANS), "finished", "-1", OLD);
        if (analyzed) {
          database.execute("ANALYZE millrace_instance");
        }

        int archived = 0;
        for (int batch = BATCH; batch == BATCH; archived += batch) {
          batch = store.retention().archive(Duration.ofDays(30), BATCH);
          assertThat(queryPlans.all())
              .isNotEmpty()
              .allSatisfy(queryPlan -> assertThat(queryPlan.pages()).isLessThan(MAX_PAGES));
        }

        assertThat(archived).isEqualTo(ROOTS + ORPHANS);
        assertThat(database.number("SELECT count(*) FROM millrace_instance")).isEqualTo(KEPT + 2);
      }
    }
  }

  private static final String OLDEST = "now() - INTERVAL '50 days' + i * INTERVAL '1 second'";
  private static final String OLD = "now() - INTERVAL '40 days' + i * INTERVAL '1 second'";

  private static void insert(
      TestDatabase database, String rows, String status, String parent, String ended) {
    database.execute(
        """
        INSERT INTO millrace_instance (type, version, definition_id, executor_group, priority,
          state, status, parent_id, created_at, modified_at, entered_at, ended_at)
        SELECT 'type', 1, 1, 'group', 4, 'state', '%s', %s, now(), now(), now(), %s
        FROM (SELECT %s AS i) i
        """
            .formatted(status, parent, ended, rows));
  }
}
