package io.millrace.tests.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.fixtures.store.StoreContract;
import io.millrace.fixtures.store.StoreFixture;
import io.millrace.instance.AuditEntry;
import io.millrace.instance.AuditQuery;
import io.millrace.instance.DrainRequest;
import io.millrace.instance.ExecutorInfo;
import io.millrace.instance.ExecutorState;
import io.millrace.instance.OperatorAction;
import io.millrace.instance.StopReason;
import io.millrace.instance.StoredAuditEntry;
import io.millrace.instance.WorkflowInstance;
import io.millrace.store.ExecutorStore;
import io.millrace.store.OperatorCommand;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests of executors that register, send heartbeats and stop. */
class ExecutorContractTest extends StoreContract {

  ExecutorContractTest(StoreFixture subject) {
    super(subject);
  }

  private static final ExecutorStore.Renewal KNOWN =
      new ExecutorStore.Renewal(true, ExecutorState.ACTIVE, null);
  private static final ExecutorStore.Renewal GONE = ExecutorStore.Renewal.GONE;

  private static final Duration FIVE_MINUTES = Duration.ofMinutes(5);

  private ExecutorStore executors() {
    return store.executors();
  }

  private ExecutorInfo info(long id) {
    return executors().list(group).stream().filter(e -> e.id() == id).findFirst().orElseThrow();
  }

  /** {@code millrace doctor} reports failed loops. */
  @Test
  void aFailedLoopIsReportedWhateverItsMessageHolds() throws SQLException {
    executors().reportLoopFailures(executor, "claims: \u0000bad\ud800");

    if (subject.dataSource() != null) {
      try (Connection connection = subject.dataSource().getConnection();
          Statement statement = connection.createStatement();
          ResultSet row =
              statement.executeQuery(
                  "SELECT loop_failures FROM millrace_executor WHERE id = " + executor)) {
        row.next();
        assertThat(row.getString(1)).startsWith("claims: ").contains("bad");
      }
    }
  }

  @Test
  void aNewExecutorIsExactlyWhatItSaid() {
    ExecutorInfo.Identity identity =
        new ExecutorInfo.Identity(
            "höst",
            1L << 40,
            group,
            List.of(3, 1, 2),
            "1.0-SNAPSHOT",
            new ExecutorInfo.NodeInfo("nörd", now().minusSeconds(7), Duration.ofSeconds(90)));
    long id = executors().register(identity, Duration.ofMillis(1500));

    assertThat(info(id))
        .isEqualTo(
            new ExecutorInfo(
                id,
                identity,
                new ExecutorInfo.Timestamps(now(), now(), now().plusMillis(1500), null, null),
                ExecutorInfo.Load.NONE,
                ExecutorInfo.Readiness.NEW,
                null));
  }

  @Test
  void anExecutorMayKnowNoDefinition() {
    long id = executors().register(new ExecutorInfo.Identity("h", 1, group, List.of(), "1.0"), TTL);

    assertThat(info(id).identity().definitionIds()).isEmpty();
  }

  @Test
  void executorsAreListedNewestFirst() {
    long second = register();
    advance(SECOND);
    long third = register();
    register(group + "x");

    assertThat(executors().list(group))
        .extracting(ExecutorInfo::id)
        .containsExactly(third, second, executor);
    assertThat(executors().list("nobody")).isEmpty();
  }

  @Test
  void aRenewalExtendsTheLeaseFromNow() {
    ExecutorInfo before = info(executor);
    advance(Duration.ofSeconds(3));

    ExecutorInfo.Load load = new ExecutorInfo.Load(3, 8, 6, 2, 71);
    assertThat(executors().renew(executor, HOUR, load)).isEqualTo(KNOWN);
    assertThat(info(executor))
        .isEqualTo(
            new ExecutorInfo(
                executor,
                before.identity(),
                new ExecutorInfo.Timestamps(before.started(), now(), now().plus(HOUR), null, null),
                load,
                ExecutorInfo.Readiness.NEW,
                null));
  }

