package io.millrace.tests.continuous.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.fixtures.Proxies;
import io.millrace.fixtures.TestDatabase;
import io.millrace.fixtures.store.QueryPlans;
import io.millrace.instance.ExecutorInfo;
import io.millrace.store.ContinuousStore;
import io.millrace.store.Store;
import io.millrace.store.sql.SchemaMode;
import io.millrace.store.sql.SqlStore;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that an executor's scan of its continuous workflows reads only those that need an action,
 * however many it owns and whatever PostgreSQL's statistics say.
 */
class ContinuousQueryPlanTest {

  private static final Duration HOUR = Duration.ofHours(1);
  private static final int IDLE = 10_000;
  private static final int CONCERNED = 20;

  /** Maximum number of pages to look up a row through an index or two. */
  private static final int MAX_PAGES = 12;

  /**
   * Maximum number of pages for each changed row: its index entries, the row, its execution, and
   * earlier versions.
   */
  private static final int PAGES_EACH = 12;

  private static final String WORKFLOWS =
      """
      INSERT INTO millrace_continuous_workflow (name, executor_group, type, settings, enabled, enable_count,
        executor_id, epoch, series, generation, series_started_at, run_started_at, run_mode, run_reason,
        iteration_count, created_at, modified_at)
      SELECT 'w' || lpad(i::text, 6, '0'), 'group', 'type', '{}', TRUE, 1, %s, 1, 1, 1,
        now() - interval '2 hours', now() - interval '2 hours', 'AutoStart', 'DEPLOY', 0, now(),
        now()
      FROM generate_series(1, %s) AS i
      """;

  private static long executor(Store store) {
    return store
        .executors()
        .register(new ExecutorInfo.Identity("host", 1, "group", List.of(1), "1.0"), HOUR);
  }

