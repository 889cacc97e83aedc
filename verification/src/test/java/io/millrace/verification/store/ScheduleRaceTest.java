package io.millrace.verification.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.instance.InstanceStatus;
import io.millrace.store.DeedCommand;
import io.millrace.store.OperatorStore.DeedResult;
import io.millrace.store.ScheduleStore.FireResult;
import io.millrace.store.ScheduleStore.Fired;
import io.millrace.store.ScheduleStore.Firing;
import io.millrace.store.ScheduleStore.StoredWorkflow;
import io.millrace.store.Store;
import io.millrace.store.TaskStore.Change;
import io.millrace.store.TaskStore.StoredShape;
import io.millrace.store.TaskStore.StoredTask;
import io.millrace.store.TaskStore.Work;
import io.millrace.store.sql.SqlStore;
import io.millrace.verification.support.Length;
import io.millrace.verification.support.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Three nodes on one database want the same. */
@Tag(Length.LONG)
@ParameterizedClass(name = "{0}")
@MethodSource("scenes")
@Timeout(600)
class ScheduleRaceTest {

  /** The workflows of the other tests are not fired with these. */
  private static final String SLOTS_OF = "slots";

  private static final int NODES = 3;
  private static final int WORKFLOWS = 100;
  private static final int SLOTS = 100;
  private static final int ROUNDS = Length.of(40, 100);
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Instant FIRST = Instant.parse("2026-01-01T00:00:01Z");
  private static final Instant LAST = FIRST.plus(MINUTE.multipliedBy(SLOTS));