  @Test
  void aRenewalMayAlsoShortenTheLease() {
    executors().renew(executor, HOUR, ExecutorInfo.Load.NONE);
    executors().renew(executor, SECOND, ExecutorInfo.Load.NONE);

    assertThat(info(executor).expires()).isEqualTo(now().plus(SECOND));
  }

  @Test
  void anUnknownExecutorCannotRenew() {
    assertThat(executors().renew(Long.MAX_VALUE, TTL, ExecutorInfo.Load.NONE)).isEqualTo(GONE);
  }

  @Test
  void aDeletedExecutorCannotRenew() {
    executors().markStopped(executor);
    advance(HOUR);
    store.retention().deleteExecutors(SECOND, 100);

    assertThat(executors().renew(executor, TTL, ExecutorInfo.Load.NONE)).isEqualTo(GONE);
    assertThat(executors().list(group)).isEmpty();
  }

  @Test
  void anExecutorsOwnInstancesAreListedWithTheirLeaseVersions() {
    WorkflowInstance first = startAndClaim();
    start(instance());
    store.instances().release(List.of(fence(claimOne())));
    WorkflowInstance second = claimOne();
    saveAccepted(transitionOf(startAndClaim()));
    applyAccepted(startAndClaim(), new OperatorCommand.Cancel());
    claimOne(register());

    assertThat(executors().ownedInstances(executor))
        .isEqualTo(Map.of(first.id(), 1, second.id(), 2));
    assertThat(executors().ownedInstances(Long.MAX_VALUE)).isEmpty();
  }

  @Test
  void anExecutorIsExpiredOnlyAfterItsLease() {
    advance(TTL);
    assertThat(executors().expired(group)).isEmpty();

    advance(Duration.ofMillis(1));
    assertThat(executors().expired(group)).containsExactly(executor);
    assertThat(executors().expired(group + "x")).isEmpty();
  }

  @Test
  void aLateRenewalRevivesAnExecutor() {
    expireLeases();
    assertThat(executors().renew(executor, TTL, ExecutorInfo.Load.NONE)).isEqualTo(KNOWN);

    assertThat(executors().expired(group)).isEmpty();
  }

  @Test
  void anExecutorLearnsWithEveryRenewalWhoAskedItToStop() {
    long other = register();
    assertThat(
            executors()
                .requestDrain(executor, DrainRequest.withDefaultGrace(), OperatorAction.by("ann")))
        .isTrue();
    Instant asked = now();
    advance(SECOND);
    assertThat(
            executors()
                .requestDrain(executor, DrainRequest.withDefaultGrace(), OperatorAction.by("bob")))
        .isTrue();

    ExecutorStore.Renewal told = told("ann", FIVE_MINUTES.minus(SECOND));
    assertThat(executors().renew(executor, TTL, ExecutorInfo.Load.NONE)).isEqualTo(told);
    assertThat(executors().renew(executor, TTL, ExecutorInfo.Load.NONE)).isEqualTo(told);
    assertThat(info(executor).drain()).isEqualTo(drain(asked, "ann"));
    assertThat(executors().renew(other, TTL, ExecutorInfo.Load.NONE)).isEqualTo(KNOWN);
    assertThat(info(other).drain()).isNull();
  }

  private static ExecutorStore.Renewal told(String by, Duration left) {
    return new ExecutorStore.Renewal(
        true, ExecutorState.DRAINING, new ExecutorStore.PendingDrain(by, StopReason.DRAIN, left));
  }

  private static ExecutorInfo.Drain drain(Instant asked, String by) {
    return new ExecutorInfo.Drain(asked, by, StopReason.DRAIN, asked.plus(FIVE_MINUTES));
  }

