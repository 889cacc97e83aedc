package io.millrace.tests.sequence.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.fixtures.store.SaveSpec;
import io.millrace.fixtures.store.ScheduleContract;
import io.millrace.fixtures.store.StoreFixture;
import io.millrace.fixtures.store.StoredSequenceSpec;
import io.millrace.instance.Due;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.InvalidRequestException;
import io.millrace.instance.Page;
import io.millrace.store.OperatorCommand;
import io.millrace.store.SequenceStore;
import io.millrace.store.SequenceStore.TaskPosition;
import io.millrace.store.SequenceStore.TaskVisit;
import io.millrace.store.SequenceStore.VisitTimes;
import io.millrace.store.TaskStore;
import io.millrace.store.TaskStore.CompiledState;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tests of the tasks that an execution has visited, as the store and the view for pages report
 * them.
 */
class TaskHistoryContractTest extends ScheduleContract {

  private int second;

  TaskHistoryContractTest(StoreFixture subject) {
    super(subject);
  }

  /** Adds a sequence of the states {@code begin} and {@code second}, which ends in {@code end}. */
  @BeforeEach
  void addShape() {
    second = addTask("second");
    store
        .role(TaskStore.class)
        .compiledSequence(
            type,
            "print",
            "{}",
            List.of(
                new CompiledState("begin", 1, task, second),
                new CompiledState("second", 2, second, -1)));
  }

  private List<TaskVisit> history(String name) {
    List<TaskVisit> history = store.role(SequenceStore.class).history(id(name), null, 100).items();
    assertThat(viewed(id(name)))
        .isEqualTo(subject.dataSource() == null ? List.of() : rows(history));
    return history;
  }

  private TaskVisit first(
      long execution,
      String name,
      Instant from,
      Instant to,
      String status,
      String log,
      int retries) {
    TaskPosition taskPosition = new TaskPosition(task, second, 1);
    return new TaskVisit(
        execution, id(name), taskPosition, new VisitTimes(from, to), status, log, retries);
  }

  private TaskVisit last(
      long execution,
      String name,
      Instant from,
      Instant to,
      String status,
      String log,
      int retries) {
    TaskPosition taskPosition = new TaskPosition(second, -1, 2);
    return new TaskVisit(
        execution, id(name), taskPosition, new VisitTimes(from, to), status, log, retries);
  }

  @Test
  void tellsOfEachTaskFromItsBeginToItsEnd() {
    Instant start = now();
    long id = addAndFire("w");
    assertThat(history("w")).containsExactly(first(id, "w", start, null, "NOT_STARTED", null, 0));
    advance(SECOND);
    claimed(id);
    assertThat(history("w")).containsExactly(first(id, "w", start, null, "IN_PROGRESS", null, 0));

    saveAccepted(transitionOf(read(id)).retry(SECOND).reason("no luck").error("trace"));
    Instant begun = now().minus(SaveSpec.TOOK);
    assertThat(history("w")).containsExactly(first(id, "w", begun, null, "ERROR", "no luck", 0));
    advance(SECOND.multipliedBy(2));
    claimed(id);
    assertThat(history("w"))
        .containsExactly(first(id, "w", begun, null, "IN_PROGRESS", "no luck", 1));

    Instant between = now();
    saveAccepted(transitionOf(read(id)).to("second").reason("made 3 rows"));
    assertThat(history("w"))
        .containsExactly(
            last(id, "w", between, null, "NOT_STARTED", null, 0),
            first(id, "w", begun, between, "COMPLETED", "made 3 rows", 1));
    advance(SECOND);
    claimed(id);
    saveAccepted(transitionOf(read(id)).to("end").end(InstanceStatus.FINISHED).reason("sent"));

    assertThat(history("w"))
        .containsExactly(
            last(id, "w", now().minus(SaveSpec.TOOK), now(), "COMPLETED", "sent", 0),
            first(id, "w", begun, between, "COMPLETED", "made 3 rows", 1));
  }

  @Test
  void tellsOfWhatFailedForGood() {
    long id = addAndFire("w");
    claimed(id);
    saveAccepted(
        transitionOf(read(id)).retry(SECOND).end(InstanceStatus.FAILED).reason("given up"));

    assertThat(history("w"))
        .containsExactly(
            first(id, "w", now().minus(SaveSpec.TOOK), now(), "ABORTED", "given up", 0));

    Instant failed = now();
    applyAccepted(read(id), new OperatorCommand.Retry());
    assertThat(history("w"))
        .singleElement()
        .satisfies(visit -> {
          assertThat(visit.status()).isEqualTo("IN_PROGRESS");
          assertThat(visit.times().ended()).isNull();
          assertThat(visit.statusLog()).isEqualTo("because");
        });
    advance(SECOND);
    claimed(id);
    saveAccepted(transitionOf(read(id)).to("end").end(InstanceStatus.FINISHED).reason("at last"));
    assertThat(history("w"))
        .containsExactly(
            first(id, "w", failed.minus(SaveSpec.TOOK), now(), "COMPLETED", "at last", 1));
  }

  @Test
  void aCancelledOneStillTellsWhyItHadFailed() {
    long id = addAndFire("w");
    claimed(id);
    saveAccepted(
        transitionOf(read(id))
            .retry(SECOND)
            .end(InstanceStatus.FAILED)
            .reason("disk full")
            .error("trace"));
    applyAccepted(read(id), new OperatorCommand.Cancel());

    assertThat(history("w").getFirst().statusLog()).isEqualTo("disk full (because)");
    assertThat(read(id).position().reason()).isEqualTo("disk full (because)");
  }

