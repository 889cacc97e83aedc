package io.millrace.verification.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.instance.ExecutorInfo;
import io.millrace.instance.InstanceQuery;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.LogLine;
import io.millrace.instance.WorkflowInstance;
import io.millrace.store.DeedCommand;
import io.millrace.store.Fence;
import io.millrace.store.OperatorStore.DeedResult;
import io.millrace.store.OperatorStore.SignalResult;
import io.millrace.store.QueryStore.ChildVariable;
import io.millrace.store.RetentionStore;
import io.millrace.store.SaveResult;
import io.millrace.store.WorkStore.StepRecord;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RetentionContractTest extends StoreContract {

  private static final Duration AGE = Duration.ofDays(30);

  RetentionContractTest(StoreUnderTest subject) {
    super(subject);
  }

  /** Clears away what the tests before have left. */
  @BeforeEach
  void clear() {
    pass(AGE.multipliedBy(2));
    drain(() -> retention().delete(AGE, 1000));
    drain(() -> retention().deleteArchived(AGE, 1000));
    drain(() -> retention().deleteExecutors(AGE, 1000));
  }

  private static void drain(IntSupplier call) {
    while (call.getAsInt() > 0) {}
  }

  private RetentionStore retention() {
    return store.retention();
  }

  private WorkflowInstance ended() {
    return ended(instance());
  }

  private WorkflowInstance ended(StartSpec spec) {
    return saved(move(held(spec)).end(InstanceStatus.FINISHED));
  }

  private boolean exists(WorkflowInstance instance) {
    return store.queries().find(instance.id()).isPresent();
  }

  /** One with something in every table. */
  private WorkflowInstance full() {
    WorkflowInstance held = held(instance().externalId("e").input("1").variable("v", "1"));
    signal(held, "a", "k");
    store.work().recordStep(new StepRecord(fence(held), 0, "s", "1"));
    log(held);
    return saved(move(held).consume(inbox(held)).end(InstanceStatus.FINISHED));
  }

  private void log(WorkflowInstance instance) {
    store
        .logs()
        .append(
            List.of(
                new LogLine(
                    0, instance.id(), LogLine.Place.NONE, now(), "INFO", "logger", "text")));
    assertThat(store.logs().lines(instance.id(), 0, 10)).isNotEmpty();
  }

  private void assertGone(WorkflowInstance gone) {
    assertThat(store.queries().find(gone.id())).isEmpty();
    assertThat(store.queries().findByExternalId(type, group, "e")).isEmpty();
    assertThat(store.queries().input(gone.id())).isEmpty();
    assertThat(store.queries().variables(gone.id())).isEmpty();
    assertThat(history(gone)).isEmpty();
    assertThat(store.queries().signals(gone.id(), 10)).isEmpty();
    assertThat(store.logs().lines(gone.id(), 0, 10)).isEmpty();
    assertThat(store.queries().search(InstanceQuery.all().type(type), null).items()).isEmpty();
    assertThat(signal(gone, "x")).isEqualTo(SignalResult.NOT_FOUND);
    assertThat(apply(gone, new DeedCommand.Cancel())).isEqualTo(new DeedResult.NotFound());
    Fence fence = new Fence(gone.id(), executor, 1, 1);
    assertThat(save(move(gone).fence(fence))).isEqualTo(new SaveResult.Fenced());
    assertThat(store.work().release(List.of(fence))).isZero();
  }

  @Test
  void deletionTakesAllThatBelongsToAnInstance() {
    WorkflowInstance gone = full();
    pass(AGE.plus(SECOND));

    assertThat(retention().delete(AGE, 10)).isEqualTo(1);
    assertGone(gone);
    assertThat(retention().delete(AGE, 10)).isZero();
    assertThat(start(instance().externalId("e"))).isNotEqualTo(gone.id());
  }

  @Test
  void archivingTakesAllThatBelongsToAnInstance() {
    WorkflowInstance gone = full();
    pass(AGE.plus(SECOND));

    assertThat(retention().archive(AGE, 10)).isEqualTo(1);
    assertGone(gone);
    assertThat(retention().archive(AGE, 10)).isZero();
    assertThat(retention().delete(AGE, 10)).isZero();
  }

  /** What memory keeps nobody can read. */
  @Test
  void theArchiveKeepsTheFailure() throws SQLException {
    WorkflowInstance failed = saved(move(held()).end(InstanceStatus.FAILED).failure("f1"));
    pass(AGE.plus(SECOND));

    assertThat(retention().archive(AGE, 10)).isEqualTo(1);
    if (subject.dataSource() != null) {
      try (Connection connection = subject.dataSource().getConnection();
          Statement statement = connection.createStatement();
          ResultSet row =
              statement.executeQuery(
                  "SELECT failure FROM millrace_archive_workflow WHERE id = " + failed.id())) {
        assertThat(row.next()).isTrue();
        assertThat(row.getString(1)).isEqualTo("f1");
      }
    }
  }

  @Test
  void anExternalIdIsFreeAfterArchivingAndMayBeArchivedAgain() {
    full();
    pass(AGE.plus(SECOND));
    retention().archive(AGE, 10);
    full();
    pass(AGE.plus(SECOND));

    assertThat(retention().archive(AGE, 10)).isEqualTo(1);
    assertThat(retention().deleteArchived(AGE, 10)).isEqualTo(2);
  }

  @Test
  void whatWasArchivedIsDeletedByTheTimeOfItsEnd() {
    ended();
    pass(AGE.plus(SECOND));
    ended();
    pass(SECOND);
    assertThat(retention().archive(Duration.ZERO, 10)).isEqualTo(2);

    assertThat(retention().deleteArchived(AGE, 10)).isEqualTo(1);
    assertThat(retention().deleteArchived(AGE, 10)).isZero();
    pass(AGE);
    assertThat(retention().deleteArchived(AGE, 10)).isEqualTo(1);
  }

  @Test
  void archivedInstancesAreDeletedInBatches() {
    for (int i = 0; i < 5; i++) {
      ended();
    }
    pass(AGE.plus(SECOND));

    assertThat(retention().archive(AGE, 3)).isEqualTo(3);
    assertThat(retention().archive(AGE, 3)).isEqualTo(2);
    assertThat(retention().archive(AGE, 3)).isZero();
    assertThat(retention().deleteArchived(AGE, 4)).isEqualTo(4);
    assertThat(retention().deleteArchived(AGE, 4)).isEqualTo(1);
    assertThat(retention().deleteArchived(AGE, 4)).isZero();
  }

  @Test
  void onlyWhatEndedLongerAgoThanTheAgeGoes() {
    WorkflowInstance ended = ended();
    pass(AGE);
    assertThat(retention().delete(AGE, 10)).isZero();
    assertThat(retention().archive(AGE, 10)).isZero();

    pass(Duration.ofMillis(1));
    assertThat(retention().delete(AGE, 10)).isEqualTo(1);
    assertThat(exists(ended)).isFalse();
  }

  @Test
  void whatHasNotEndedStaysHoweverOldItIs() {
    List<WorkflowInstance> living =
        List.of(
            read(start(instance().due(NEVER))),
            waitingFor(PAID),
            saved(move(held()).status(InstanceStatus.MANUAL)),
            done(read(start(instance())), new DeedCommand.Pause()),
            held());
    pass(AGE.multipliedBy(100));

    assertThat(retention().delete(AGE, 10)).isZero();
    assertThat(retention().archive(AGE, 10)).isZero();
    assertThat(living).allMatch(this::exists);
  }

  @Test
  void whatWasRevivedStays() {
    WorkflowInstance failed = saved(move(held()).end(InstanceStatus.FAILED));
    pass(AGE.plus(SECOND));
    done(failed, new DeedCommand.Retry());

    assertThat(retention().delete(AGE, 10)).isZero();
  }

  @Test
  void allKindsOfEndsGo() {
    saved(move(held()).end(InstanceStatus.FINISHED));
    saved(move(held()).end(InstanceStatus.FAILED));
    done(held(), new DeedCommand.Cancel());
    pass(AGE.plus(SECOND));

    assertThat(retention().delete(AGE, 10)).isEqualTo(3);
  }

  @Test
  void theOldestEndsGoFirst() {
    WorkflowInstance first = held();
    WorkflowInstance second = held();
    saved(move(second).end(InstanceStatus.FINISHED));
    pass(SECOND);
    saved(move(first).end(InstanceStatus.FINISHED));
    pass(AGE.plus(SECOND));

    assertThat(retention().delete(AGE, 1)).isEqualTo(1);
    assertThat(exists(second)).isFalse();
    assertThat(exists(first)).isTrue();
  }

  @Test
  void aChildStaysUntilItsParentHasEnded() {
    WorkflowInstance parent = held();
    saved(move(parent).child(instance().externalId("c").heldBy(executor)).keepLease());
    WorkflowInstance child = store.queries().findByExternalId(type, group, "c").orElseThrow();
    saved(move(child).end(InstanceStatus.FINISHED));
    pass(AGE.plus(SECOND));
    assertThat(retention().delete(AGE, 10)).isZero();
    assertThat(retention().archive(AGE, 10)).isZero();
    assertThat(exists(child)).isTrue();

    saved(move(read(parent)).end(InstanceStatus.FINISHED));
    assertThat(retention().delete(AGE, 10)).isEqualTo(1);
    assertThat(exists(child)).isFalse();
    assertThat(exists(parent)).isTrue();
  }

  /** A failed parent can be retried and then reads what its children have left. */
  @Test
  void aChildOfAFailedParentStaysAsLongAsItsParent() {
    WorkflowInstance parent = held();
    saved(move(parent).child(instance().externalId("c").heldBy(executor)).keepLease());
    WorkflowInstance child = store.queries().findByExternalId(type, group, "c").orElseThrow();
    saved(move(child).end(InstanceStatus.FINISHED));
    pass(AGE);
    saved(move(read(parent)).end(InstanceStatus.FAILED));
    pass(SECOND);
    assertThat(retention().delete(AGE, 10)).isZero();
    assertThat(retention().archive(AGE, 10)).isZero();
    assertThat(exists(child)).isTrue();

    pass(AGE);
    drain(() -> retention().archive(AGE, 10));
    assertThat(exists(parent)).isFalse();
    assertThat(exists(child)).isFalse();
  }

  @Test
  void theChildrenOfARetriedParentStayUntilItHasEndedForGood() {
    WorkflowInstance parent = held();
    saved(move(parent).child(instance().externalId("c").heldBy(executor)).keepLease());
    WorkflowInstance child = store.queries().findByExternalId(type, group, "c").orElseThrow();
    saved(move(child).set("v", "1").end(InstanceStatus.FINISHED));
    saved(move(read(parent)).end(InstanceStatus.FAILED));
    pass(AGE.plus(SECOND));
    done(parent, new DeedCommand.Retry());
    assertThat(retention().archive(AGE, 10)).isZero();
    assertThat(store.queries().childVariables(parent.id(), "v"))
        .extracting(ChildVariable::json)
        .containsExactly("1");

    saved(move(claimOne()).end(InstanceStatus.FINISHED));
    assertThat(retention().archive(AGE, 10)).isEqualTo(1);
    assertThat(exists(child)).isFalse();
  }

  @Test
  void aChildOfACancelledParentGoesByItsOwnAge() {
    WorkflowInstance parent = held();
    saved(move(parent).child(instance().externalId("c").heldBy(executor)).keepLease());
    WorkflowInstance child = store.queries().findByExternalId(type, group, "c").orElseThrow();
    saved(move(child).end(InstanceStatus.FINISHED));
    pass(AGE);
    done(parent, new DeedCommand.Cancel());
    pass(SECOND);

    assertThat(retention().delete(AGE, 10)).isEqualTo(1);
    assertThat(exists(child)).isFalse();
    assertThat(exists(parent)).isTrue();
  }

  @Test
  void childrenThatMustStayDoNotBlockOthersBehindThem() {
    WorkflowInstance parent = held();
    SaveSpec spec = move(parent).keepLease();
    for (int i = 0; i < 5; i++) {
      spec.child(instance());
    }
    saved(spec);
    claim(10).forEach(child -> saved(move(child).end(InstanceStatus.FINISHED)));
    pass(SECOND);
    WorkflowInstance other = ended();
    pass(AGE.plus(SECOND));

    assertThat(retention().delete(AGE, 2)).isEqualTo(1);
    assertThat(exists(other)).isFalse();
  }

  @Test
  void aParentAndItsChildrenMayGoTogether() {
    WorkflowInstance parent = held();
    saved(move(parent).child(instance().externalId("c").heldBy(executor)).keepLease());
    WorkflowInstance child = store.queries().findByExternalId(type, group, "c").orElseThrow();
    saved(move(child).end(InstanceStatus.FINISHED));
    saved(move(read(parent)).end(InstanceStatus.FINISHED));
    pass(AGE.plus(SECOND));

    assertThat(retention().archive(AGE, 10)).isEqualTo(2);
    assertThat(retention().deleteArchived(AGE, 10)).isEqualTo(2);
  }

  @Test
  void aChildOfAnArchivedParentGoesToo() {
    WorkflowInstance parent = held();
    saved(move(parent).child(instance().externalId("c").heldBy(executor)).keepLease());
    WorkflowInstance child = store.queries().findByExternalId(type, group, "c").orElseThrow();
    saved(move(read(parent)).end(InstanceStatus.FINISHED));
    pass(AGE.plus(SECOND));
    assertThat(retention().archive(AGE, 10)).isEqualTo(1);

    saved(move(child).end(InstanceStatus.FINISHED));
    pass(AGE.plus(SECOND));
    assertThat(retention().delete(AGE, 10)).isEqualTo(1);
  }

  @Test
  void stoppedAndRecoveredExecutorsGoWithAge() {
    long recovered = register();
    expire();
    store.executors().renew(executor, TTL, ExecutorInfo.Load.NONE);
    store.executors().recover(recovered, executor, 10, 3);
    long stopped = register();
    store.executors().stop(stopped);
    long silent = register();
    pass(AGE);
    assertThat(retention().deleteExecutors(AGE, 10)).isZero();

    pass(SECOND);
    assertThat(retention().deleteExecutors(AGE, 1)).isEqualTo(1);
    assertThat(retention().deleteExecutors(AGE, 10)).isEqualTo(1);
    assertThat(retention().deleteExecutors(AGE, 10)).isZero();
    assertThat(store.executors().list(group))
        .extracting(ExecutorInfo::id)
        .containsExactly(silent, executor);
  }

  @Test
  void anExecutorThatStillHoldsSomethingStays() {
    held();
    store.executors().stop(executor);
    pass(AGE.plus(SECOND));

    assertThat(retention().deleteExecutors(AGE, 10)).isZero();
    assertThat(store.executors().expired(group)).containsExactly(executor);
  }

  @Test
  void historySurvivesItsExecutor() {
    WorkflowInstance moved = saved(move(held()).due(NEVER));
    store.executors().stop(executor);
    pass(AGE.plus(SECOND));
    assertThat(retention().deleteExecutors(AGE, 10)).isEqualTo(1);

    assertThat(lastAction(moved).author().executorId()).isEqualTo(executor);
  }
}
