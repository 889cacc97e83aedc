package io.millrace.tests.sequence.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.fixtures.FaultyDataSource;
import io.millrace.fixtures.TestDatabase;
import io.millrace.fixtures.store.InsightsViews;
import io.millrace.fixtures.store.QueryPlans;
import io.millrace.fixtures.store.StartSpec;
import io.millrace.fixtures.store.StoredSequenceSpec;
import io.millrace.store.SequenceStore;
import io.millrace.store.SequenceStore.FirePlan;
import io.millrace.store.SequenceStore.StoredSequence;
import io.millrace.store.Store;
import io.millrace.store.TaskStore;
import io.millrace.store.sql.SchemaMode;
import io.millrace.store.sql.SqlStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that PostgreSQL reads about as many rows as there is work to do, beside very many schedules
 * that are not due and as many ended executions, whatever its statistics say.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@ParameterizedClass(name = "{0}")
@MethodSource("scenes")
class ScheduleQueryPlanTest {

  private static final int MANY = 30_000;
  private static final int MAX = 5;

  /** Maximum number of pages of tables and indexes, for a few rows. */
  private static final int MAX_PAGES = 300;

  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

  /** The statistics that PostgreSQL has of the tables. */
  enum Statistics {
    NONE,
    FRESH
  }

  /** A database whose statements are counted and explained. */
  record Scene(
      Statistics statistics,
      TestDatabase database,
      QueryPlans plans,
      FaultyDataSource counted,
      Store store)
      implements AutoCloseable {
    static Scene with(Statistics statistics) {
      TestDatabase database = TestDatabase.postgres(2);
      QueryPlans queryPlans = new QueryPlans(database.pool(), sql -> sql.contains("FROM"));
      FaultyDataSource counted = new FaultyDataSource(queryPlans.dataSource());
      Store store =
          SqlStore.open(
              counted.dataSource(), new SqlStore.Options(SchemaMode.CREATE, () -> NOW, false));
      Scene scene = new Scene(statistics, database, queryPlans, counted, store);
      scene.fill();
      return scene;
    }

    private void fill() {
      for (String table :
          List.of("instance", "history", "sequence", "slot_record", "compiled_sequence")) {
        database.execute("ALTER TABLE millrace_" + table + " SET (autovacuum_enabled = false)");
      }
      store.role(TaskStore.class).addType("type");
      store.role(TaskStore.class).compiledSequence("type", "print", "{}", List.of());
      database.execute(
          """
          INSERT INTO millrace_compiled_state (type, version, state, position, task_id, next_task_id)
          VALUES ('type', 1, 'work', 1, 1, -1)
          """);
      database.execute(
          """
          INSERT INTO millrace_instance (type, version, definition_id, executor_group, priority,
            business_key, external_id, state, status, created_at, modified_at, entered_at, ended_at, seq)
          SELECT 'type', 1, 1, 'group', 4, 'many' || i, 'many' || i || '@', 'end', 'finished',
            t, t, t, t, 1 FROM generate_series(1, %s) AS i, CAST('%s' AS timestamptz) AS t
          """
              .formatted(MANY, NOW));
      database.execute(
          """
          INSERT INTO millrace_history (instance_id, seq, type, from_state, to_state,
            lease_version, attempt, started_at, ended_at)
          SELECT id, 1, 'stateExecution', 'work', 'end', 1, 1, created_at, ended_at FROM millrace_instance
          """);
      schedules("elsewhere", MANY, "- interval '1 day'");
      schedules("many", MANY, "+ interval '1 day' + i * interval '1 second'");
      database.execute(
          """
          INSERT INTO millrace_slot_record (sequence_id, slot_at, fire_number, outcome, cause, slot_count,
            execution_id, recorded_at, end_recorded, ended_at, result)
          SELECT business_key, created_at + id * interval '1 second', 0, 'FIRED', 'schedule', 1, id, created_at,
            id > %s, CASE WHEN id > %1$s THEN ended_at END,
            CASE WHEN id > %1$s THEN 'finished' END FROM millrace_instance
          """
              .formatted(MAX));
      if (statistics == Statistics.FRESH) {
        database.execute("ANALYZE");
      }
    }

    void schedules(String name, int count, String due) {
      database.execute(
          """
          INSERT INTO millrace_sequence (sequence_id, type, schedule_type, schedule, recurs,
            active, run_requested, restart, next_run_at, due_at, revision, created_at, modified_at, executor_group,
            execution_id)
          SELECT '%s' || i, 'type', 'DAILY', '{}', TRUE, TRUE, FALSE, FALSE, t %s, t %2$s, 1, t, t,
            CASE WHEN '%1$s' = 'elsewhere' THEN 'other' ELSE 'group' END,
            CASE WHEN '%1$s' = 'many' THEN i END
          FROM generate_series(1, %s) AS i, CAST('%s' AS timestamptz) AS t
          """
              .formatted(name, due, count, NOW));
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

  private final Scene scene;
  private final SequenceStore schedules;

  ScheduleQueryPlanTest(Scene scene) {
    this.scene = scene;
    this.schedules = scene.store.role(SequenceStore.class);
  }

  private void readsLittle(String what, Runnable call) {
    scene.plans.all();
    call.run();
    List<QueryPlans.QueryPlan> plans = scene.plans.all();
    assertThat(plans).as(what).isNotEmpty();
    assertThat(plans.stream().mapToLong(QueryPlans.QueryPlan::pages).max().orElse(0))
        .as(what)
        .isLessThanOrEqualTo(MAX_PAGES);
  }

  private static FirePlan next(StoredSequence sequence) {
    Instant slot = sequence.times().nextRun();
    return StoredSequenceSpec.fire(sequence)
        .start(slot, 0, new StartSpec("type", "group", 1))
        .next(slot.plus(Duration.ofDays(9)), null)
        .build();
  }

  private int statements(int due) {
    String name = "due" + due + "x";
    scene.schedules(name, due, "- interval '1 second'");
    scene.counted.arm(null);
    int fired =
        schedules
            .fireDue(
                "group",
                2_000,
                (now, all) -> all.stream().map(ScheduleQueryPlanTest::next).toList())
            .executions()
            .size();
    assertThat(fired).isEqualTo(due);
    return scene.counted.points();
  }

  @Test
  void whatIsDueIsFoundByItself() {
    scene.schedules("few", MAX, "- interval '1 second'");

    readsLittle(
        "fire",
        () ->
            assertThat(
                    schedules
                        .fireDue(
                            "group",
                            1_000,
                            (now, due) -> due.stream().map(ScheduleQueryPlanTest::next).toList())
                        .executions())
                .hasSize(MAX));
    readsLittle(
        "nothing due",
        () -> assertThat(schedules.fireDue("group", 9, (n, d) -> List.of()).found()).isZero());
    readsLittle("next due", () -> assertThat(schedules.nextDue("group")).isPresent());
  }

  @Test
  void aRequestedRunIsFoundBesideAllThatIsDue() {
    scene.database.execute(
        "UPDATE millrace_sequence SET run_requested = TRUE, due_at = due_at + interval '1 hour'"
            + " WHERE sequence_id = 'elsewhere"
            + MANY / 2
            + "'");
    List<String> asked = new ArrayList<>();

    readsLittle(
        "requested",
        () ->
            schedules.fireDue(
                "other",
                MAX,
                (now, due) -> {
                  due.forEach(sequence -> asked.add(sequence.sequenceId()));
                  return List.of();
                }));

    assertThat(asked).hasSize(MAX).startsWith("elsewhere" + MANY / 2);
  }

  @Test
  void aThousandCostAsManyStatementsAsTen() {
    int statements = statements(10);

    assertThat(statements(1_000)).isEqualTo(statements).isLessThan(20);
  }

  /** This test runs first, because others leave executions that have not ended. */
  @Test
  @Order(1)
  void whatIsNotCompletedIsFoundByItself() {
    readsLittle("complete", () -> assertThat(schedules.recordEnds(1_000)).isEqualTo(MAX));
    readsLittle("nothing to complete", () -> assertThat(schedules.recordEnds(1_000)).isZero());
  }

  @Test
  void aPageIsReadByItself() {
    String id = "many" + MANY / 2;
    readsLittle("find", () -> assertThat(schedules.find(id)).isPresent());
    readsLittle("list", () -> assertThat(schedules.list("type", null, id, 20)).hasSize(20));
    readsLittle("fires", () -> assertThat(schedules.slotRecords(id, null, 10)).hasSize(1));
    List<String> ids = List.of(id, "many7", "many" + MANY);
    readsLittle(
        "newest fires", () -> assertThat(schedules.newestSlotRecords(ids, 20)).hasSize(ids.size()));
    readsLittle(
        "fires between",
        () -> assertThat(schedules.slotRecordsBetween(NOW, NOW.plusSeconds(10), 100)).hasSize(9));
    readsLittle("history", () -> assertThat(schedules.history(id, null, 10).items()).hasSize(1));
    readsLittle(
        "all history", () -> assertThat(schedules.history(null, null, 10).items()).hasSize(10));
  }

  @Test
  void theViewsAreReadByTheirKeys() {
    InsightsViews.create(scene.database::execute);
    for (String where :
        List.of(
            "CONFIG\" WHERE workflowid = 'many77'",
            "EXECUTION_HISTORY\" WHERE workflowid = 'many77'",
            "EXECUTION_HISTORY\" WHERE executionid = 77")) {
      List<String> plan =
          scene.database.lines("EXPLAIN SELECT * FROM \"INSIGHTS_WORKFLOW_" + where);

      assertThat(plan)
          .as(where)
          .noneMatch(line -> line.contains("Seq Scan on millrace_instance"))
          .noneMatch(line -> line.contains("Seq Scan on millrace_history"))
          .noneMatch(line -> line.contains("Seq Scan on millrace_sequence"));
    }
  }
}