  @Test
  void aRequestMayGiveItsOwnGraceAndReason() {
    DrainRequest request = new DrainRequest(StopReason.ROLLOUT, Duration.ofSeconds(3));
    executors().requestDrain(executor, request, OperatorAction.by("ann"));
    Instant asked = now();
    advance(SECOND);

    assertThat(executors().renew(executor, TTL, ExecutorInfo.Load.NONE).drain())
        .isEqualTo(
            new ExecutorStore.PendingDrain("ann", StopReason.ROLLOUT, Duration.ofSeconds(2)));
    assertThat(info(executor).drain())
        .isEqualTo(new ExecutorInfo.Drain(asked, "ann", StopReason.ROLLOUT, asked.plusSeconds(3)));
    assertThat(info(executor).state()).isEqualTo(ExecutorState.DRAINING);
    advance(Duration.ofSeconds(5));
    assertThat(executors().renew(executor, TTL, ExecutorInfo.Load.NONE).drain().left()).isZero();
  }

  @Test
  void aCordonedExecutorLearnsOfItAndMayComeBack() {
    String ann = "ann" + executor;
    assertThat(executors().cordon(executor, OperatorAction.by(ann))).isTrue();
    assertThat(executors().cordon(executor, OperatorAction.by(ann))).isTrue();
    assertThat(executors().renew(executor, TTL, ExecutorInfo.Load.NONE))
        .isEqualTo(new ExecutorStore.Renewal(true, ExecutorState.CORDONED, null));
    assertThat(info(executor).state()).isEqualTo(ExecutorState.CORDONED);

    assertThat(executors().uncordon(executor, OperatorAction.by(ann))).isTrue();
    assertThat(executors().uncordon(executor, OperatorAction.by(ann))).isTrue();
    assertThat(executors().renew(executor, TTL, ExecutorInfo.Load.NONE)).isEqualTo(KNOWN);
    assertThat(store.audit().list(AuditQuery.all().actor(ann)).items())
        .extracting(
            storedEntry -> storedEntry.entry().target() + " " + storedEntry.entry().action())
        .containsExactly("executor " + executor + " uncordon", "executor " + executor + " cordon");
  }

  @Test
  void aCordonedExecutorCanBeDrainedAndNoneThatLeavesCanBeCordoned() {
    executors().cordon(executor, OperatorAction.by("ann"));
    assertThat(
            executors()
                .requestDrain(executor, DrainRequest.withDefaultGrace(), OperatorAction.by("ann")))
        .isTrue();
    assertThat(info(executor).state()).isEqualTo(ExecutorState.DRAINING);
    assertThat(executors().cordon(executor, OperatorAction.by("ann"))).isFalse();
    assertThat(executors().uncordon(executor, OperatorAction.by("ann"))).isFalse();

    executors().markStopped(executor);
    assertThat(info(executor).state()).isEqualTo(ExecutorState.DRAINED);
    assertThat(executors().cordon(executor, OperatorAction.by("ann"))).isFalse();
    assertThat(executors().uncordon(Long.MAX_VALUE, OperatorAction.by("ann"))).isFalse();
  }

  @Test
  void anExecutorMayTellThatItStopsByItself() {
    String itself = "it" + executor;
    executors().recordStopping(executor, StopReason.SHUTDOWN, SECOND, itself);
    ExecutorInfo.Drain drain =
        new ExecutorInfo.Drain(now(), itself, StopReason.SHUTDOWN, now().plus(SECOND));
    advance(SECOND);
    executors().recordStopping(executor, StopReason.DRAIN, HOUR, "other");
    executors().recordStopping(Long.MAX_VALUE, StopReason.SHUTDOWN, SECOND, "nobody");

    assertThat(info(executor).drain()).isEqualTo(drain);
    assertThat(info(executor).state()).isEqualTo(ExecutorState.DRAINING);
    assertThat(store.audit().list(AuditQuery.all().actor(itself)).items()).isEmpty();
  }