  @Test
  void tellsOfWhatPeopleDid() {
    long cancelled = addAndFire("cancelled");
    applyAccepted(read(cancelled), new OperatorCommand.Cancel());
    long moved = addAndFire("moved");
    applyAccepted(
        read(moved),
        new OperatorCommand.Move("second", InstanceStatus.IN_PROGRESS, Due.NOW, null, null));

    assertThat(history("cancelled"))
        .containsExactly(first(cancelled, "cancelled", now(), now(), "ABORTED", "because", 0));
    assertThat(history("moved"))
        .containsExactly(
            last(moved, "moved", now(), null, "NOT_STARTED", null, 0),
            first(moved, "moved", now(), now(), "ABORTED", "because", 0));
  }

  @Test
  void countsTheDeathOfAHolderAsAnAttempt() {
    long id = addAndFire("w");
    claimed(id);
    expireLeases();
    long heir = register();
    store.executors().recover(executor, heir, 10, 5);
    claim(heir, 10);

    assertThat(history("w"))
        .singleElement()
        .satisfies(visit -> {
          assertThat(visit.retries()).isEqualTo(1);
          assertThat(visit.status()).isEqualTo("IN_PROGRESS");
        });
  }

  @Test
  void readsPageByPage() {
    List<Long> executions = new ArrayList<>();
    add(sequence("w").next(now()));
    for (int i = 0; i < 3; i++) {
      long id = fireAll().executions().get(id("w"));
      executions.addFirst(id);
      claimed(id);
      saveAccepted(transitionOf(read(id)).to("second").keepLease());
      saveAccepted(transitionOf(read(id)).to("end").end(InstanceStatus.FINISHED));
      store.role(SequenceStore.class).recordEnds(10);
      advance(HOUR);
    }
    store
        .role(SequenceStore.class)
        .update(StoredSequenceSpec.of(find("w")).times(null, null).build());
    long other = addAndFire("other");
    List<TaskVisit> all = history("w");
    assertThat(all)
        .extracting(TaskVisit::executionId)
        .containsExactly(
            executions.get(0),
            executions.get(0),
            executions.get(1),
            executions.get(1),
            executions.get(2),
            executions.get(2));

    assertThat(pages(id("w"), 1)).isEqualTo(all);
    assertThat(pages(id("w"), 4)).isEqualTo(all);
    assertThat(store.role(SequenceStore.class).history(id("w"), null, 6).next()).isNull();
    List<TaskVisit> ofAll = store.role(SequenceStore.class).history(null, null, 7).items();
    assertThat(ofAll.getFirst().executionId()).isEqualTo(other);
    assertThat(ofAll.subList(1, 7)).isEqualTo(all);
    assertThatThrownBy(() -> store.role(SequenceStore.class).history(null, "x_y", 3))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("'x_y'");
  }

  private List<TaskVisit> pages(String sequenceId, int limit) {
    List<TaskVisit> all = new ArrayList<>();
    String cursor = null;
    do {
      Page<TaskVisit> page = store.role(SequenceStore.class).history(sequenceId, cursor, limit);
      assertThat(page.items()).hasSizeBetween(1, limit);
      all.addAll(page.items());
      cursor = page.next();
    } while (cursor != null);
    return all;
  }

  @Test
  void leavesOutWhatIsArchivedAndWhatIsNoExecution() {
    long id = addAndFire("w");
    end(id, InstanceStatus.FINISHED);
    start(instance().businessKey(id("w")).state("elsewhere"));
    store.role(SequenceStore.class).recordEnds(10);
    assertThat(store.role(SequenceStore.class).history(null, null, 1).items())
        .singleElement()
        .extracting(TaskVisit::executionId)
        .isEqualTo(id);
    advance(Duration.ofDays(9));
    store.retention().archive(Duration.ofDays(1), 1000);

    assertThat(history("w")).isEmpty();
    assertThat(store.role(SequenceStore.class).history(null, null, 100).items())
        .extracting(TaskVisit::executionId)
        .doesNotContain(id);
  }

  /** Returns the rows of the view for a sequence, newest first; empty without SQL. */
  private List<List<Object>> viewed(String sequenceId) {
    List<List<Object>> rows = new ArrayList<>();
    if (subject.dataSource() == null) {
      return rows;
    }
    try (Connection connection = subject.dataSource().getConnection();
        PreparedStatement query =
            connection.prepareStatement(
                """
                SELECT execution_id, task_id, next_task_id, position, status, status_log, retry_count,
                  started_at, ended_at
                FROM millrace_task_visit
                WHERE sequence_id = ? ORDER BY execution_id DESC, entered_seq DESC
                """)) {
      query.setString(1, sequenceId);
      ResultSet row = query.executeQuery();
      while (row.next()) {
        List<Object> values = new ArrayList<>();
        for (int i = 1; i <= 7; i++) {
          values.add(row.getString(i));
        }
        values.add(row.getObject(8, OffsetDateTime.class).toInstant());
        OffsetDateTime ended = row.getObject(9, OffsetDateTime.class);
        values.add(ended == null ? null : ended.toInstant());
        rows.add(values);
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    return rows;
  }

  private static List<List<Object>> rows(List<TaskVisit> history) {
    return history.stream().map(TaskHistoryContractTest::row).toList();
  }

  private static List<Object> row(TaskVisit visit) {
    TaskPosition taskPosition = visit.task();
    List<Object> row = new ArrayList<>();
    row.add(String.valueOf(visit.executionId()));
    row.add(String.valueOf(taskPosition.taskId()));
    row.add(String.valueOf(taskPosition.nextTask()));
    row.add(String.valueOf(taskPosition.position()));
    row.add(visit.status());
    row.add(visit.statusLog());
    row.add(String.valueOf(visit.retries()));
    row.add(visit.times().started());
    row.add(visit.times().ended());
    return row;
  }
}
