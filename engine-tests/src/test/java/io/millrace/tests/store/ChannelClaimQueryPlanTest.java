package io.millrace.tests.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.fixtures.TestDatabase;
import io.millrace.fixtures.store.QueryPlans;
import io.millrace.store.ChannelClaimRequest;
import io.millrace.store.ChannelClaimRequest.Candidate;
import io.millrace.store.ChannelClaimResult;
import io.millrace.store.Store;
import io.millrace.store.sql.SchemaMode;
import io.millrace.store.sql.SqlStore;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests that a claim for channels reads only the claimed instances, however many wait for their
 * messages and whatever PostgreSQL's statistics say.
 */
class ChannelClaimQueryPlanTest {

  private static final int WAITING = 10_000;
  private static final int TAKEN = 20;

  /** Maximum number of rows read: each claimed instance is looked up, locked and changed. */
  private static final int MAX_READ = 10 * TAKEN;

  private static final String INSTANCES =
      """
      INSERT INTO millrace_instance (type, version, definition_id, executor_group, priority,
        state, status, next_activation_at, created_at, modified_at, entered_at, ended_at)
      SELECT 'type', 1, 1, 'group', 4, 'state', '%s', %s, now(), now(), now(), %s
      FROM generate_series(1, %s)
      """;

  /** The time of PostgreSQL's last analysis of the table. */
  enum Statistics {
    NEVER,
    BEFORE_ANY_WAITED,
    FRESH
  }

  @ParameterizedTest
  @EnumSource
  void takingReadsWhatIsTaken(Statistics statistics) {
    try (TestDatabase database = TestDatabase.postgres(2)) {
      QueryPlans queryPlans = QueryPlans.ofChanges(database.pool());
      try (Store store =
          SqlStore.open(
              queryPlans.dataSource(), new SqlStore.Options(SchemaMode.CREATE, null, false))) {
        database.execute("ALTER TABLE millrace_instance SET (autovacuum_enabled = false)");
        database.execute(INSTANCES.formatted("finished", "NULL", "now()", WAITING));
        analyze(database, statistics == Statistics.BEFORE_ANY_WAITED);
        database.execute(
            INSTANCES.formatted("created", "now() + interval '30 seconds'", "NULL", WAITING));
        analyze(database, statistics == Statistics.FRESH);

        List<Candidate> wanted =
            LongStream.range(WAITING + 1, WAITING + 1 + TAKEN)
                .mapToObj(id -> new Candidate(id, 0))
                .toList();
        List<ChannelClaimResult> results =
            store
                .instances()
                .claimForChannel(new ChannelClaimRequest(1, "group", List.of(1), wanted));

        assertThat(results).hasSize(TAKEN).hasOnlyElementsOfType(ChannelClaimResult.Claimed.class);
        assertThat(queryPlans.only().instances()).isLessThan(MAX_READ);
      }
    }
  }

  private static void analyze(TestDatabase database, boolean wanted) {
    if (wanted) {
      database.execute("ANALYZE millrace_instance");
    }
  }
}
