package io.millrace.tests.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.fixtures.store.SaveSpec;
import io.millrace.fixtures.store.StoreContract;
import io.millrace.fixtures.store.StoreFixture;
import io.millrace.instance.HistoryEntry;
import io.millrace.instance.InstanceQuery;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.LogLine;
import io.millrace.instance.WorkflowInstance;
import io.millrace.store.InstanceStore.StepRecord;
import io.millrace.store.OperatorStore.SignalResult;
import io.millrace.store.RetentionStore;
import io.millrace.store.RetentionStore.Overdue;
import io.millrace.store.Store;
import io.millrace.store.StoreException;
import io.millrace.store.sql.SchemaMode;
import io.millrace.store.sql.SqlStore;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.IntSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests of instances with more rows than one call of the retention handles. */
class HeavyInstanceRetentionContractTest extends StoreContract {

  private static final Duration AGE = Duration.ofDays(30);

  /** Maximum number of rows that a call with a limit of 1 handles. */
  private static final int BUDGET = RetentionStore.ROWS_PER_INSTANCE;

  private static final int HEAVY = BUDGET / 2;

  private static final List<String> PARTS = List.of("history", "variable", "message", "step");

  HeavyInstanceRetentionContractTest(StoreFixture subject) {
    super(subject);
  }

  /** Removes the instances of earlier tests. */
  @BeforeEach
  void clear() {
    advance(AGE.multipliedBy(2));
    drain(() -> retention().delete(AGE, 1000));
    drain(() -> retention().deleteArchived(AGE, 1000));
  }

  private static int drain(IntSupplier call) {
    int calls = 0;
    while (call.getAsInt() > 0) {
      calls++;
    }
    return calls;
  }

  private RetentionStore retention() {
    return store.retention();
  }

  /** Starts an instance whose rows, in all tables together, exceed the budget of a transaction. */
  private WorkflowInstance heavy(String externalId) {
    WorkflowInstance held = startAndClaim(instance().externalId(externalId));
    for (int i = 0; i < HEAVY; i++) {
      signal(held, "s" + i, "k" + i);
      store.instances().recordStep(new StepRecord(fence(held), 0, "s" + i, "1"));
    }
    log(held, HEAVY);
    SaveSpec variables = transitionOf(held).keepLease();
    for (int i = 0; i < HEAVY; i++) {
      variables.set("v" + i, "" + i);
    }
    held = saveAccepted(variables);
    for (int i = 0; i < HEAVY; i++) {
      held = saveAccepted(transitionOf(held).keepLease());
    }
    return saveAccepted(transitionOf(held).end(InstanceStatus.FINISHED));
  }

  private WorkflowInstance light() {
    return saveAccepted(transitionOf(startAndClaim()).end(InstanceStatus.FINISHED));
  }

  private void log(WorkflowInstance instance, int lines) {
    LogLine line =
        new LogLine(0, instance.id(), LogLine.Source.NONE, now(), "INFO", "logger", "text");
    store.logs().append(Collections.nCopies(lines, line));
  }

  /**
   * Asserts that nothing of the instance can be read, although some of its rows may still exist.
   */
  private void assertGone(WorkflowInstance gone, String externalId) {
    assertThat(store.queries().find(gone.id())).isEmpty();
    assertThat(store.queries().findByExternalId(type, group, externalId)).isEmpty();
    assertThat(store.queries().variables(gone.id())).isEmpty();
    assertThat(history(gone)).isEmpty();
    assertThat(store.queries().inboxMessages(gone.id(), 10)).isEmpty();
    assertThat(store.logs().lines(gone.id(), 0, 10)).isEmpty();
    assertThat(store.queries().search(InstanceQuery.all().type(type), null).items())
        .extracting(WorkflowInstance::id)
        .doesNotContain(gone.id());
    assertThat(store.queries().count(InstanceQuery.all().type(type).variable("v1", 1), "1", 10))
        .isZero();
    assertThat(signal(gone, "x")).isEqualTo(SignalResult.NOT_FOUND);
  }

