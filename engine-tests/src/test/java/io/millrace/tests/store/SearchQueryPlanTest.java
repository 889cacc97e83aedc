package io.millrace.tests.store;

import static io.millrace.instance.InstanceStatus.CANCELLED;
import static io.millrace.instance.InstanceStatus.CREATED;
import static io.millrace.instance.InstanceStatus.EXECUTING;
import static io.millrace.instance.InstanceStatus.FAILED;
import static io.millrace.instance.InstanceStatus.FINISHED;
import static io.millrace.instance.InstanceStatus.IN_PROGRESS;
import static io.millrace.instance.InstanceStatus.MANUAL;
import static io.millrace.instance.InstanceStatus.PAUSED;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.fixtures.TestDatabase;
import io.millrace.fixtures.store.QueryPlans;
import io.millrace.instance.InstanceQuery;
import io.millrace.instance.WorkflowInstance;
import io.millrace.store.Store;
import io.millrace.store.sql.SchemaMode;
import io.millrace.store.sql.SqlStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that a search on PostgreSQL reads about as many rows as it returns, beside very many ended
 * instances, whatever the statistics of the table say.
 */
@ParameterizedClass(name = "{0}")
@MethodSource("scenes")
class SearchQueryPlanTest {

  /** The statistics that PostgreSQL has of the table. */
  enum Statistics {
    /** No statistics. */
    NONE,
    /** Statistics from before nearly all instances ended. */
    STALE,
    /** Current statistics. */
    FRESH
  }

  private static final int ENDED = 10_000;
  private static final int OPEN = 20;
  private static final int RARE = 5;

  /** Maximum number of instances read, more than a page of each half and of each type. */
  private static final int MAX_INSTANCES = 400;

  private static final int MAX_PAGES = 100;

  private static final String LONG_AGO = "now() - interval '10 days'";

  /** A store with a few open instances, which are the oldest, and many ended ones. */
  record Scene(Statistics statistics, TestDatabase database, QueryPlans plans, Store store)
      implements AutoCloseable {
    static Scene with(Statistics statistics) {
      TestDatabase database = TestDatabase.postgres(2);
      QueryPlans queryPlans = new QueryPlans(database.pool());
      Store store =
          SqlStore.open(
              queryPlans.dataSource(), new SqlStore.Options(SchemaMode.CREATE, null, false));
      Scene scene = new Scene(statistics, database, queryPlans, store);
      scene.fill();
      return scene;
    }

    private void fill() {
      database.execute("ALTER TABLE millrace_instance SET (autovacuum_enabled = false)");
      insert("frequent", "inProgress", OPEN, LONG_AGO);
      insert("rare", "created", RARE, LONG_AGO);
      insert("rare", "finished", RARE, LONG_AGO);
      insert("apart", "failed", RARE, LONG_AGO);
      insert("apart", "cancelled", RARE, LONG_AGO);
      if (statistics == Statistics.STALE) {
        database.execute("ANALYZE millrace_instance");
      }
      insert("frequent", "finished", ENDED, "now()");
      if (statistics == Statistics.FRESH) {
        database.execute("ANALYZE millrace_instance");
      }
    }

    private void insert(String type, String status, int count, String time) {
      database.execute(
          """
          INSERT INTO millrace_instance (type, version, definition_id, executor_group, priority,
            business_key, external_id, state, status, created_at, modified_at, entered_at, ended_at, failure_fingerprint)
          SELECT '%1$s', 1, 1, CASE WHEN '%1$s' = 'apart' THEN 'apart' ELSE 'millrace' END, 4,
            'of %1$s', '%2$s ' || i || ' of %1$s', 'work', '%2$s', %4$s, %4$s, %4$s,
            CASE WHEN '%2$s' IN ('finished', 'failed', 'cancelled') THEN %4$s END,
            CASE WHEN '%2$s' = 'failed' THEN 'cause' END
          FROM generate_series(1, %3$s) AS i
          """
              .formatted(type, status, count, time));
    }

    @Override
    public void close() {
      store.close();
      database.close();
    }

    @Override
    public String toString() {
      return statistics.toString();
    }
  }

  static Stream<Scene> scenes() {
    return Stream.of(Statistics.values()).map(Scene::with);
  }

  private final Statistics statistics;
  private final QueryPlans queryPlans;
  private final Store store;

  SearchQueryPlanTest(Scene scene) {
    statistics = scene.statistics;
    queryPlans = scene.plans;
    store = scene.store;
  }

  private List<WorkflowInstance> search(InstanceQuery query) {
    List<WorkflowInstance> found = store.queries().search(query, null).items();
    QueryPlans.QueryPlan queryPlan = queryPlans.only();
    assertThat(queryPlan.instances()).as("instances read").isLessThanOrEqualTo(MAX_INSTANCES);
    assertThat(queryPlan.pages()).as("pages read").isLessThanOrEqualTo(MAX_PAGES);
    return found;
  }

