package io.millrace.verification.store;

import static io.millrace.instance.InstanceStatus.CREATED;
import static io.millrace.instance.InstanceStatus.EXECUTING;
import static io.millrace.instance.InstanceStatus.FINISHED;
import static io.millrace.instance.InstanceStatus.IN_PROGRESS;
import static io.millrace.instance.InstanceStatus.MANUAL;
import static io.millrace.instance.InstanceStatus.PAUSED;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.instance.InstanceQuery;
import io.millrace.instance.WorkflowInstance;
import io.millrace.store.Store;
import io.millrace.store.sql.SqlStore;
import io.millrace.verification.support.TestDatabase;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Beside very many instances that have ended, a search on PostgreSQL reads about as much as it
 * answers with, whatever the statistics of the table say.
 */
@ParameterizedClass(name = "{0}")
@MethodSource("scenes")
@Timeout(120)
class SearchPlanTest {

  /** What PostgreSQL knows of the table. */
  enum Statistics {
    /** Nothing. */
    NONE,
    /** How it was before nearly all instances ended. */
    STALE,
    /** How it is. */
    FRESH
  }

  private static final int ENDED = 200_000;
  private static final int OPEN = 20;
  private static final int RARE = 5;

  /** A page of each half and of each type would be less. */
  private static final int MOST_INSTANCES = 400;

  private static final int MOST_PAGES = 100;

  /** A store with few open instances, which are the oldest, and many that have ended. */
  record Scene(Statistics statistics, TestDatabase database, Plans plans, Store store)
      implements AutoCloseable {
    static Scene with(Statistics statistics) {
      TestDatabase database = TestDatabase.postgres(2);
      Plans plans = new Plans(database.pool());
      Store store = SqlStore.open(plans.dataSource(), new SqlStore.Options(true, null, false));
      Scene scene = new Scene(statistics, database, plans, store);
      scene.fill();
      return scene;
    }

    private void fill() {
      database.execute("ALTER TABLE millrace_workflow SET (autovacuum_enabled = false)");
      insert("frequent", "inProgress", OPEN);
      insert("rare", "created", RARE);
      insert("rare", "finished", RARE);
      if (statistics == Statistics.STALE) {
        database.execute("ANALYZE millrace_workflow");
      }
      insert("frequent", "finished", ENDED);
      if (statistics == Statistics.FRESH) {
        database.execute("ANALYZE millrace_workflow");
      }
    }

    private void insert(String type, String status, int count) {
      database.execute(
          """
          INSERT INTO millrace_workflow (type, version, definition_id, executor_group, priority,
            state, status, created, modified, entered, ended)
          SELECT '%1$s', 1, 1, 'millrace', 4, 'work', '%2$s', now(), now(), now(),
            CASE WHEN '%2$s' = 'finished' THEN now() END
          FROM generate_series(1, %3$d)
          """
              .formatted(type, status, count));
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

  private final Plans plans;
  private final Store store;

  SearchPlanTest(Scene scene) {
    plans = scene.plans;
    store = scene.store;
  }

  private List<WorkflowInstance> search(InstanceQuery query) {
    List<WorkflowInstance> found = store.queries().search(query, null).items();
    Plans.Plan plan = plans.only();
    assertThat(plan.instances()).as("instances read").isLessThanOrEqualTo(MOST_INSTANCES);
    assertThat(plan.pages()).as("pages read").isLessThanOrEqualTo(MOST_PAGES);
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
}
