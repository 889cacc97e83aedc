package io.millrace.tests.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.fixtures.store.ScheduleContract;
import io.millrace.fixtures.store.StoreFixture;
import io.millrace.fixtures.store.StoredSequenceSpec;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.OperatorAction;
import io.millrace.store.ContinuousStore;
import io.millrace.store.ContinuousStore.LogEntry;
import io.millrace.store.ContinuousStore.MemoryChange;
import io.millrace.store.ContinuousStore.Owner;
import io.millrace.store.ContinuousStore.Registration;
import io.millrace.store.ContinuousStore.TriggerFire;
import io.millrace.store.RetentionStore;
import io.millrace.store.SequenceStore;
import io.millrace.store.SequenceStore.SlotOutcome;
import io.millrace.store.SequenceStore.SlotRecord;
import io.millrace.store.SequenceStore.StoredSlotRecord;
import io.millrace.store.Store;
import io.millrace.store.StoreException;
import io.millrace.store.StoredContinuousWorkflow;
import io.millrace.store.TaskStore.ChangeResult;
import io.millrace.store.sql.SchemaMode;
import io.millrace.store.sql.SqlStore;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Task sequences and continuous workflows with more rows than are deleted at once. */
class RemovalInPartsContractTest extends ScheduleContract {

  private static final int PART = RetentionStore.ROWS_PER_PART;

  private static final OperatorAction BY_ANN = OperatorAction.by("ann", "obsolete");

  RemovalInPartsContractTest(StoreFixture subject) {
    super(subject);
  }

  /** Leaves nothing for other tests of the store. */
  @AfterEach
  void finish() {
    finish(store);
  }

  private static int finish(Store by) {
    int calls = 0;
    while (by.role(SequenceStore.class).resumeRemovals()
            + by.role(ContinuousStore.class).resumeRemovals()
        > 0) {
      calls++;
    }
    return calls;
  }

  private boolean isSql() {
    return subject.dataSource() != null;
  }