  /** A database with a store for each node. */
  record Scene(String name, TestDatabase database, List<Store> stores, int task)
      implements AutoCloseable {
    static Scene on(String name, TestDatabase database) {
      SqlStore.Options options = new SqlStore.Options(true, null, false);
      List<Store> stores = new ArrayList<>();
      for (int i = 0; i < NODES; i++) {
        stores.add(SqlStore.open(database.open(4), options));
      }
      StoredTask task = new StoredTask(0, "task", "type", new Work(null, "class"), 0, "{}", 0);
      return new Scene(
          name, database, stores, ((Change.Done) stores.getFirst().tasks().add(task)).id());
    }

    @Override
    public void close() {
      stores.forEach(Store::close);
      database.close();
    }

    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Scene> scenes() {
    return Stream.of(
        Scene.on("H2", TestDatabase.h2()), Scene.on("POSTGRES", TestDatabase.postgres()));
  }

  private final Scene scene;
  private final Store store;

  ScheduleRaceTest(Scene scene) {
    this.scene = scene;
    this.store = scene.stores.getFirst();
  }

  private StoredWorkflow add(String id, Instant nextRun, Instant due) {
    add(id, "group", nextRun, due);
    return store.schedules().find(id).orElseThrow();
  }

  private void add(String id, String group, Instant nextRun, Instant due) {
    WorkflowSpec spec = new WorkflowSpec(id, "type").group(group).tasks(scene.task);
    store.schedules().add(spec.times(nextRun, due).build());
  }

  private static WorkflowSpec.FiringSpec firing(StoredWorkflow workflow, Instant slot) {
    return WorkflowSpec.fire(workflow)
        .start(slot, 0, new StartSpec("type", workflow.executorGroup(), 1));
  }

  private static Firing step(StoredWorkflow workflow) {
    Instant slot = workflow.times().nextRun();
    Instant next = slot.plus(MINUTE);
    return firing(workflow, slot).next(next, next.isBefore(LAST) ? next : null).build();
  }

  @Test
  void everySlotIsFiredOnce() {
    IntStream.range(0, WORKFLOWS).forEach(i -> add("w" + i, SLOTS_OF, FIRST, FIRST));

    List<List<Long>> made;
    try (Threads threads = new Threads(NODES)) {
      made = threads.race(i -> () -> fireAll(scene.stores.get(i)));
    }

    int slots = WORKFLOWS * SLOTS;
    assertThat(made.stream().flatMap(List::stream)).hasSize(slots).doesNotHaveDuplicates();
    assertThat(count("SELECT COUNT(*) FROM millrace_workflow WHERE external_id LIKE 'w%'"))
        .isEqualTo(slots);
    assertThat(
            count(
                """
                SELECT COUNT(*) FROM (SELECT DISTINCT f.workflow_id, f.slot FROM millrace_schedule_fire f
                JOIN millrace_workflow w ON w.id = f.execution_id AND w.business_key = f.workflow_id
                WHERE f.outcome = 'FIRED' AND f.attempt = 0 AND f.workflow_id LIKE 'w%') s
                """))
        .isEqualTo(slots);
    assertThat(count("SELECT COUNT(*) FROM millrace_schedule_fire WHERE workflow_id LIKE 'w%'"))
        .isEqualTo(slots);
    assertThat(
            count(
                "SELECT COUNT(*) FROM millrace_schedule WHERE workflow_id LIKE 'w%' AND revision = "
                    + (SLOTS + 1)))
        .isEqualTo(WORKFLOWS);
  }

  private static List<Long> fireAll(Store node) {
    List<Long> made = new ArrayList<>();
    while (node.schedules().nextDue(SLOTS_OF).isPresent()) {
      Fired fired =
          node.schedules()
              .fire(
                  SLOTS_OF,
                  WORKFLOWS / NODES,
                  (now, due) -> due.stream().map(ScheduleRaceTest::step).toList());
      made.addAll(fired.executions().values());
    }
    return made;
  }

  private long count(String sql) {
    return scene.database.number(sql);
  }

  @Test
  void onePersonOfManyRunsASlot() {
    try (Threads threads = new Threads(NODES)) {
      for (int round = 0; round < ROUNDS; round++) {
        StoredWorkflow workflow = add("p" + round, FIRST, null);
        List<FireResult> results =
            threads.race(
                i -> () -> scene.stores.get(i).schedules().fire(firing(workflow, FIRST).build()));

        assertThat(results).filteredOn(FireResult.Written.class::isInstance).hasSize(1);
        assertThat(results).filteredOn(FireResult.Duplicate.class::isInstance).hasSize(NODES - 1);
        assertThat(store.schedules().fires(workflow.workflowId(), null, 10)).hasSize(1);
      }
    }
  }

  @Test
  void whatIsRetriedIsNeverLeftSettled() {
    try (Threads threads = new Threads(2)) {
      for (int round = 0; round < ROUNDS; round++) {
        String id = "s" + round;
        FireResult.Written written =
            (FireResult.Written)
                store.schedules().fire(firing(add(id, FIRST, null), FIRST).build());
        long execution = written.executionId();
        scene.database.execute(
            "UPDATE millrace_workflow SET status = 'failed', next_activation = NULL, ended = created WHERE id = "
                + execution);
        List<Object> results =
            threads.race(
                () -> scene.stores.get(1).schedules().settle(100),
                () ->
                    scene
                        .stores
                        .get(2)
                        .operators()
                        .apply(execution, new DeedCommand.Retry(), StoreContract.DEED));

        assertThat(results.get(1)).isInstanceOf(DeedResult.Applied.class);
        StoredWorkflow after = store.schedules().find(id).orElseThrow();
        assertThat(after.last().status()).isEqualTo(InstanceStatus.IN_PROGRESS);
        assertThat(after.last().settled()).isFalse();
      }
    }
  }

  @Test
  void whatIsRetriedWhileTheNextRunTakesItsPlaceIsCancelled() {
    try (Threads threads = new Threads(2)) {
      for (int round = 0; round < ROUNDS; round++) {
        String id = "c" + round;
        StoredWorkflow added = add(id, FIRST, null);
        FireResult.Written written =
            (FireResult.Written) store.schedules().fire(firing(added, FIRST).build());
        long execution = written.executionId();
        scene.database.execute(
            "UPDATE millrace_workflow SET status = 'failed', next_activation = NULL, ended = created WHERE id = "
                + execution);
        StoredWorkflow failed = store.schedules().find(id).orElseThrow();
        Firing next = firing(failed, FIRST.plus(MINUTE)).cancel(execution, "the next").build();

        List<Object> results =
            threads.race(
                () -> Threads.patiently(() -> scene.stores.get(1).schedules().fire(next)),
                () ->
                    scene
                        .stores
                        .get(2)
                        .operators()
                        .apply(execution, new DeedCommand.Retry(), StoreContract.DEED));

        if (results.get(0) instanceof FireResult.Written) {
          assertThat(store.queries().find(execution).orElseThrow().status())
              .isEqualTo(InstanceStatus.CANCELLED);
        } else {
          // The retry came first, and has had the schedule looked at.
          assertThat(results.get(0)).isInstanceOf(FireResult.Stale.class);
          assertThat(results.get(1)).isInstanceOf(DeedResult.Applied.class);
        }
      }
    }
  }

  @Test
  void everyShapeGetsAVersionOfItsOwn() {
    try (Threads threads = new Threads(NODES)) {
      for (int round = 0; round < ROUNDS / 4; round++) {
        String type = "shaped" + round;
        List<StoredShape> shapes =
            threads.race(i ->
                () -> scene.stores.get(i).tasks().shape(type, "print" + i % 2, "{}", List.of()));

        assertThat(shapes.get(0)).isEqualTo(shapes.get(2));
        assertThat(shapes.subList(0, 2))
            .extracting(StoredShape::version)
            .containsExactlyInAnyOrder(1, 2);
      }
    }
  }

  @Test
  void aNameIsTakenOnce() {
    try (Threads threads = new Threads(NODES)) {
      for (int round = 0; round < ROUNDS / 4; round++) {
        String name = "named" + round;
        StoredTask task = new StoredTask(0, name, "of " + name, new Work(null, "c"), 0, "{}", 0);
        StoredWorkflow workflow =
            new WorkflowSpec(name, "type of " + name).tasks(scene.task).build();
        List<Change> tasks = threads.race(i -> () -> scene.stores.get(i).tasks().add(task));
        List<Change> workflows =
            threads.race(i -> () -> scene.stores.get(i).schedules().add(workflow));

        assertThat(tasks).filteredOn(Change.Done.class::isInstance).hasSize(1);
        assertThat(tasks).filteredOn(Change.Taken.class::isInstance).hasSize(NODES - 1);
        assertThat(workflows).filteredOn(Change.Done.class::isInstance).hasSize(1);
        assertThat(workflows).filteredOn(Change.Taken.class::isInstance).hasSize(NODES - 1);
      }
    }
  }
}
