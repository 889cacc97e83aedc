package io.millrace.tests.sequence.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.fixtures.TestDatabase;
import io.millrace.fixtures.store.RaceRunner;
import io.millrace.fixtures.store.StartSpec;
import io.millrace.fixtures.store.StoreContract;
import io.millrace.fixtures.store.StoredSequenceSpec;
import io.millrace.instance.InstanceStatus;
import io.millrace.store.OperatorCommand;
import io.millrace.store.OperatorStore.CommandResult;
import io.millrace.store.SequenceStore;
import io.millrace.store.SequenceStore.FireBatchResult;
import io.millrace.store.SequenceStore.FirePlan;
import io.millrace.store.SequenceStore.FireResult;
import io.millrace.store.SequenceStore.StoredSequence;
import io.millrace.store.Store;
import io.millrace.store.TaskStore;
import io.millrace.store.TaskStore.ChangeResult;
import io.millrace.store.TaskStore.HandlerReference;
import io.millrace.store.TaskStore.StoredCompiledSequence;
import io.millrace.store.TaskStore.StoredTask;
import io.millrace.store.sql.SchemaMode;
import io.millrace.store.sql.SqlStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests of three nodes on one database that compete for the same slots. */
@ParameterizedClass(name = "{0}")
@MethodSource("scenes")
@Timeout(600)
@Tag("races")
class ScheduleRaceTest {

  /** Executor group of the slots test, so that sequences of other tests are not fired with it. */
  private static final String SLOTS_OF = "slots";

  private static final int NODES = 3;
  private static final int WORKFLOWS = 100;
  private static final int SLOTS = 100;
  private static final int ROUNDS = 100;

  /** Number of records of a sequence that retention deletes; not a multiple of 7. */
  private static final int OLD_RECORDS = 500;

  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Instant FIRST = Instant.parse("2026-01-01T00:00:01Z");
  private static final Instant LAST = FIRST.plus(MINUTE.multipliedBy(SLOTS));