  private static void fill(TestDatabase database, long executor, boolean analyzed) {
    database.execute("ALTER TABLE millrace_continuous_workflow SET (autovacuum_enabled = false)");
    database.execute("ALTER TABLE millrace_instance SET (autovacuum_enabled = false)");
    database.execute(WORKFLOWS.formatted(executor, IDLE));
    database.execute(
        """
        INSERT INTO millrace_instance (type, version, definition_id, executor_group, priority,
          state, status, next_activation_at, created_at, modified_at, entered_at)
        SELECT 'other', 1, 1, 'group', 4, 'state', 'inProgress', now(), now(), now(), now()
        FROM generate_series(1, 10000)
        """);
    if (analyzed) {
      database.execute("ANALYZE millrace_continuous_workflow, millrace_instance");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aLookAtIdleWorkflowsReadsNone(boolean analyzed) {
    try (TestDatabase database = TestDatabase.postgres(2)) {
      QueryPlans queryPlans =
          new QueryPlans(database.pool(), sql -> sql.contains("millrace_continuous_workflow"));
      try (Store store =
          SqlStore.open(
              queryPlans.dataSource(), new SqlStore.Options(SchemaMode.CREATE, null, false))) {
        ContinuousStore continuous = store.role(ContinuousStore.class);
        long executor = executor(store);
        fill(database, executor, analyzed);
        queryPlans.all();

        assertThat(pages(queryPlans, () -> continuous.unowned("group", executor, 500)))
            .isLessThan(MAX_PAGES);
        assertThat(pages(queryPlans, () -> continuous.changed(executor))).isLessThan(MAX_PAGES);
        assertThat(pages(queryPlans, () -> continuous.acknowledgeEnded(executor, List.of())))
            .isLessThan(MAX_PAGES);
        assertThat(
                pages(
                    queryPlans,
                    () -> continuous.continueAsNew(executor, List.of(), HOUR, "HOURLY")))
            .isLessThan(MAX_PAGES);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aLookReadsWhatIsConcerned(boolean analyzed) {
    try (TestDatabase database = TestDatabase.postgres(2)) {
      QueryPlans queryPlans =
          new QueryPlans(
              database.pool(), sql -> sql.contains("FROM millrace_continuous_workflow a"));
      try (Store store =
          SqlStore.open(
              queryPlans.dataSource(), new SqlStore.Options(SchemaMode.CREATE, null, false))) {
        ContinuousStore continuous = store.role(ContinuousStore.class);
        long executor = executor(store);
        fill(database, executor, analyzed);
        concern(database, 0, "executor_id = NULL");
        concern(database, 1, "attention = TRUE");
        concern(database, 2, "iteration_count = 1");
        concern(database, 3, "execution_id = 1000000");
        queryPlans.all();

        assertFew(queryPlans, () -> continuous.unowned("group", executor, 500));
        assertFew(queryPlans, () -> continuous.changed(executor));
        assertFew(queryPlans, () -> continuous.continueAsNew(executor, List.of(), HOUR, "HOURLY"));
        assertFew(queryPlans, () -> continuous.acknowledgeEnded(executor, List.of()));
      }
    }
  }

  private static void assertFew(QueryPlans queryPlans, Supplier<List<?>> look) {
    assertThat(look.get()).hasSize(CONCERNED);
    assertThat(queryPlans.all().getFirst().pages())
        .isLessThan(MAX_PAGES + (long) PAGES_EACH * CONCERNED);
  }

  private static long pages(QueryPlans queryPlans, Supplier<List<?>> look) {
    assertThat(look.get()).isEmpty();
    return queryPlans.only().pages();
  }

  private static void concern(TestDatabase database, int place, String change) {
    int first = place * 1_000;
    database.execute(
        String.format(
            Locale.ROOT,
            "UPDATE millrace_continuous_workflow SET %s WHERE name > 'w%06d' AND name <= 'w%06d'",
            change,
            first,
            first + CONCERNED));
  }

  @Test
  void theNumberOfStatementsDoesNotGrowWithTheWorkflows() {
    int one = statements(1);
    assertThat(statements(1_000)).isEqualTo(one).isLessThan(40);
  }

  /**
   * Returns the number of statements for a scan, a continuation and a hand-over of all workflows.
   */
  private static int statements(int workflows) {
    try (TestDatabase database = TestDatabase.postgres(2)) {
      AtomicInteger statements = new AtomicInteger();
      try (Store store =
          SqlStore.open(
              counted(database.pool(), statements),
              new SqlStore.Options(SchemaMode.CREATE, null, false))) {
        ContinuousStore continuous = store.role(ContinuousStore.class);
        long executor = executor(store);
        database.execute(WORKFLOWS.formatted(executor, workflows));
        database.execute("UPDATE millrace_continuous_workflow SET executor_id = NULL");
        statements.set(0);

        List<String> unowned = continuous.unowned("group", executor, 1_000);
        assertThat(continuous.claim(executor, unowned)).hasSize(workflows);
        continuous.ownedCounts("group");
        continuous.owned(executor);
        continuous.changed(executor);
        database.execute("UPDATE millrace_continuous_workflow SET execution_id = 1000000");
        assertThat(continuous.acknowledgeEnded(executor, List.of())).hasSize(workflows);
        assertThat(continuous.continueAsNew(executor, List.of(), Duration.ZERO, "HOURLY"))
            .hasSize(workflows);
        store.executors().markStopped(executor);
        return statements.get();
      }
    }
  }

  private static DataSource counted(DataSource target, AtomicInteger statements) {
    return Proxies.proxy(
        DataSource.class,
        (method, args) ->
            method.getName().equals("getConnection")
                ? counted(target.getConnection(), statements)
                : Proxies.invoke(target, method, args));
  }

  private static Connection counted(Connection target, AtomicInteger statements) {
    return Proxies.proxy(
        Connection.class,
        (method, args) -> {
          if (method.getName().equals("prepareStatement")) {
            statements.incrementAndGet();
          }
          return Proxies.invoke(target, method, args);
        });
  }
}
