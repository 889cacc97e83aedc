package io.millrace.tests.sequence;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.EngineBuilder;
import io.millrace.fixtures.FaultyDataSource;
import io.millrace.fixtures.Proxies;
import io.millrace.fixtures.TestDatabase;
import io.millrace.sequence.RegisteredTask;
import io.millrace.sequence.Task;
import io.millrace.store.SequenceStore;
import io.millrace.store.SequenceStore.SequenceSpec;
import io.millrace.store.SequenceStore.StoredSequence;
import io.millrace.store.Store;
import io.millrace.store.TaskStore;
import io.millrace.store.sql.SchemaMode;
import io.millrace.store.sql.SqlStore;
import io.millrace.testing.ManualEngine;
import io.millrace.testing.MemoryStore;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Tests of changes of a task and their effect on the sequences that contain it. */
class TaskChangesTest extends SequenceFixture {

  private static final int MANY = 2_000;

  private Store store;
  private Consumer<String> before = method -> {};
  private Consumer<String> after = method -> {};

  /**
   * Runs an engine that calls {@link #before} and {@link #after} with every call of the schedules'
   * store.
   */
  private void runOnAWatchedStore() {
    run(
        ManualEngine.defaultSettings(),
        clock -> {
          store = new MemoryStore(clock);
          return watched(store);
        },
        builder -> builder.task(Task.of("KPI", TYPE), logging("old")));
  }

  private Store watched(Store watched) {
    SequenceStore schedules =
        Proxies.proxy(
            SequenceStore.class,
            (method, args) -> {
              before.accept(method.getName());
              Object answer = Proxies.invoke(watched.role(SequenceStore.class), method, args);
              after.accept(method.getName());
              return answer;
            });
    return Proxies.withRole(watched, SequenceStore.class, schedules);
  }

  private RegisteredTask task() {
    return sequences().tasks().find("KPI").orElseThrow();
  }

  private void change(String component) {
    RegisteredTask present = task();
    sequences()
        .tasks()
        .update(present.id(), present.revision(), present.task().component(component));
  }

  private Integer definitionVersion(String id) {
    return store.role(SequenceStore.class).find(id).orElseThrow().definitionVersion();
  }

  private void schedule(String id, String text) {
    StoredSequence row = store.role(SequenceStore.class).find(id).orElseThrow();
    SequenceSpec spec = row.spec();
    store
        .role(SequenceStore.class)
        .update(
            new StoredSequence(
                id,
                row.type(),
                new SequenceSpec(
                    spec.sequenceTasks(),
                    spec.scheduleType(),
                    text,
                    spec.parameters(),
                    spec.definitionVersion(),
                    spec.executorGroup()),
                row.flags(),
                row.times(),
                null,
                row.revision()));
  }

  @Test
  void oneThatCannotHaveItDoesNotKeepItFromTheOthers() {
    runOnAWatchedStore();
    for (String id : List.of("a", "b", "c")) {
      sequences().add(sequence(id, DAILY, "KPI"));
    }
    String good = store.role(SequenceStore.class).find("b").orElseThrow().spec().schedule();
    schedule("b", "{\"every\":\"never\"}");
    after =
        method -> {
          if (method.equals("withTask")) {
            store.role(SequenceStore.class).remove("a");
          }
        };

    change("NEW");

    assertThat(definitionVersion("b")).isEqualTo(1);
    assertThat(definitionVersion("c")).isEqualTo(2);
    assertThat(store.role(TaskStore.class).appliedRevision(task().id())).isEqualTo(1);
    schedule("b", good);
    sequences().tasks().save(task().task());
    assertThat(definitionVersion("b")).isEqualTo(2);
    assertThat(store.role(TaskStore.class).appliedRevision(task().id())).isEqualTo(2);
  }

  @Test
  void oneThatIsAddedInTheMiddleOfItHasItToo() {
    runOnAWatchedStore();
    before =
        method -> {
          if (method.equals("add")) {
            before = other -> {};
            change("NEW");
          }
        };

    sequences().add(sequence(DAILY, "KPI"));

    assertThat(definitionVersion(ID)).isEqualTo(2);
  }

  @Test
  void aStartReadsNoSequencesOfTasksThatAreAsTheyWere() {
    try (TestDatabase database = TestDatabase.h2()) {
      FaultyDataSource counted = new FaultyDataSource(database.pool());
      int first = start(counted, true);
      int few = start(counted, false);
      database.execute(
          """
          INSERT INTO millrace_sequence (sequence_id, type, schedule_type, schedule, definition_version,
            recurs, active, run_requested, restart, next_run_at, due_at, revision, created_at, modified_at)
          SELECT sequence_id || x, type, schedule_type, schedule, definition_version, recurs, active,
            run_requested, restart, next_run_at, due_at, revision, created_at, modified_at
          FROM millrace_sequence, SYSTEM_RANGE(1, %s)
          """
              .formatted(MANY));
      database.execute(
          """
          INSERT INTO millrace_sequence_task (sequence_id, task_id, position, next_task_id)
          SELECT sequence_id || x, task_id, position, next_task_id
          FROM millrace_sequence_task, SYSTEM_RANGE(1, %s)
          """
              .formatted(MANY));

      int many = start(counted, false);

      assertThat(first).isPositive();
      assertThat(many).isEqualTo(few);
      assertThat(sequences().list(TYPE, null, null, 10_000)).hasSize(MANY + 1);
      engine.close();
      engine = null;
    }
  }

  /** Starts an engine and returns the number of statements. */
  private int start(FaultyDataSource counted, boolean registering) {
    if (engine != null) {
      engine.close();
    }
    counted.arm(null);
    run(
        ManualEngine.defaultSettings(),
        clock ->
            SqlStore.open(
                counted.dataSource(), new SqlStore.Options(SchemaMode.CREATE, clock, false)),
        this::tasks);
    int statements = counted.points();
    if (registering) {
      sequences().add(sequence(DAILY, "t0", "t1", "t2", "t3", "t4"));
    }
    return statements;
  }

  private EngineBuilder tasks(EngineBuilder builder) {
    for (int i = 0; i < 5; i++) {
      builder.task(Task.of("t" + i, TYPE), logging("t"));
    }
    return builder;
  }
}