  @Test
  void anExecutorIsReadyFromTheFirstTimeThatItSaysSo() {
    executors().markReady(executor, false, Duration.ofMillis(1500));
    Instant first = now();
    advance(SECOND);
    executors().markReady(executor, true, HOUR);
    executors().markReady(Long.MAX_VALUE, true, HOUR);

    assertThat(info(executor).readiness())
        .isEqualTo(
            new ExecutorInfo.Readiness(ExecutorState.ACTIVE, first, true, Duration.ofMillis(1500)));
  }

  @Test
  void onlyAnExecutorThatHasNotStoppedCanBeAskedToStop() {
    executors().markStopped(executor);

    assertThat(
            executors()
                .requestDrain(executor, DrainRequest.withDefaultGrace(), OperatorAction.by("ann")))
        .isFalse();
    assertThat(
            executors()
                .requestDrain(
                    Long.MAX_VALUE, DrainRequest.withDefaultGrace(), OperatorAction.by("ann")))
        .isFalse();
    assertThat(info(executor).drain()).isNull();
  }

  @Test
  void theRequestThatStandsIsInTheAuditTrailOnce() {
    String actor = "ann" + executor;
    executors()
        .requestDrain(
            executor, DrainRequest.withDefaultGrace(), OperatorAction.by(actor, "upgrade"));
    executors()
        .requestDrain(
            executor, DrainRequest.withDefaultGrace(), OperatorAction.by(actor, "once more"));
    executors()
        .requestDrain(
            Long.MAX_VALUE, DrainRequest.withDefaultGrace(), OperatorAction.by(actor, "nobody"));

    assertThat(store.audit().list(AuditQuery.all().actor(actor)).items())
        .extracting(StoredAuditEntry::entry)
        .containsExactly(
            new AuditEntry(actor, "drain", null, "executor " + executor, "upgrade", null));
  }

  @Test
  void whoAskedIsStillKnownAfterTheStop() {
    executors().requestDrain(executor, DrainRequest.withDefaultGrace(), OperatorAction.by("ann"));
    executors().markStopped(executor);

    assertThat(info(executor).drain()).isEqualTo(drain(now(), "ann"));
    assertThat(info(executor).stopped()).isEqualTo(now());
  }

  @Test
  void aStoppedExecutorEndsItsLeaseNow() {
    advance(SECOND);
    executors().markStopped(executor);

    assertThat(info(executor).stopped()).isEqualTo(now());
    assertThat(info(executor).expires()).isEqualTo(now());
  }

  @Test
  void aStoppedExecutorThatHoldsNothingNeedsNoRecovery() {
    executors().markStopped(executor);
    expireLeases();

    assertThat(executors().expired(group)).isEmpty();
  }

  @Test
  void aStoppedExecutorThatStillHoldsSomethingNeedsRecoveryAtOnce() {
    WorkflowInstance left = startAndClaim();
    executors().markStopped(executor);

    assertThat(executors().expired(group)).containsExactly(executor);
    assertThat(executors().recover(executor, register(), 10, 5))
        .containsExactly(new ExecutorStore.Recovered(left.id(), false));
    assertThat(executors().expired(group)).isEmpty();
  }

  @Test
  void aLateRenewalOfAStoppedExecutorProtectsWhatItHolds() {
    WorkflowInstance held = startAndClaim();
    executors().markStopped(executor);
    executors().renew(executor, TTL, ExecutorInfo.Load.NONE);
    assertThat(executors().recover(executor, register(), 10, 5)).isEmpty();
    assertThat(read(held)).isEqualTo(held);

    expireLeases();
    assertThat(executors().expired(group)).contains(executor);
    assertThat(executors().recover(executor, register(), 10, 5)).hasSize(1);
  }

  @Test
  void stoppingNobodyIsFine() {
    executors().markStopped(Long.MAX_VALUE);

    assertThat(executors().list(group)).hasSize(1);
  }
}
