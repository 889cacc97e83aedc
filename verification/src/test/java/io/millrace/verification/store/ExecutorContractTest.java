package io.millrace.verification.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.instance.AuditQuery;
import io.millrace.instance.Deed;
import io.millrace.instance.DrainRequest;
import io.millrace.instance.ExecutorInfo;
import io.millrace.instance.NodeState;
import io.millrace.instance.StopReason;
import io.millrace.instance.WorkflowInstance;
import io.millrace.store.AuditStore;
import io.millrace.store.DeedCommand;
import io.millrace.store.ExecutorStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Executors come, beat and go. */
class ExecutorContractTest extends StoreContract {

  ExecutorContractTest(StoreUnderTest subject) {
    super(subject);
  }

  private static final ExecutorStore.Renewal KNOWN =
      new ExecutorStore.Renewal(true, NodeState.ACTIVE, null);
  private static final ExecutorStore.Renewal GONE = ExecutorStore.Renewal.GONE;

  private static final Duration FIVE_MINUTES = Duration.ofMinutes(5);

  private ExecutorStore executors() {
    return store.executors();
  }

  private ExecutorInfo info(long id) {
    return executors().list(group).stream().filter(e -> e.id() == id).findFirst().orElseThrow();
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
            new ExecutorInfo.Node("nörd", now().minusSeconds(7), Duration.ofSeconds(90)));
    long id = executors().register(identity, Duration.ofMillis(1500));