  private long rows(String table, String column, String name) {
    try (Connection connection = subject.dataSource().getConnection();
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT COUNT(*) FROM %s WHERE %s = '%s'".formatted(table, column, name))) {
      row.next();
      return row.getLong(1);
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  private void execute(String... statements) {
    try (Connection connection = subject.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
      if (!connection.getAutoCommit()) {
        connection.commit();
      }
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  private long fireRows(String name) {
    return rows("millrace_slot_record", "sequence_id", id(name));
  }

  /**
   * Adds a sequence with so many slots that were missed and, as the last, one that was fired;
   * answers with its execution, which has ended.
   */
  private long heavy(String name, int missed) {
    long execution = addAndFire(name);
    end(execution, InstanceStatus.FINISHED);
    Instant first = now().minus(Duration.ofDays(1));
    List<SlotRecord> unfired =
        IntStream.range(0, missed)
            .mapToObj(i ->
                StoredSequenceSpec.notFired(first.plusMillis(i), SlotOutcome.MISSED, "was down", 1))
            .toList();
    while (store.role(SequenceStore.class).recordEnds(1000) > 0) {}
    assertThat(
            store
                .role(SequenceStore.class)
                .update(StoredSequenceSpec.of(find(name)).build(), unfired))
        .isInstanceOf(ChangeResult.Done.class);
    return execution;
  }

  private void remove(String name) {
    assertThat(store.role(SequenceStore.class).remove(id(name)))
        .isInstanceOf(ChangeResult.Done.class);
  }

  private void assertGone(String name) {
    assertThat(store.role(SequenceStore.class).find(id(name))).isEmpty();
    assertThat(slotRecords(name)).isEmpty();
    assertThat(store.role(SequenceStore.class).newestSlotRecords(List.of(id(name)), 5)).isEmpty();
    assertThat(
            store
                .role(SequenceStore.class)
                .slotRecordsBetween(now().minus(Duration.ofDays(2)), now().plus(HOUR), 100_000))
        .extracting(StoredSlotRecord::sequenceId)
        .doesNotContain(id(name));
    assertThat(store.role(SequenceStore.class).history(null, null, 100).items())
        .noneMatch(task -> task.sequenceId().equals(id(name)));
    assertThat(store.role(SequenceStore.class).remove(id(name)))
        .isEqualTo(new ChangeResult.Missing());
  }

  @Test
  void aSequenceIsGoneAtOnceAndItsFiresAreDeletedInParts() {
    long execution = heavy("w", 2 * PART + 5);

    remove("w");

    assertGone("w");
    if (isSql()) {
      for (long left = 2L * PART + 6; left > 0; left -= PART) {
        assertThat(fireRows("w")).isBetween(left - PART, left);
        store.role(SequenceStore.class).resumeRemovals();
        assertGone("w");
      }
      assertThat(fireRows("w")).isZero();
      assertThat(rows("millrace_sequence_removal", "sequence_id", id("w"))).isZero();
    }
    assertThat(store.role(SequenceStore.class).resumeRemovals()).isZero();
    assertThat(read(execution).position().status()).isEqualTo(InstanceStatus.FINISHED);
    assertThat(read(execution).origin().externalId()).isNull();
  }

  @Test
  void aSequenceThatIsAddedAgainHasNothingOfTheOneBefore() {
    heavy("w", 2 * PART + 5);
    remove("w");

    add(sequence("w").next(now()));

    assertThat(slotRecords("w")).isEmpty();
    long again = fireAll().executions().get(id("w"));
    assertThat(store.role(SequenceStore.class).resumeRemovals()).isZero();
    assertThat(slotRecords("w")).extracting(StoredSlotRecord::executionId).containsExactly(again);
  }

  @Test
  void anotherProcessGoesOn() {
    heavy("w", PART + 5);
    remove("w");
    if (!isSql()) {
      return;
    }
    assertThat(fireRows("w")).isEqualTo(6);

    try (Store other =
        SqlStore.open(
            subject.dataSource(),
            new SqlStore.Options(SchemaMode.VALIDATE, subject.clock(), false))) {
      assertThat(finish(other)).isEqualTo(1);
    }

    assertThat(fireRows("w")).isZero();
  }

  /** A removal whose rows cannot be deleted is named, and keeps no other from its turn. */
  @Test
  void oneThatCannotBeRemovedHoldsUpNoOther() {
    if (!isSql()) {
      return;
    }
    heavy("a", PART + 1);
    heavy("b", PART + 1);
    execute(
        "CREATE TABLE holder (fire bigint REFERENCES millrace_slot_record (id))",
        "INSERT INTO holder SELECT MAX(id) FROM millrace_slot_record WHERE sequence_id = '"
            + id("a")
            + "'");
    try {
      remove("a");
      remove("b");

      assertThat(store.role(SequenceStore.class).resumeRemovals()).isEqualTo(1);
      assertThat(fireRows("b")).isZero();
      assertThatThrownBy(() -> store.role(SequenceStore.class).resumeRemovals())
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("task sequence '" + id("a") + "'");
    } finally {
      execute("DROP TABLE holder");
    }
    assertThat(finish(store)).isEqualTo(1);
    assertThat(fireRows("a")).isZero();
  }

  private Registration registration() {
    return new Registration(
        new StoredContinuousWorkflow.Identity(id("c"), group, type, "{}"), true);
  }

  /**
   * Registers a continuous workflow with that many rows in each table; answers with all of them.
   */
  private long heavyContinuous(int rows) {
    store.role(ContinuousStore.class).register(List.of(registration()));
    StoredContinuousWorkflow workflow =
        store.role(ContinuousStore.class).claim(executor, List.of(id("c"))).getFirst();
    Owner owner =
        new Owner(workflow.name(), workflow.ownership().executorId(), workflow.ownership().epoch());
    List<String> items = IntStream.range(0, rows).mapToObj(i -> "item " + i).toList();
    store
        .role(ContinuousStore.class)
        .fire(
            new TriggerFire(
                owner,
                workflow.run().generation(),
                "1",
                instance().build(),
                null,
                null,
                new MemoryChange(items, List.of())));
    store.role(ContinuousStore.class).offer(id("c"), "key", "{}", 10);
    store.role(ContinuousStore.class).setEnabled(id("c"), false, BY_ANN);
    store.role(ContinuousStore.class).release(List.of(owner), "HAND_OVER", null);
    if (!isSql()) {
      return 0;
    }
    String numbers =
        subject.toString().startsWith("POSTGRES")
            ? "generate_series(1001, " + (1000 + rows) + ") AS n(x)"
            : "SYSTEM_RANGE(1001, " + (1000 + rows) + ") AS n(x)";
    execute(
        "INSERT INTO millrace_continuous_log (name, seq, recorded_at, type, series, generation, epoch) SELECT"
            + " '%s', n.x, CURRENT_TIMESTAMP, 'FIRED', 1, 1, 1 FROM %s".formatted(id("c"), numbers),
        "INSERT INTO millrace_offered_event (name, event_key, payload, offered_at) SELECT"
            + " '%s', 'k' || n.x, '{}', CURRENT_TIMESTAMP FROM %s".formatted(id("c"), numbers));
    return continuousRows();
  }

  private long continuousRows() {
    return rows("millrace_continuous_log", "name", id("c"))
        + rows("millrace_offered_event", "name", id("c"))
        + rows("millrace_trigger_memory", "name", id("c"));
  }

  private void assertNothingOfContinuous() {
    assertThat(store.role(ContinuousStore.class).find(id("c"))).isEmpty();
    assertThat(store.role(ContinuousStore.class).log(id("c"), null, 10)).isEmpty();
    assertThat(store.role(ContinuousStore.class).offeredEvents(id("c"), 10)).isEmpty();
    assertThat(store.role(ContinuousStore.class).memory(id("c"))).isEmpty();
    assertThat(store.role(ContinuousStore.class).remove(id("c"))).isFalse();
  }

  @Test
  void aContinuousWorkflowIsGoneAtOnceAndItsRowsAreDeletedInParts() {
    long left = heavyContinuous(PART - 1);

    assertThat(store.role(ContinuousStore.class).remove(id("c"))).isTrue();

    assertNothingOfContinuous();
    if (isSql()) {
      for (left -= PART; left > 0; left -= PART) {
        assertThat(continuousRows()).isEqualTo(left);
        assertThat(store.role(ContinuousStore.class).resumeRemovals()).isEqualTo(1);
        assertNothingOfContinuous();
      }
      assertThat(continuousRows()).isZero();
      assertThat(rows("millrace_continuous_removal", "name", id("c"))).isZero();
    }
    assertThat(store.role(ContinuousStore.class).resumeRemovals()).isZero();
  }

  @Test
  void aContinuousWorkflowThatIsRegisteredAgainHasNothingOfTheOneBefore() {
    heavyContinuous(PART);
    assertThat(store.role(ContinuousStore.class).remove(id("c"))).isTrue();

    store.role(ContinuousStore.class).register(List.of(registration()));

    assertThat(store.role(ContinuousStore.class).log(id("c"), null, 10))
        .extracting(LogEntry::id)
        .containsExactly(1L);
    assertThat(store.role(ContinuousStore.class).offeredEvents(id("c"), 10)).isEmpty();
    assertThat(store.role(ContinuousStore.class).memory(id("c"))).isEmpty();
    assertThat(store.role(ContinuousStore.class).resumeRemovals()).isZero();
  }
}
