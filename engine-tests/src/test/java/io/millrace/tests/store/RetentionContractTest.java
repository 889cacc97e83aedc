package io.millrace.tests.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.fixtures.store.SaveSpec;
import io.millrace.fixtures.store.StartSpec;
import io.millrace.fixtures.store.StoreContract;
import io.millrace.fixtures.store.StoreFixture;
import io.millrace.instance.ExecutorInfo;
import io.millrace.instance.InstanceQuery;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.LogLine;
import io.millrace.instance.WorkflowInstance;
import io.millrace.store.Fence;
import io.millrace.store.InstanceStore.StepRecord;
import io.millrace.store.OperatorCommand;
import io.millrace.store.OperatorStore.CommandResult;
import io.millrace.store.OperatorStore.SignalResult;
import io.millrace.store.QueryStore.ChildVariable;
import io.millrace.store.RetentionStore;
import io.millrace.store.SaveResult;
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

  RetentionContractTest(StoreFixture subject) {
    super(subject);
  }

  /** Removes the instances of earlier tests. */
  @BeforeEach
  void clear() {
    advance(AGE.multipliedBy(2));
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
    return saveAccepted(transitionOf(startAndClaim(spec)).end(InstanceStatus.FINISHED));
  }

  private boolean exists(WorkflowInstance instance) {
    return store.queries().find(instance.id()).isPresent();
  }

  /** Returns an instance with a row in every table. */
  private WorkflowInstance full() {
    WorkflowInstance held = startAndClaim(instance().externalId("e").input("1").variable("v", "1"));
    signal(held, "a", "k");
    store.instances().recordStep(new StepRecord(fence(held), 0, "s", "1"));
    log(held);
    return saveAccepted(
        transitionOf(held).consume(unconsumedMessages(held)).end(InstanceStatus.FINISHED));
  }

  private void log(WorkflowInstance instance) {
    store
        .logs()
        .append(
            List.of(
                new LogLine(
                    0, instance.id(), LogLine.Source.NONE, now(), "INFO", "logger", "text")));
    assertThat(store.logs().lines(instance.id(), 0, 10)).isNotEmpty();
  }

  private void assertGone(WorkflowInstance gone) {
    assertThat(store.queries().find(gone.id())).isEmpty();
    assertThat(store.queries().findByExternalId(type, group, "e")).isEmpty();
    assertThat(store.queries().input(gone.id())).isEmpty();
    assertThat(store.queries().variables(gone.id())).isEmpty();
    assertThat(history(gone)).isEmpty();
    assertThat(store.queries().inboxMessages(gone.id(), 10)).isEmpty();
    assertThat(store.logs().lines(gone.id(), 0, 10)).isEmpty();
    assertThat(store.queries().search(InstanceQuery.all().type(type), null).items()).isEmpty();
    assertThat(signal(gone, "x")).isEqualTo(SignalResult.NOT_FOUND);
    assertThat(apply(gone, new OperatorCommand.Cancel())).isEqualTo(new CommandResult.NotFound());
    Fence fence = new Fence(gone.id(), executor, 1, 1);
    assertThat(save(transitionOf(gone).fence(fence))).isEqualTo(new SaveResult.Fenced());
    assertThat(store.instances().release(List.of(fence))).isZero();
  }

  @Test
  void deletionTakesAllThatBelongsToAnInstance() {
    WorkflowInstance gone = full();
    advance(AGE.plus(SECOND));

    assertThat(retention().delete(AGE, 10)).isEqualTo(1);
    assertGone(gone);
    assertThat(retention().delete(AGE, 10)).isZero();
    assertThat(start(instance().externalId("e"))).isNotEqualTo(gone.id());
  }

  @Test
  void archivingTakesAllThatBelongsToAnInstance() {
    WorkflowInstance gone = full();
    advance(AGE.plus(SECOND));

    assertThat(retention().archive(AGE, 10)).isEqualTo(1);
    assertGone(gone);
    assertThat(retention().archive(AGE, 10)).isZero();
    assertThat(retention().delete(AGE, 10)).isZero();
  }

  /** The archive of the store in memory cannot be read. */
  @Test
  void theArchiveKeepsTheFailure() throws SQLException {
    WorkflowInstance failed =
        saveAccepted(transitionOf(startAndClaim()).end(InstanceStatus.FAILED).failure("f1"));
    advance(AGE.plus(SECOND));

    assertThat(retention().archive(AGE, 10)).isEqualTo(1);
    if (subject.dataSource() != null) {
      try (Connection connection = subject.dataSource().getConnection();
          Statement statement = connection.createStatement();
          ResultSet row =
              statement.executeQuery(
                  "SELECT failure_fingerprint FROM millrace_archive_instance WHERE id = "
                      + failed.id())) {
        assertThat(row.next()).isTrue();
        assertThat(row.getString(1)).isEqualTo("f1");
      }
    }
  }

  @Test
  void anExternalIdIsFreeAfterArchivingAndMayBeArchivedAgain() {
    full();
    advance(AGE.plus(SECOND));
    retention().archive(AGE, 10);
    full();
    advance(AGE.plus(SECOND));

    assertThat(retention().archive(AGE, 10)).isEqualTo(1);
    assertThat(retention().deleteArchived(AGE, 10)).isEqualTo(2);
  }

  @Test
  void whatWasArchivedIsDeletedByTheTimeOfItsEnd() {
    ended();
    advance(AGE.plus(SECOND));
    ended();
    advance(SECOND);
    assertThat(retention().archive(Duration.ZERO, 10)).isEqualTo(2);

    assertThat(retention().deleteArchived(AGE, 10)).isEqualTo(1);
    assertThat(retention().deleteArchived(AGE, 10)).isZero();
    advance(AGE);
    assertThat(retention().deleteArchived(AGE, 10)).isEqualTo(1);
  }

  @Test
  void archivedInstancesAreDeletedInBatches() {
    for (int i = 0; i < 5; i++) {
      ended();
    }
    advance(AGE.plus(SECOND));

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
    advance(AGE);
    assertThat(retention().delete(AGE, 10)).isZero();
    assertThat(retention().archive(AGE, 10)).isZero();

    advance(Duration.ofMillis(1));
    assertThat(retention().delete(AGE, 10)).isEqualTo(1);
    assertThat(exists(ended)).isFalse();
  }

  @Test
  void whatHasNotEndedStaysHoweverOldItIs() {
    List<WorkflowInstance> living =
        List.of(
            read(start(instance().due(NEVER))),
            waitingFor(PAID),
            saveAccepted(transitionOf(startAndClaim()).status(InstanceStatus.MANUAL)),
            applyAccepted(read(start(instance())), new OperatorCommand.Pause()),
            startAndClaim());
    advance(AGE.multipliedBy(100));

    assertThat(retention().delete(AGE, 10)).isZero();
    assertThat(retention().archive(AGE, 10)).isZero();
    assertThat(living).allMatch(this::exists);
  }

  @Test
  void whatWasRevivedStays() {
    WorkflowInstance failed =
        saveAccepted(transitionOf(startAndClaim()).end(InstanceStatus.FAILED));
    advance(AGE.plus(SECOND));
    applyAccepted(failed, new OperatorCommand.Retry());

    assertThat(retention().delete(AGE, 10)).isZero();
  }

  @Test
  void allKindsOfEndsGo() {
    saveAccepted(transitionOf(startAndClaim()).end(InstanceStatus.FINISHED));
    saveAccepted(transitionOf(startAndClaim()).end(InstanceStatus.FAILED));
    applyAccepted(startAndClaim(), new OperatorCommand.Cancel());
    advance(AGE.plus(SECOND));

    assertThat(retention().delete(AGE, 10)).isEqualTo(3);
  }

  @Test
  void theOldestEndsGoFirst() {
    WorkflowInstance first = startAndClaim();
    WorkflowInstance second = startAndClaim();
    saveAccepted(transitionOf(second).end(InstanceStatus.FINISHED));
    advance(SECOND);
    saveAccepted(transitionOf(first).end(InstanceStatus.FINISHED));
    advance(AGE.plus(SECOND));

    assertThat(retention().delete(AGE, 1)).isEqualTo(1);
    assertThat(exists(second)).isFalse();
    assertThat(exists(first)).isTrue();
  }

  @Test
  void aChildStaysUntilItsParentHasEnded() {
    WorkflowInstance parent = startAndClaim();
    saveAccepted(
        transitionOf(parent).child(instance().externalId("c").heldBy(executor)).keepLease());
    WorkflowInstance child = store.queries().findByExternalId(type, group, "c").orElseThrow();
    saveAccepted(transitionOf(child).end(InstanceStatus.FINISHED));
    advance(AGE.plus(SECOND));
    assertThat(retention().delete(AGE, 10)).isZero();
    assertThat(retention().archive(AGE, 10)).isZero();
    assertThat(exists(child)).isTrue();

    saveAccepted(transitionOf(read(parent)).end(InstanceStatus.FINISHED));
    assertThat(retention().delete(AGE, 10)).isEqualTo(1);
    assertThat(exists(child)).isFalse();
    assertThat(exists(parent)).isTrue();
  }

  /** A failed parent can be retried, and then reads the results of its children. */
  @Test
  void aChildOfAFailedParentStaysAsLongAsItsParent() {
    WorkflowInstance parent = startAndClaim();
    saveAccepted(
        transitionOf(parent).child(instance().externalId("c").heldBy(executor)).keepLease());
    WorkflowInstance child = store.queries().findByExternalId(type, group, "c").orElseThrow();
    saveAccepted(transitionOf(child).end(InstanceStatus.FINISHED));
    advance(AGE);
    saveAccepted(transitionOf(read(parent)).end(InstanceStatus.FAILED));
    advance(SECOND);
    assertThat(retention().delete(AGE, 10)).isZero();
    assertThat(retention().archive(AGE, 10)).isZero();
    assertThat(exists(child)).isTrue();

    advance(AGE);
    drain(() -> retention().archive(AGE, 10));
    assertThat(exists(parent)).isFalse();
    assertThat(exists(child)).isFalse();
  }

  @Test
  void theChildrenOfARetriedParentStayUntilItHasEndedForGood() {
    WorkflowInstance parent = startAndClaim();
    saveAccepted(
        transitionOf(parent).child(instance().externalId("c").heldBy(executor)).keepLease());
    WorkflowInstance child = store.queries().findByExternalId(type, group, "c").orElseThrow();
    saveAccepted(transitionOf(child).set("v", "1").end(InstanceStatus.FINISHED));
    saveAccepted(transitionOf(read(parent)).end(InstanceStatus.FAILED));
    advance(AGE.plus(SECOND));
    applyAccepted(parent, new OperatorCommand.Retry());
    assertThat(retention().archive(AGE, 10)).isZero();
    assertThat(store.queries().childVariables(parent.id(), "v", 1000))
        .extracting(ChildVariable::json)
        .containsExactly("1");

    saveAccepted(transitionOf(claimOne()).end(InstanceStatus.FINISHED));
    assertThat(retention().archive(AGE, 10)).isEqualTo(1);
    assertThat(exists(child)).isFalse();
  }

  @Test
  void aChildOfACancelledParentGoesByItsOwnAge() {
    WorkflowInstance parent = startAndClaim();
    saveAccepted(
        transitionOf(parent).child(instance().externalId("c").heldBy(executor)).keepLease());
    WorkflowInstance child = store.queries().findByExternalId(type, group, "c").orElseThrow();
    saveAccepted(transitionOf(child).end(InstanceStatus.FINISHED));
    advance(AGE);
    applyAccepted(parent, new OperatorCommand.Cancel());
    advance(SECOND);

    assertThat(retention().delete(AGE, 10)).isEqualTo(1);
    assertThat(exists(child)).isFalse();
    assertThat(exists(parent)).isTrue();
  }

  @Test
  void childrenThatMustStayDoNotBlockOthersBehindThem() {
    WorkflowInstance parent = startAndClaim();
    SaveSpec spec = transitionOf(parent).keepLease();
    for (int i = 0; i < 5; i++) {
      spec.child(instance());
    }
    saveAccepted(spec);
    claim(10).forEach(child -> saveAccepted(transitionOf(child).end(InstanceStatus.FINISHED)));
    advance(SECOND);
    WorkflowInstance other = ended();
    advance(AGE.plus(SECOND));

    assertThat(retention().delete(AGE, 2)).isEqualTo(1);
    assertThat(exists(other)).isFalse();
  }

  @Test
  void aParentAndItsChildrenMayGoTogether() {
    WorkflowInstance parent = startAndClaim();
    saveAccepted(
        transitionOf(parent).child(instance().externalId("c").heldBy(executor)).keepLease());
    WorkflowInstance child = store.queries().findByExternalId(type, group, "c").orElseThrow();
    saveAccepted(transitionOf(child).end(InstanceStatus.FINISHED));
    saveAccepted(transitionOf(read(parent)).end(InstanceStatus.FINISHED));
    advance(AGE.plus(SECOND));

    assertThat(retention().archive(AGE, 10)).isEqualTo(2);
    assertThat(retention().deleteArchived(AGE, 10)).isEqualTo(2);
  }

  @Test
  void aChildOfAnArchivedParentGoesToo() {
    WorkflowInstance parent = startAndClaim();
    saveAccepted(
        transitionOf(parent).child(instance().externalId("c").heldBy(executor)).keepLease());
    WorkflowInstance child = store.queries().findByExternalId(type, group, "c").orElseThrow();
    saveAccepted(transitionOf(read(parent)).end(InstanceStatus.FINISHED));
    advance(AGE.plus(SECOND));
    assertThat(retention().archive(AGE, 10)).isEqualTo(1);

    saveAccepted(transitionOf(child).end(InstanceStatus.FINISHED));
    advance(AGE.plus(SECOND));
    assertThat(retention().delete(AGE, 10)).isEqualTo(1);
  }

  @Test
  void stoppedAndRecoveredExecutorsGoWithAge() {
    long recovered = register();
    expireLeases();
    store.executors().renew(executor, TTL, ExecutorInfo.Load.NONE);
    store.executors().recover(recovered, executor, 10, 3);
    long stopped = register();
    store.executors().markStopped(stopped);
    long silent = register();
    advance(AGE);
    assertThat(retention().deleteExecutors(AGE, 10)).isZero();

    advance(SECOND);
    assertThat(retention().deleteExecutors(AGE, 1)).isEqualTo(1);
    assertThat(retention().deleteExecutors(AGE, 10)).isEqualTo(1);
    assertThat(retention().deleteExecutors(AGE, 10)).isZero();
    assertThat(store.executors().list(group))
        .extracting(ExecutorInfo::id)
        .containsExactly(silent, executor);
  }

  @Test
  void anExecutorThatStillHoldsSomethingStays() {
    startAndClaim();
    store.executors().markStopped(executor);
    advance(AGE.plus(SECOND));

    assertThat(retention().deleteExecutors(AGE, 10)).isZero();
    assertThat(store.executors().expired(group)).containsExactly(executor);
  }

  @Test
  void historySurvivesItsExecutor() {
    WorkflowInstance moved = saveAccepted(transitionOf(startAndClaim()).due(NEVER));
    store.executors().markStopped(executor);
    advance(AGE.plus(SECOND));
    assertThat(retention().deleteExecutors(AGE, 10)).isEqualTo(1);

    assertThat(lastAction(moved).author().executorId()).isEqualTo(executor);
  }
}