    assertThat(info(id))
        .isEqualTo(
            new ExecutorInfo(
                id,
                identity,
                new ExecutorInfo.Life(now(), now(), now().plusMillis(1500), null, null),
                ExecutorInfo.Load.NONE,
                ExecutorInfo.Standing.NEW,
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
    pass(SECOND);
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
    pass(Duration.ofSeconds(3));

    ExecutorInfo.Load load = new ExecutorInfo.Load(3, 8, 6, 2, 71);
    assertThat(executors().renew(executor, HOUR, load)).isEqualTo(KNOWN);
    assertThat(info(executor))
        .isEqualTo(
            new ExecutorInfo(
                executor,
                before.identity(),
                new ExecutorInfo.Life(before.started(), now(), now().plus(HOUR), null, null),
                load,
                ExecutorInfo.Standing.NEW,
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
    executors().stop(executor);
    pass(HOUR);
    store.retention().deleteExecutors(SECOND, 100);

    assertThat(executors().renew(executor, TTL, ExecutorInfo.Load.NONE)).isEqualTo(GONE);
    assertThat(executors().list(group)).isEmpty();
  }

  @Test
  void anExecutorsOwnInstancesAreListedWithTheirLeaseVersions() {
    WorkflowInstance first = held();
    start(instance());
    store.work().release(List.of(fence(claimOne())));
    WorkflowInstance second = claimOne();
    saved(move(held()));
    done(held(), new DeedCommand.Cancel());
    claimOne(register());

    assertThat(executors().owned(executor)).isEqualTo(Map.of(first.id(), 1, second.id(), 2));
    assertThat(executors().owned(Long.MAX_VALUE)).isEmpty();
  }

  @Test
  void anExecutorIsExpiredOnlyAfterItsLease() {
    pass(TTL);
    assertThat(executors().expired(group)).isEmpty();

    pass(Duration.ofMillis(1));
    assertThat(executors().expired(group)).containsExactly(executor);
    assertThat(executors().expired(group + "x")).isEmpty();
  }

  @Test
  void aLateRenewalRevivesAnExecutor() {
    expire();
    assertThat(executors().renew(executor, TTL, ExecutorInfo.Load.NONE)).isEqualTo(KNOWN);

    assertThat(executors().expired(group)).isEmpty();
  }

  @Test
  void anExecutorLearnsWithEveryRenewalWhoAskedItToStop() {
    long other = register();
    assertThat(executors().requestDrain(executor, DrainRequest.usual(), Deed.by("ann"))).isTrue();
    Instant asked = now();
    pass(SECOND);
    assertThat(executors().requestDrain(executor, DrainRequest.usual(), Deed.by("bob"))).isTrue();

    ExecutorStore.Renewal told = told("ann", FIVE_MINUTES.minus(SECOND));
    assertThat(executors().renew(executor, TTL, ExecutorInfo.Load.NONE)).isEqualTo(told);
    assertThat(executors().renew(executor, TTL, ExecutorInfo.Load.NONE)).isEqualTo(told);
    assertThat(info(executor).drain()).isEqualTo(drain(asked, "ann"));
    assertThat(executors().renew(other, TTL, ExecutorInfo.Load.NONE)).isEqualTo(KNOWN);
    assertThat(info(other).drain()).isNull();
  }

  private static ExecutorStore.Renewal told(String by, Duration left) {
    return new ExecutorStore.Renewal(
        true, NodeState.DRAINING, new ExecutorStore.DrainOrder(by, StopReason.DRAIN, left));
  }

  private static ExecutorInfo.Drain drain(Instant asked, String by) {
    return new ExecutorInfo.Drain(asked, by, StopReason.DRAIN, asked.plus(FIVE_MINUTES));
  }

  @Test
  void aRequestMayGiveItsOwnGraceAndReason() {
    DrainRequest request = new DrainRequest(StopReason.ROLLOUT, Duration.ofSeconds(3));
    executors().requestDrain(executor, request, Deed.by("ann"));
    Instant asked = now();
    pass(SECOND);

    assertThat(executors().renew(executor, TTL, ExecutorInfo.Load.NONE).drain())
        .isEqualTo(new ExecutorStore.DrainOrder("ann", StopReason.ROLLOUT, Duration.ofSeconds(2)));
    assertThat(info(executor).drain())
        .isEqualTo(new ExecutorInfo.Drain(asked, "ann", StopReason.ROLLOUT, asked.plusSeconds(3)));
    assertThat(info(executor).state()).isEqualTo(NodeState.DRAINING);
    pass(Duration.ofSeconds(5));
    assertThat(executors().renew(executor, TTL, ExecutorInfo.Load.NONE).drain().left()).isZero();
  }

  @Test
  void aCordonedExecutorLearnsOfItAndMayComeBack() {
    String ann = "ann" + executor;
    assertThat(executors().cordon(executor, Deed.by(ann))).isTrue();
    assertThat(executors().cordon(executor, Deed.by(ann))).isTrue();
    assertThat(executors().renew(executor, TTL, ExecutorInfo.Load.NONE))
        .isEqualTo(new ExecutorStore.Renewal(true, NodeState.CORDONED, null));
    assertThat(info(executor).state()).isEqualTo(NodeState.CORDONED);

    assertThat(executors().uncordon(executor, Deed.by(ann))).isTrue();
    assertThat(executors().uncordon(executor, Deed.by(ann))).isTrue();
    assertThat(executors().renew(executor, TTL, ExecutorInfo.Load.NONE)).isEqualTo(KNOWN);
    assertThat(store.audit().list(AuditQuery.all().actor(ann)).items())
        .extracting(audited -> audited.entry().target() + " " + audited.entry().action())
        .containsExactly("executor " + executor + " uncordon", "executor " + executor + " cordon");
  }

  @Test
  void aCordonedExecutorCanBeDrainedAndNoneThatLeavesCanBeCordoned() {
    executors().cordon(executor, Deed.by("ann"));
    assertThat(executors().requestDrain(executor, DrainRequest.usual(), Deed.by("ann"))).isTrue();
    assertThat(info(executor).state()).isEqualTo(NodeState.DRAINING);
    assertThat(executors().cordon(executor, Deed.by("ann"))).isFalse();
    assertThat(executors().uncordon(executor, Deed.by("ann"))).isFalse();

    executors().stop(executor);
    assertThat(info(executor).state()).isEqualTo(NodeState.DRAINED);
    assertThat(executors().cordon(executor, Deed.by("ann"))).isFalse();
    assertThat(executors().uncordon(Long.MAX_VALUE, Deed.by("ann"))).isFalse();
  }

  @Test
  void anExecutorMayTellThatItStopsByItself() {
    DrainRequest request = new DrainRequest(StopReason.SHUTDOWN, SECOND);
    String itself = "it" + executor;
    executors().leave(executor, request, itself);
    ExecutorInfo.Drain drain =
        new ExecutorInfo.Drain(now(), itself, StopReason.SHUTDOWN, now().plus(SECOND));
    pass(SECOND);
    executors().leave(executor, DrainRequest.usual(), "other");
    executors().leave(Long.MAX_VALUE, request, "nobody");

    assertThat(info(executor).drain()).isEqualTo(drain);
    assertThat(info(executor).state()).isEqualTo(NodeState.DRAINING);
    assertThat(store.audit().list(AuditQuery.all().actor(itself)).items()).isEmpty();
  }

  @Test
  void anExecutorIsReadyFromTheFirstTimeThatItSaysSo() {
    executors().ready(executor, false, Duration.ofMillis(1500));
    Instant first = now();
    pass(SECOND);
    executors().ready(executor, true, HOUR);
    executors().ready(Long.MAX_VALUE, true, HOUR);

    assertThat(info(executor).standing())
        .isEqualTo(
            new ExecutorInfo.Standing(NodeState.ACTIVE, first, true, Duration.ofMillis(1500)));
  }

  @Test
  void onlyAnExecutorThatHasNotStoppedCanBeAskedToStop() {
    executors().stop(executor);

    assertThat(executors().requestDrain(executor, DrainRequest.usual(), Deed.by("ann"))).isFalse();
    assertThat(executors().requestDrain(Long.MAX_VALUE, DrainRequest.usual(), Deed.by("ann")))
        .isFalse();
    assertThat(info(executor).drain()).isNull();
  }

  @Test
  void theRequestThatStandsIsInTheAuditTrailOnce() {
    String actor = "ann" + executor;
    executors().requestDrain(executor, DrainRequest.usual(), Deed.by(actor, "upgrade"));
    executors().requestDrain(executor, DrainRequest.usual(), Deed.by(actor, "once more"));
    executors().requestDrain(Long.MAX_VALUE, DrainRequest.usual(), Deed.by(actor, "nobody"));

    assertThat(store.audit().list(AuditQuery.all().actor(actor)).items())
        .extracting(AuditStore.Audited::entry)
        .containsExactly(
            new AuditStore.Entry(actor, "drain", null, "executor " + executor, "upgrade", null));
  }

  @Test
  void whoAskedIsStillKnownAfterTheStop() {
    executors().requestDrain(executor, DrainRequest.usual(), Deed.by("ann"));
    executors().stop(executor);

    assertThat(info(executor).drain()).isEqualTo(drain(now(), "ann"));
    assertThat(info(executor).stopped()).isEqualTo(now());
  }

  @Test
  void aStoppedExecutorEndsItsLeaseNow() {
    pass(SECOND);
    executors().stop(executor);

    assertThat(info(executor).stopped()).isEqualTo(now());
    assertThat(info(executor).expires()).isEqualTo(now());
  }

  @Test
  void aStoppedExecutorThatHoldsNothingNeedsNoRecovery() {
    executors().stop(executor);
    expire();

    assertThat(executors().expired(group)).isEmpty();
  }

  @Test
  void aStoppedExecutorThatStillHoldsSomethingNeedsRecoveryAtOnce() {
    WorkflowInstance left = held();
    executors().stop(executor);

    assertThat(executors().expired(group)).containsExactly(executor);
    assertThat(executors().recover(executor, register(), 10, 5))
        .containsExactly(new ExecutorStore.Recovered(left.id(), false));
    assertThat(executors().expired(group)).isEmpty();
  }

  @Test
  void aLateRenewalOfAStoppedExecutorProtectsWhatItHolds() {
    WorkflowInstance held = held();
    executors().stop(executor);
    executors().renew(executor, TTL, ExecutorInfo.Load.NONE);
    assertThat(executors().recover(executor, register(), 10, 5)).isEmpty();
    assertThat(read(held)).isEqualTo(held);

    expire();
    assertThat(executors().expired(group)).contains(executor);
    assertThat(executors().recover(executor, register(), 10, 5)).hasSize(1);
  }

  @Test
  void stoppingNobodyIsFine() {
    executors().stop(Long.MAX_VALUE);

    assertThat(executors().list(group)).hasSize(1);
  }
}
