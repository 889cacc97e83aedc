package io.millrace.tests.data;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.fixtures.TestDatabase;
import io.millrace.fixtures.store.QueryPlans;
import io.millrace.store.ReduceStore;
import io.millrace.store.ReduceStore.TrimResult;
import io.millrace.store.Store;
import io.millrace.store.sql.SchemaMode;
import io.millrace.store.sql.SqlStore;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that PostgreSQL finds the old records of a group without reading the others, whatever the
 * statistics say.
 */
class ReduceQueryPlanTest {

  private static final int RECORDS = 10_000;
  private static final Duration RETENTION = Duration.ofDays(30);

  /** The groups of the test have few records that are old or too many. */
  private static final int OLD = 10;

  private static final long MAX_READ = 200;

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aTrimReadsOnlyWhatItForgetsAndDeletes(boolean analyzed) {
    try (TestDatabase database = TestDatabase.postgres(2)) {
      QueryPlans queryPlans =
          new QueryPlans(
              database.pool(),
              sql -> sql.contains("millrace_reduce_record r") && !sql.contains("COUNT"));
      try (Store store =
          SqlStore.open(
              queryPlans.dataSource(), new SqlStore.Options(SchemaMode.CREATE, null, false))) {
        insertRows(database);
        if (analyzed) {
          database.execute("ANALYZE");
        }
        ReduceStore records = store.role(ReduceStore.class);

        assertThat(records.trim("group", RETENTION, 0)).isEqualTo(new TrimResult(OLD, false));
        assertReadLittle(queryPlans);
        assertThat(records.trim("group", null, RECORDS - OLD))
            .isEqualTo(new TrimResult(OLD, false));
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
   * Inserts records that were committed at different times, of which the first {@link #OLD} are
   * old, and as many that are forgotten, of which as many are to be deleted.
   */
  private static void insertRows(TestDatabase database) {
    database.execute(
        """
        ALTER TABLE millrace_reduce_record SET (autovacuum_enabled = false);
        INSERT INTO millrace_reduce_group (id, name, generation, source_seq, created_at, modified_at)
        OVERRIDING SYSTEM VALUE VALUES (1, 'group', 1, 2, now(), now());
        INSERT INTO millrace_reduce_record (group_id, generation, key_hash, value_hash, source_seq,
          committed_at)
        SELECT 1, 1, 'k' || i, 'v', 1, CASE WHEN i <= %2$s THEN now() - INTERVAL '31 days'
            ELSE now() - INTERVAL '29 days' + i * INTERVAL '1 second' END
        FROM generate_series(1, %1$s + %2$s) i;
        INSERT INTO millrace_reduce_record (group_id, generation, key_hash, source_seq, committed_at)
        SELECT 1, 1, 'f' || i, 1, CASE WHEN i <= %2$s THEN now() - INTERVAL '70 days'
            ELSE now() - INTERVAL '40 days' + i * INTERVAL '1 second' END
        FROM generate_series(1, %1$s) i
        """
            .formatted(RECORDS, OLD));
  }
}
