package io.millrace.tests.sequence.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.fixtures.TestDatabase;
import io.millrace.fixtures.store.QueryPlans;
import io.millrace.store.SequenceStore;
import io.millrace.store.Store;
import io.millrace.store.sql.SchemaMode;
import io.millrace.store.sql.SqlStore;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that the search for ended executions looks at each running one once, whatever PostgreSQL's
 * statistics say.
 */
class FireEndQueryPlanTest {

  private static final int OPEN = 5_000;
  private static final int ENDED = 10;

  /** Maximum number of pages for each execution: an index of three levels, and a row. */
  private static final int MAX_PAGES_EACH = 6;

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void eachOpenExecutionIsLookedUp(boolean analyzed) {
    try (TestDatabase database = TestDatabase.postgres(2)) {
      QueryPlans queryPlans =
          new QueryPlans(database.pool(), sql -> sql.contains("ORDER BY r.id LIMIT"));
      try (Store store =
          SqlStore.open(
              queryPlans.dataSource(), new SqlStore.Options(SchemaMode.CREATE, null, false))) {
        database.execute("ALTER TABLE millrace_instance SET (autovacuum_enabled = false)");
        database.execute("ALTER TABLE millrace_slot_record SET (autovacuum_enabled = false)");
        database.execute(
            """
            INSERT INTO millrace_instance (type, version, definition_id, executor_group, priority,
              state, status, next_activation_at, created_at, modified_at, entered_at, ended_at)
            SELECT 'type', 1, 1, 'group', 4, 'state', 'inProgress', now(), now(), now(), now(),
              CASE WHEN i > %1$s THEN now() END
            FROM generate_series(1, %1$s + %2$s) AS i
            """
                .formatted(OPEN, ENDED));
        database.execute(
            """
            INSERT INTO millrace_slot_record (sequence_id, slot_at, fire_number, outcome, cause,
              slot_count, execution_id, recorded_at, end_recorded)
            SELECT 'w' || id, created_at, 0, 'FIRED', 'schedule', 1, id, created_at, FALSE
            FROM millrace_instance
            """);
        if (analyzed) {
          database.execute("ANALYZE millrace_instance, millrace_slot_record");
        }

        assertThat(store.role(SequenceStore.class).recordEnds(500)).isEqualTo(ENDED);

        assertThat(queryPlans.only().pages()).isLessThan((long) MAX_PAGES_EACH * OPEN);
      }
    }
  }
}