  private long rows(String table, String column, long id) {
    try (Connection connection = subject.dataSource().getConnection();
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT COUNT(*) FROM millrace_" + table + " WHERE " + column + " = " + id)) {
      row.next();
      return row.getLong(1);
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  private boolean isSql() {
    return subject.dataSource() != null;
  }

  private List<Long> parts(String side, long id) {
    return PARTS.stream().map(part -> rows(side + part, "instance_id", id)).toList();
  }

  private long sum(String side, long id) {
    return parts(side, id).stream().mapToLong(n -> n).sum();
  }

  @Test
  void aHeavyInstanceIsArchivedInPartsAndSeenWholeOrNotAtAll() {
    WorkflowInstance heavy = heavy("h");
    List<HistoryEntry> whole = history(heavy);
    advance(AGE.plus(SECOND));
    assertThat(whole).hasSizeGreaterThan(HEAVY);
    List<Long> before = isSql() ? parts("", heavy.id()) : List.of();
    long all = before.stream().mapToLong(n -> n).sum();

    int calls = 0;
    for (long moved = 0; retention().archive(AGE, 1) > 0; calls++) {
      assertGone(heavy, "h");
      if (isSql()) {
        long archived = sum("archive_", heavy.id());
        assertThat(archived - moved).isBetween(0L, (long) BUDGET);
        assertThat(archived + sum("", heavy.id())).isEqualTo(all);
        moved = archived;
      }
    }

    assertThat(retention().archive(AGE, 1)).isZero();
    if (isSql()) {
      assertThat(calls).isGreaterThan((int) all / BUDGET);
      assertThat(parts("archive_", heavy.id())).isEqualTo(before);
      assertThat(rows("log", "instance_id", heavy.id())).isZero();
      assertThat(rows("archive_instance", "id", heavy.id())).isEqualTo(1);
      assertThat(rows("removal", "instance_id", heavy.id())).isZero();
    }
  }

  @Test
  void aHeavyInstanceIsDeletedInParts() {
    WorkflowInstance heavy = heavy("h");
    advance(AGE.plus(SECOND));

    int calls = 0;
    for (; retention().delete(AGE, 1) > 0; calls++) {
      assertGone(heavy, "h");
    }

    if (isSql()) {
      assertThat(calls).isGreaterThan(PARTS.size() * HEAVY / BUDGET);
      assertThat(sum("", heavy.id())).isZero();
      assertThat(sum("archive_", heavy.id())).isZero();
      assertThat(rows("log", "instance_id", heavy.id())).isZero();
      assertThat(rows("removal", "instance_id", heavy.id())).isZero();
    }
  }

  @Test
  void aHeavyInstanceIsDeletedFromTheArchiveInParts() {
    WorkflowInstance heavy = heavy("h");
    advance(AGE.plus(SECOND));
    drain(() -> retention().archive(AGE, 100));

    int calls = drain(() -> retention().deleteArchived(AGE, 1));

    assertThat(calls).isPositive();
    if (isSql()) {
      assertThat(calls).isGreaterThan(PARTS.size() * HEAVY / BUDGET);
      assertThat(rows("archive_instance", "id", heavy.id())).isZero();
      assertThat(sum("archive_", heavy.id())).isZero();
      assertThat(rows("removal", "instance_id", heavy.id())).isZero();
    }
  }

  /**
   * A partly archived instance is archived completely before it is deleted, so that nothing is left
   * over.
   */
  @Test
  void whatIsNotWhollyArchivedIsNotDeletedFromTheArchive() {
    WorkflowInstance heavy = heavy("h");
    advance(AGE.plus(SECOND));
    assertThat(retention().archive(AGE, 1)).isEqualTo(1);

    drain(() -> retention().deleteArchived(AGE, 1));

    if (isSql()) {
      assertThat(rows("archive_instance", "id", heavy.id())).isZero();
      assertThat(sum("archive_", heavy.id())).isZero();
      assertThat(sum("", heavy.id())).isZero();
      assertThat(rows("removal", "instance_id", heavy.id())).isZero();
    }
  }

  /** The progress of a part is stored in the database, so any process can continue. */
  @Test
  void anotherProcessGoesOnWithoutAnyPolicy() {
    WorkflowInstance heavy = heavy("h");
    advance(AGE.plus(SECOND));
    assertThat(retention().archive(AGE, 1)).isEqualTo(1);
    assertGone(heavy, "h");
    if (!isSql()) {
      assertThat(retention().resume(1)).isZero();
      return;
    }
    assertThat(sum("", heavy.id())).isPositive();

    try (Store other =
        SqlStore.open(
            subject.dataSource(),
            new SqlStore.Options(SchemaMode.VALIDATE, subject.clock(), false))) {
      drain(() -> other.retention().resume(1));
    }

    assertThat(sum("", heavy.id())).isZero();
    assertThat(sum("archive_", heavy.id())).isGreaterThan((long) PARTS.size() * HEAVY);
    assertThat(rows("removal", "instance_id", heavy.id())).isZero();
  }

  @Test
  void othersAreNotHeldUpByHeavyOnes() {
    WorkflowInstance first = heavy("h1");
    WorkflowInstance second = heavy("h2");
    advance(SECOND);
    List<WorkflowInstance> light = IntStream.range(0, 5).mapToObj(i -> light()).toList();
    advance(AGE.plus(SECOND));

    List<Integer> handled = new ArrayList<>();
    while (light.stream().anyMatch(one -> store.queries().find(one.id()).isPresent())) {
      handled.add(retention().archive(AGE, 3));
    }

    assertThat(handled).hasSizeLessThan(5).doesNotContain(0);
    assertGone(first, "h1");
    assertGone(second, "h2");
    drain(() -> retention().archive(AGE, 100));
    assertThat(drain(() -> retention().deleteArchived(AGE, 100))).isPositive();
  }

  /** Its transactions hold as many instances as fit. */
  @Test
  void aCallHandlesAsManyInstancesAsItsLimitWhateverTheirRows() {
    for (int i = 0; i < 4; i++) {
      WorkflowInstance held = startAndClaim();
      log(held, BUDGET);
      saveAccepted(transitionOf(held).end(InstanceStatus.FINISHED));
    }
    advance(AGE.plus(SECOND));

    assertThat(retention().archive(AGE, 3)).isEqualTo(3);
    assertThat(retention().archive(AGE, 3)).isEqualTo(1);
    assertThat(retention().deleteArchived(AGE, 3)).isEqualTo(3);
  }

  @Test
  void whatIsOverdueIsFound() {
    assertThat(retention().overdue(AGE)).isEmpty();
    WorkflowInstance oldest = heavy("h");
    advance(SECOND);
    light();
    advance(AGE.minus(SECOND));
    assertThat(retention().overdue(AGE)).isEmpty();

    advance(SECOND);
    Overdue overdue = new Overdue(oldest.id(), read(oldest).timing().ended());
    assertThat(retention().overdue(AGE)).contains(overdue);
    retention().archive(AGE, 1);
    assertThat(retention().overdue(AGE))
        .isEqualTo(isSql() ? Optional.of(overdue) : Optional.empty());
    assertThat(retention().overdueArchived(AGE)).contains(overdue);

    drain(() -> retention().archive(AGE, 10));
    assertThat(retention().overdue(AGE)).isEmpty();
    retention().deleteArchived(AGE, 1);
    assertThat(retention().overdueArchived(AGE))
        .isEqualTo(isSql() ? Optional.of(overdue) : Optional.empty());
    drain(() -> retention().deleteArchived(AGE, 10));
    assertThat(retention().overdueArchived(AGE)).isEmpty();
  }

  /** A child whose parent keeps it is not overdue. */
  @Test
  void onlyChildrenThatNoParentKeepsAreOverdue() {
    WorkflowInstance parent = startAndClaim();
    saveAccepted(
        transitionOf(parent).child(instance().externalId("c").heldBy(executor)).keepLease());
    WorkflowInstance child = store.queries().findByExternalId(type, group, "c").orElseThrow();
    saveAccepted(transitionOf(child).end(InstanceStatus.FINISHED));
    advance(AGE.plus(SECOND));
    assertThat(retention().overdue(AGE)).isEmpty();

    saveAccepted(transitionOf(read(parent)).end(InstanceStatus.FINISHED));
    assertThat(retention().overdue(AGE)).map(Overdue::instanceId).contains(child.id());
  }

  /** An instance that cannot be archived is reported, and the next calls skip it. */
  @Test
  void oneThatCannotBeArchivedIsNamedAndPassedOver() throws SQLException {
    if (!isSql()) {
      return;
    }
    WorkflowInstance bad = light();
    advance(SECOND);
    WorkflowInstance good = light();
    advance(AGE.plus(SECOND));
    execute(
        "INSERT INTO millrace_archive_history (instance_id, seq, type, from_state, to_state,"
            + " lease_version, attempt, started_at, ended_at) VALUES ("
            + bad.id()
            + ", 1, 'x', 'x', 'x', 1, 1, CURRENT_TIMESTAMP, CURRENT_TIMESTAMP)");

    assertThat(failure(() -> retention().archive(AGE, 2))).contains(bad.id() + " and 1 more");
    assertThat(failure(() -> retention().archive(AGE, 1)))
        .startsWith("Instance " + bad.id() + " is skipped for now: ");
    assertThat(retention().resume(1)).isZero();
    assertThat(retention().deleteArchived(AGE, 1)).isZero();
    assertThat(retention().archive(AGE, 1)).isEqualTo(1);
    assertThat(store.queries().find(good.id())).isEmpty();
    assertThat(retention().archive(AGE, 1)).isZero();

    execute("DELETE FROM millrace_archive_history WHERE instance_id = " + bad.id());
    assertThat(retention().archive(AGE, 1)).isEqualTo(1);
    assertThat(store.queries().find(bad.id())).isEmpty();
  }

  private static String failure(IntSupplier call) {
    try {
      return "handled " + call.getAsInt();
    } catch (StoreException e) {
      return e.getMessage();
    }
  }

  private void execute(String sql) throws SQLException {
    try (Connection connection = subject.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
      if (!connection.getAutoCommit()) {
        connection.commit();
      }
    }
  }
}