  /** A database with a store for each node. */
  record Scene(String name, TestDatabase database, List<Store> stores, int task)
      implements AutoCloseable {
    static Scene on(String name, TestDatabase database) {
      SqlStore.Options options = new SqlStore.Options(SchemaMode.CREATE, null, false);
      List<Store> stores = new ArrayList<>();
      for (int i = 0; i < NODES; i++) {
        stores.add(SqlStore.open(database.open(4), options));
      }
      StoredTask task =
          new StoredTask(0, "task", "type", new HandlerReference(null, "class"), 0, "{}", 0);
      return new Scene(
          name,
          database,
          stores,
          ((ChangeResult.Done) stores.getFirst().role(TaskStore.class).add(task)).id());
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

  private StoredSequence add(String id, Instant nextRun, Instant due) {
    add(id, "group", nextRun, due);
    return store.role(SequenceStore.class).find(id).orElseThrow();
  }

  private void add(String id, String group, Instant nextRun, Instant due) {
    StoredSequenceSpec spec = new StoredSequenceSpec(id, "type").group(group).tasks(scene.task);
    store.role(SequenceStore.class).add(spec.times(nextRun, due).build());
  }

  private static StoredSequenceSpec.FireSpec firePlan(StoredSequence sequence, Instant slot) {
    return StoredSequenceSpec.fire(sequence)
        .start(slot, 0, new StartSpec("type", sequence.executorGroup(), 1));
  }

  private static FirePlan step(StoredSequence sequence) {
    Instant slot = sequence.times().nextRun();
    Instant next = slot.plus(MINUTE);
    return firePlan(sequence, slot).next(next, next.isBefore(LAST) ? next : null).build();
  }

  @Test
  void everySlotIsFiredOnce() {
    IntStream.range(0, WORKFLOWS).forEach(i -> add("w" + i, SLOTS_OF, FIRST, FIRST));

    List<List<Long>> made;
    try (RaceRunner raceRunner = new RaceRunner(NODES)) {
      made = raceRunner.race(i -> () -> fireAll(scene.stores.get(i)));
    }

    int slots = WORKFLOWS * SLOTS;
    assertThat(made.stream().flatMap(List::stream)).hasSize(slots).doesNotHaveDuplicates();
    assertThat(count("SELECT COUNT(*) FROM millrace_instance WHERE external_id LIKE 'w%'"))
        .isEqualTo(slots);
    assertThat(
            count(
                """
                SELECT COUNT(*) FROM (SELECT DISTINCT f.sequence_id, f.slot_at FROM millrace_slot_record f
                JOIN millrace_instance w ON w.id = f.execution_id AND w.business_key = f.sequence_id
                WHERE f.outcome = 'FIRED' AND f.fire_number = 0 AND f.sequence_id LIKE 'w%') s
                """))
        .isEqualTo(slots);
    assertThat(count("SELECT COUNT(*) FROM millrace_slot_record WHERE sequence_id LIKE 'w%'"))
        .isEqualTo(slots);
    assertThat(
            count(
                "SELECT COUNT(*) FROM millrace_sequence WHERE sequence_id LIKE 'w%' AND revision = "
                    + (SLOTS + 1)))
        .isEqualTo(WORKFLOWS);
  }

  private static List<Long> fireAll(Store node) {
    List<Long> made = new ArrayList<>();
    while (node.role(SequenceStore.class).nextDue(SLOTS_OF).isPresent()) {
      FireBatchResult fireBatchResult =
          node.role(SequenceStore.class)
              .fireDue(
                  SLOTS_OF,
                  WORKFLOWS / NODES,
                  (now, due) -> due.stream().map(ScheduleRaceTest::step).toList());
      made.addAll(fireBatchResult.executions().values());
    }
    return made;
  }

  private long count(String sql) {
    return scene.database.number(sql);
  }

  @Test
  void onePersonOfManyRunsASlot() {
    try (RaceRunner raceRunner = new RaceRunner(NODES)) {
      for (int round = 0; round < ROUNDS; round++) {
        StoredSequence sequence = add("p" + round, FIRST, null);
        List<FireResult> results =
            raceRunner.race(i ->
                () ->
                    scene
                        .stores
                        .get(i)
                        .role(SequenceStore.class)
                        .writeFire(firePlan(sequence, FIRST).build()));

        assertThat(results).filteredOn(FireResult.Written.class::isInstance).hasSize(1);
        assertThat(results).filteredOn(FireResult.Duplicate.class::isInstance).hasSize(NODES - 1);
        assertThat(store.role(SequenceStore.class).slotRecords(sequence.sequenceId(), null, 10))
            .hasSize(1);
      }
    }
  }

  @Test
  void whatIsRetriedIsNeverLeftCompleted() {
    try (RaceRunner raceRunner = new RaceRunner(2)) {
      for (int round = 0; round < ROUNDS; round++) {
        String id = "s" + round;
        long execution = failedExecution(add(id, FIRST, null));
        List<Object> results =
            raceRunner.race(
                () -> scene.stores.get(1).role(SequenceStore.class).recordEnds(100),
                () ->
                    scene
                        .stores
                        .get(2)
                        .operators()
                        .apply(execution, new OperatorCommand.Retry(), StoreContract.BY_ALICE));

        assertThat(results.get(1)).isInstanceOf(CommandResult.Applied.class);
        StoredSequence after = store.role(SequenceStore.class).find(id).orElseThrow();
        assertThat(after.last().status()).isEqualTo(InstanceStatus.IN_PROGRESS);
        assertThat(after.last().endRecorded()).isFalse();
      }
    }
  }

  @Test
  void theRemovalOfASequenceAndTheEndOfItsExecutionWaitInNoCircle() {
    long deadlocks = deadlocks();
    try (RaceRunner raceRunner = new RaceRunner(NODES)) {
      for (int round = 0; round < ROUNDS; round++) {
        String id = "r" + round;
        long execution = failedExecution(add(id, FIRST, null));

        List<Object> results =
            raceRunner.<Object>race(i ->
                switch (i) {
                  case 0 -> () -> scene.stores.get(0).role(SequenceStore.class).remove(id);
                  case 1 -> () -> scene.stores.get(1).role(SequenceStore.class).recordEnds(100);
                  default ->
                      () ->
                          scene
                              .stores
                              .get(2)
                              .operators()
                              .apply(
                                  execution, new OperatorCommand.Retry(), StoreContract.BY_ALICE);
                });

        assertThat(results.get(2)).isInstanceOf(CommandResult.Applied.class);
        if (results.get(0) instanceof ChangeResult.Done) {
          assertThat(store.role(SequenceStore.class).find(id)).isEmpty();
          assertThat(store.role(SequenceStore.class).slotRecords(id, null, 10)).isEmpty();
        } else {
          assertThat(results.get(0)).isInstanceOf(ChangeResult.InUse.class);
          assertThat(store.role(SequenceStore.class).find(id).orElseThrow().last().endRecorded())
              .isFalse();
        }
      }
    }
    assertThat(deadlocks()).as("deadlocks, which the store repeats").isEqualTo(deadlocks);
  }

  @Test
  void theRemovalOfASequenceAndRetentionWaitInNoCircle() {
    long deadlocks = deadlocks();
    try (RaceRunner raceRunner = new RaceRunner(2)) {
      for (int round = 0; round < ROUNDS / 4; round++) {
        String id = "o" + round;
        add(id, FIRST, null);
        addOldSlotRecords(id);

        List<Object> results =
            raceRunner.race(
                () -> scene.stores.get(0).role(SequenceStore.class).remove(id),
                () ->
                    scene
                        .stores
                        .get(1)
                        .role(SequenceStore.class)
                        .deleteSlotRecords(Duration.ofDays(1), OLD_RECORDS));

        assertThat(results.get(0)).isInstanceOf(ChangeResult.Done.class);
        assertThat(
                count("SELECT COUNT(*) FROM millrace_slot_record WHERE sequence_id = '" + id + "'"))
            .isZero();
      }
    }
    assertThat(deadlocks()).as("deadlocks, which the store repeats").isEqualTo(deadlocks);
  }

  /** Adds records of slots that did not fire, in another order than that of the slots. */
  private void addOldSlotRecords(String id) {
    String values =
        IntStream.range(0, OLD_RECORDS)
            .mapToObj(i -> FIRST.plus(MINUTE.multipliedBy(i * 7L % OLD_RECORDS)))
            .map(slot ->
                "('%s', TIMESTAMP WITH TIME ZONE '%s', 0, 'MISSED', 'schedule', 1, TIMESTAMP WITH TIME ZONE '%s', TRUE)"
                    .formatted(id, slot, FIRST))
            .collect(Collectors.joining(","));
    scene.database.execute(
        "INSERT INTO millrace_slot_record (sequence_id, slot_at, fire_number, outcome, cause, slot_count, recorded_at, end_recorded) VALUES "
            + values);
  }

  /** Returns the number of deadlocks that the database has ended; H2 does not count them. */
  private long deadlocks() {
    return scene.name.equals("POSTGRES")
        ? count("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()")
        : 0;
  }

  /** Fires a slot whose execution fails, which is not recorded. */
  private long failedExecution(StoredSequence sequence) {
    FireResult.Written written =
        (FireResult.Written)
            store.role(SequenceStore.class).writeFire(firePlan(sequence, FIRST).build());
    scene.database.execute(
        "UPDATE millrace_instance SET status = 'failed', next_activation_at = NULL, ended_at = created_at WHERE id = "
            + written.executionId());
    return written.executionId();
  }

  @Test
  void whatIsRetriedWhileTheNextRunTakesItsPlaceIsCancelled() {
    try (RaceRunner raceRunner = new RaceRunner(2)) {
      for (int round = 0; round < ROUNDS; round++) {
        String id = "c" + round;
        long execution = failedExecution(add(id, FIRST, null));
        StoredSequence failed = store.role(SequenceStore.class).find(id).orElseThrow();
        FirePlan next = firePlan(failed, FIRST.plus(MINUTE)).cancel(execution, "the next").build();

        List<Object> results =
            raceRunner.race(
                () ->
                    RaceRunner.patiently(
                        () -> scene.stores.get(1).role(SequenceStore.class).writeFire(next)),
                () ->
                    scene
                        .stores
                        .get(2)
                        .operators()
                        .apply(execution, new OperatorCommand.Retry(), StoreContract.BY_ALICE));

        if (results.get(0) instanceof FireResult.Written) {
          assertThat(store.queries().find(execution).orElseThrow().status())
              .isEqualTo(InstanceStatus.CANCELLED);
        } else {
          // The retry came first, and caused a look at the schedule.
          assertThat(results.get(0)).isInstanceOf(FireResult.Stale.class);
          assertThat(results.get(1)).isInstanceOf(CommandResult.Applied.class);
        }
      }
    }
  }

  @Test
  void everyShapeGetsAVersionOfItsOwn() {
    try (RaceRunner raceRunner = new RaceRunner(NODES)) {
      for (int round = 0; round < ROUNDS / 4; round++) {
        String type = "shaped" + round;
        List<StoredCompiledSequence> compiledSequences =
            raceRunner.race(i ->
                () ->
                    scene
                        .stores
                        .get(i)
                        .role(TaskStore.class)
                        .compiledSequence(type, "print" + i % 2, "{}", List.of()));

        assertThat(compiledSequences.get(0)).isEqualTo(compiledSequences.get(2));
        assertThat(compiledSequences.subList(0, 2))
            .extracting(StoredCompiledSequence::version)
            .containsExactlyInAnyOrder(1, 2);
      }
    }
  }

  @Test
  void aNameIsTakenOnce() {
    try (RaceRunner raceRunner = new RaceRunner(NODES)) {
      for (int round = 0; round < ROUNDS / 4; round++) {
        String name = "named" + round;
        StoredTask task =
            new StoredTask(0, name, "of " + name, new HandlerReference(null, "c"), 0, "{}", 0);
        StoredSequence sequence =
            new StoredSequenceSpec(name, "type of " + name).tasks(scene.task).build();
        List<ChangeResult> tasks =
            raceRunner.race(i -> () -> scene.stores.get(i).role(TaskStore.class).add(task));
        List<ChangeResult> sequences =
            raceRunner.race(i -> () -> scene.stores.get(i).role(SequenceStore.class).add(sequence));

        assertThat(tasks).filteredOn(ChangeResult.Done.class::isInstance).hasSize(1);
        assertThat(tasks).filteredOn(ChangeResult.NameTaken.class::isInstance).hasSize(NODES - 1);
        assertThat(sequences).filteredOn(ChangeResult.Done.class::isInstance).hasSize(1);
        assertThat(sequences)
            .filteredOn(ChangeResult.NameTaken.class::isInstance)
            .hasSize(NODES - 1);
      }
    }
  }
}
