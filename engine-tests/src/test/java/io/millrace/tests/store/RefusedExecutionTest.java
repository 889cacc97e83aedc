package io.millrace.tests.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.fixtures.TestDatabase;
import io.millrace.fixtures.store.StartSpec;
import io.millrace.fixtures.store.StoredSequenceSpec;
import io.millrace.store.SequenceStore;
import io.millrace.store.SequenceStore.FireBatchResult;
import io.millrace.store.SequenceStore.FirePlan;
import io.millrace.store.SequenceStore.StoredSequence;
import io.millrace.store.Store;
import io.millrace.store.TaskStore;
import io.millrace.store.TaskStore.ChangeResult;
import io.millrace.store.TaskStore.HandlerReference;
import io.millrace.store.TaskStore.StoredTask;
import io.millrace.store.sql.SchemaMode;
import io.millrace.store.sql.SqlStore;
import io.millrace.testing.SettableClock;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that a workflow whose execution the database rejects does not affect others. */
class RefusedExecutionTest {

  private static final Instant NOW = Instant.parse("2026-03-01T00:00:01Z");

  static Stream<Arguments> databases() {
    Supplier<TestDatabase> h2 = TestDatabase::h2;
    Supplier<TestDatabase> postgres = TestDatabase::postgres;
    return Stream.of(Arguments.of("H2", h2), Arguments.of("POSTGRES", postgres));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("databases")
  void theOthersAreFired(String name, Supplier<TestDatabase> open) {
    SettableClock clock = SettableClock.at(NOW);
    try (TestDatabase database = open.get();
        Store store =
            SqlStore.open(database.pool(), new SqlStore.Options(SchemaMode.CREATE, clock, false))) {
      StoredTask task =
          new StoredTask(0, "task", "type", new HandlerReference(null, "class"), 0, "{}", 0);
      int taskId = ((ChangeResult.Done) store.role(TaskStore.class).add(task)).id();
      for (String id : List.of("a", "bad", "c")) {
        store
            .role(SequenceStore.class)
            .add(new StoredSequenceSpec(id, "type").tasks(taskId).next(NOW).build());
      }

      FireBatchResult fireBatchResult =
          store
              .role(SequenceStore.class)
              .fireDue(
                  "group", 10, (now, due) -> due.stream().map(RefusedExecutionTest::next).toList());

      assertThat(fireBatchResult.found()).isEqualTo(3);
      assertThat(fireBatchResult.executions()).containsOnlyKeys("a", "c");
      StoredSequence bad = store.role(SequenceStore.class).find("bad").orElseThrow();
      assertThat(bad.last()).isNull();
      assertThat(bad.times().nextRun()).isEqualTo(NOW);
      assertThat(bad.times().due()).isEqualTo(NOW.plusSeconds(10));
      assertThat(store.role(SequenceStore.class).slotRecords("bad", null, 10)).isEmpty();
    }
  }

  private static FirePlan next(StoredSequence workflow) {
    String type = workflow.sequenceId().equals("bad") ? "x".repeat(101) : "type";
    Instant slot = workflow.times().nextRun();
    return StoredSequenceSpec.fire(workflow)
        .start(slot, 0, new StartSpec(type, "group", 1))
        .next(slot.plusSeconds(60), null)
        .build();
  }
}