  @Test
  void theOpenOnesOfAllTypes() {
    InstanceQuery all = InstanceQuery.all();

    assertThat(search(all.status(CREATED, IN_PROGRESS, EXECUTING))).hasSize(OPEN + RARE);
    assertThat(search(all.status(CREATED, IN_PROGRESS, EXECUTING, PAUSED, MANUAL)))
        .hasSize(OPEN + RARE);
    assertThat(search(all.status(IN_PROGRESS))).hasSize(OPEN);
  }

  @Test
  void theOpenOnesOfAType() {
    InstanceQuery frequent = InstanceQuery.all().type("frequent");

    assertThat(search(frequent.status(CREATED, IN_PROGRESS, EXECUTING))).hasSize(OPEN);
    assertThat(search(frequent.status(IN_PROGRESS))).hasSize(OPEN);
    assertThat(search(frequent.status(CREATED))).isEmpty();
  }

  @Test
  void allOfATypeThatIsRare() {
    InstanceQuery rare = InstanceQuery.all().type("rare");

    assertThat(search(rare)).hasSize(2 * RARE);
    assertThat(search(rare.status(CREATED, FINISHED))).hasSize(2 * RARE);
    assertThat(search(InstanceQuery.all().type("unused"))).isEmpty();
  }

  @Test
  void aPageOfATypeThatIsFrequent() {
    InstanceQuery frequent = InstanceQuery.all().type("frequent");

    assertThat(search(frequent)).hasSize(100);
    assertThat(search(frequent.after(String.valueOf(ENDED / 2)))).hasSize(100);
    assertThat(search(frequent.after(String.valueOf(OPEN)))).hasSize(OPEN - 1);
  }

  @Test
  void theFewOfAnExecutorGroupOrInRareStatuses() {
    InstanceQuery all = InstanceQuery.all();

    assertThat(search(all.executorGroup("apart"))).hasSize(2 * RARE);
    assertThat(search(all.executorGroup("apart").type("frequent"))).isEmpty();
    assertThat(search(all.type("apart", "rare"))).hasSize(4 * RARE);
    assertThat(search(all.status(CANCELLED))).hasSize(RARE);
    assertThat(search(all.status(CANCELLED, FAILED))).hasSize(2 * RARE);
    assertThat(search(all.status(EXECUTING, FAILED).type("frequent"))).isEmpty();
    assertThat(search(all.failure("cause"))).hasSize(RARE);
    assertThat(search(all.executor(1))).isEmpty();
  }

  @Test
  void theFewWithAKey() {
    InstanceQuery all = InstanceQuery.all();

    assertThat(search(all.businessKey("of apart"))).hasSize(2 * RARE);
    assertThat(search(all.externalId("failed 1 of apart"))).hasSize(1);
    assertThat(search(all.key("failed 1 of apart"))).hasSize(1);
    assertThat(search(all.key("of apart"))).hasSize(2 * RARE);
    assertThat(search(all.businessKey("of frequent"))).hasSize(100);
    assertThat(search(all.parent(1))).isEmpty();
  }

  /** With statistics of a table that has grown so much since, PostgreSQL reads the whole table. */
  @Test
  void theFewWhoseKeyBeginsWithAText() {
    InstanceQuery beginning = InstanceQuery.all().keyPrefix("FAILED 1 of");
    assertThat(store.queries().search(beginning, null).items()).hasSize(1);
    QueryPlans.QueryPlan queryPlan = queryPlans.only();
    if (statistics != Statistics.STALE) {
      assertThat(queryPlan.instances()).as("instances read").isLessThanOrEqualTo(MAX_INSTANCES);
      assertThat(queryPlan.pages()).as("pages read").isLessThanOrEqualTo(MAX_PAGES);
    }
  }

  @Test
  void theFewOfATimeLongAgo() {
    InstanceQuery all = InstanceQuery.all();
    Instant now = store.queries().now();
    Instant from = now.minus(Duration.ofDays(11));
    Instant to = now.minus(Duration.ofDays(9));

    assertThat(search(all.createdBetween(from, to))).hasSize(OPEN + 4 * RARE);
    assertThat(search(all.createdBetween(null, to).type("rare"))).hasSize(2 * RARE);
    assertThat(search(all.createdBetween(null, from))).isEmpty();
    assertThat(search(all.endedBetween(from, to))).hasSize(3 * RARE);
    assertThat(search(all.endedBetween(null, from))).isEmpty();
    assertThat(search(all.endedBetween(null, null))).hasSize(100);
  }
}
