package io.millrace.tests.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.fixtures.store.RaceRunner;
import io.millrace.fixtures.store.SaveSpec;
import io.millrace.fixtures.store.StartSpec;
import io.millrace.fixtures.store.StoreContract;
import io.millrace.fixtures.store.StoreFixture;
import io.millrace.instance.ChildCounts;
import io.millrace.instance.Due;
import io.millrace.instance.ExecutorInfo;
import io.millrace.instance.ExecutorState;
import io.millrace.instance.HistoryEntry;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.Position;
import io.millrace.instance.WorkflowInstance;
import io.millrace.store.ClaimResult;
import io.millrace.store.ExecutorStore;
import io.millrace.store.ExecutorStore.Recovered;
import io.millrace.store.OperatorCommand;
import io.millrace.store.OperatorStore.CommandResult;
import io.millrace.store.OperatorStore.SignalResult;
import io.millrace.store.SaveRequest;
import io.millrace.store.SaveResult;
import io.millrace.store.StartResult;
import io.millrace.store.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests of the store's promises with many concurrent callers. */
@Tag("races")
class ConcurrencyContractTest extends StoreContract {

  private static final int ROUNDS = 200;

  ConcurrencyContractTest(StoreFixture subject) {
    super(subject);
  }

  /**
   * Repeats a call that the database could not execute, for example because of a deadlock, as the
   * engine does.
   */
  private static <T> T persistent(Callable<T> call) throws Exception {
    while (true) {
      try {
        return call.call();
      } catch (StoreException e) {
        if (e.rejected() || Thread.currentThread().isInterrupted()) {
          throw e;
        }
      }
    }
  }

  private void assertLinear(WorkflowInstance instance) {
    List<HistoryEntry> history = history(instance);
    WorkflowInstance now = read(instance);
    assertThat(history).hasSize(now.seq());
    for (int i = 0; i < history.size(); i++) {
      assertThat(history.get(i).seq()).isEqualTo(i + 1);
      String to = i + 1 < history.size() ? history.get(i + 1).move().from() : now.state();
      assertThat(history.get(i).move().to()).isEqualTo(to);
    }
  }

  @Test
  void eightClaimersShareFiveThousandInstancesWithoutDoubleAndLoss() {
    int limit = 37;
    Set<Long> started = new TreeSet<>();
    for (int i = 0; i < 5; i++) {
      started.addAll(start(1_000));
    }
    List<Long> executors = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      executors.add(register());
    }
    List<List<Long>> shares;
    try (RaceRunner raceRunner = new RaceRunner(8)) {
      shares = raceRunner.race(i -> () -> claimAll(executors.get(i), limit));
    }

    List<Long> claimed = shares.stream().flatMap(List::stream).toList();
    assertThat(claimed).doesNotHaveDuplicates();
    assertThat(new TreeSet<>(claimed)).isEqualTo(started);
    for (int i = 0; i < 8; i++) {
      assertThat(store.executors().ownedInstances(executors.get(i)).keySet())
          .containsExactlyInAnyOrderElementsOf(shares.get(i));
    }
  }

  /**
   * Claims until nothing is left for the executor; an empty answer while others hold locks is not
   * the end.
   */
  private List<Long> claimAll(long executorId, int limit) throws Exception {
    List<Long> all = new ArrayList<>();
    int empty = 0;
    while (empty < 20) {
      List<ClaimResult.Claimed> claimed = persistent(() -> claim(executorId, limit)).claimed();
      assertThat(claimed).hasSizeLessThanOrEqualTo(limit);
      assertThat(claimed).allMatch(c -> c.instance().lease().executorId() == executorId);
      claimed.forEach(c -> all.add(c.instance().id()));
      empty = claimed.isEmpty() ? empty + 1 : 0;
    }
    return all;
  }

  @Test
  void ofEightStartsWithTheSameExternalIdOneCreates() {
    try (RaceRunner raceRunner = new RaceRunner(8)) {
      for (int round = 0; round < 50; round++) {
        String externalId = "e" + round;
        List<StartResult> results =
            raceRunner.race(i ->
                () ->
                    persistent(() ->
                            store
                                .instances()
                                .start(List.of(instance().externalId(externalId).build())))
                        .getFirst());

        assertThat(results).extracting(StartResult::id).containsOnly(results.getFirst().id());
        assertThat(results).filteredOn(StartResult.Created.class::isInstance).hasSize(1);
      }
    }
    assertThat(claim(100)).hasSize(50);
  }

  @Test
  void startsOfManyExternalIdsInOppositeOrdersAgree() {
    try (RaceRunner raceRunner = new RaceRunner(2)) {
      for (int round = 0; round < 20; round++) {
        List<StartSpec> forth = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
          forth.add(instance().externalId("e" + round + "-" + i));
        }
        List<StartSpec> back = forth.reversed();
        List<List<StartResult>> results =
            raceRunner.race(i ->
                () ->
                    persistent(() ->
                        store
                            .instances()
                            .start(
                                (i == 0 ? forth : back).stream().map(StartSpec::build).toList())));

        assertThat(results.get(0).stream().map(StartResult::id))
            .isEqualTo(results.get(1).reversed().stream().map(StartResult::id).toList());
      }
    }
    assertThat(claim(1_000)).hasSize(600);
  }

  @Test
  void aSignalThatRacesAWaitIsNeverLost() {
    try (RaceRunner raceRunner = new RaceRunner(2)) {
      for (int round = 0; round < ROUNDS; round++) {
        WorkflowInstance held = startAndClaim();
        List<Object> results =
            raceRunner.race(
                () -> signal(held, "paid"), () -> save(transitionOf(held).waitFor(PAID, NEVER)));

        assertThat(results.get(0)).isIn(SignalResult.WOKEN, SignalResult.IN_INBOX);
        assertThat(results.get(1)).isInstanceOf(SaveResult.Saved.class);
        assertThat(unconsumedMessages(held)).hasSize(1);
        assertThat(read(held).details().inboxCount()).isEqualTo(1);
        assertThat(read(held).nextActivation())
            .as("round %s, signal %s", round, results.get(0))
            .isEqualTo(now());
      }
    }
  }

  @Test
  void aWakeThatRacesASaveIsNeverLost() {
    try (RaceRunner raceRunner = new RaceRunner(2)) {
      for (int round = 0; round < ROUNDS; round++) {
        WorkflowInstance held = startAndClaim();
        List<Object> results =
            raceRunner.race(
                () -> apply(held, new OperatorCommand.Wake()),
                () -> save(transitionOf(held).due(NEVER)));

        assertThat(results.get(0))
            .isInstanceOfAny(CommandResult.Applied.class, CommandResult.AfterAttempt.class);
        assertThat(results.get(1)).isInstanceOf(SaveResult.Saved.class);
        assertThat(read(held).nextActivation())
            .as("round %s, wake %s", round, results.get(0))
            .isEqualTo(now());
        assertLinear(held);
      }
    }
  }

  @Test
  void theLastChildsEndThatRacesItsParentsWaitIsNeverLost() {
    try (RaceRunner raceRunner = new RaceRunner(2)) {
      for (int round = 0; round < ROUNDS; round++) {
        String externalId = "c" + round;
        WorkflowInstance parent =
            saveAccepted(
                transitionOf(startAndClaim())
                    .child(instance().externalId(externalId).heldBy(executor))
                    .keepLease());
        WorkflowInstance child =
            store.queries().findByExternalId(type, group, externalId).orElseThrow();
        raceRunner.race(
            () -> persistent(() -> save(transitionOf(child).end(InstanceStatus.FINISHED))),
            () -> persistent(() -> save(transitionOf(parent).waitFor(Position.CHILDREN, NEVER))));

        assertThat(read(parent).children()).isEqualTo(new ChildCounts(1, 0, 0));
        assertThat(read(parent).nextActivation()).as("round %s", round).isEqualTo(now());
      }
    }
  }

  @Test
  void eightThreadsEndTheChildrenOfTheSameParents() throws Exception {
    int each = 100;
    List<WorkflowInstance> parents = new ArrayList<>();
    for (int p = 0; p < 4; p++) {
      SaveSpec spec = transitionOf(startAndClaim());
      for (int i = 0; i < each; i++) {
        spec.child(instance());
      }
      parents.add(saveAccepted(spec.waitFor(Position.CHILDREN, NEVER)));
    }
    List<WorkflowInstance> children = claim(1_000);
    assertThat(children).hasSize(4 * each);
    try (RaceRunner raceRunner = new RaceRunner(8)) {
      raceRunner.race(i -> () -> endEveryEighth(children, i));
    }

    for (WorkflowInstance parent : parents) {
      assertThat(read(parent).children()).isEqualTo(new ChildCounts(each, 0, 0));
      assertThat(read(parent).nextActivation()).isEqualTo(now());
    }
  }

  /** Ends children in batches that mix the parents, in a different order in every thread. */
  private Object endEveryEighth(List<WorkflowInstance> children, int thread) throws Exception {
    List<SaveRequest> own = new ArrayList<>();
    for (int i = thread; i < children.size(); i += 8) {
      own.add(
          transitionOf(children.get((i * 7) % children.size()))
              .end(InstanceStatus.FINISHED)
              .build());
    }
    List<SaveRequest> ordered = thread % 2 == 0 ? own : own.reversed();
    for (int i = 0; i < ordered.size(); i += 5) {
      List<SaveRequest> batch = ordered.subList(i, Math.min(i + 5, ordered.size()));
      assertThat(persistent(() -> store.instances().save(batch))).allMatch(released(0)::equals);
    }
    return thread;
  }

  @Test
  void ofTwoRecoverersEachInstanceIsTakenByOne() {
    List<Long> rescuers = List.of(register(), register());
    List<Long> ids = start(200);
    assertThat(claim(200)).hasSize(200);
    expireLeases();
    List<List<Recovered>> taken;
    try (RaceRunner raceRunner = new RaceRunner(2)) {
      taken = raceRunner.race(i -> () -> recoverAll(rescuers.get(i)));
    }

    List<Long> all = taken.stream().flatMap(List::stream).map(Recovered::instanceId).toList();
    assertThat(all).containsExactlyInAnyOrderElementsOf(ids);
    assertThat(ids).allSatisfy(id -> assertThat(read(id).lease().recoveries()).isEqualTo(1));
    assertThat(ids).allSatisfy(id -> assertLinear(read(id)));
    assertThat(store.executors().expired(group)).doesNotContain(executor);
  }

  private List<Recovered> recoverAll(long rescuer) throws Exception {
    List<Recovered> all = new ArrayList<>();
    while (!store.executors().ownedInstances(executor).isEmpty()) {
      all.addAll(persistent(() -> store.executors().recover(executor, rescuer, 7, 3)));
    }
    return all;
  }

  @Test
  void aRecoveryAndAZombiesSaveDoNotBothWriteTheNextAction() {
    try (RaceRunner raceRunner = new RaceRunner(2)) {
      for (int round = 0; round < ROUNDS; round++) {
        long zombie = register();
        long rescuer = register();
        WorkflowInstance held = read(start(instance().heldBy(zombie)));
        store.executors().markStopped(zombie);
        List<Object> results =
            raceRunner.race(
                () -> persistent(() -> store.executors().recover(zombie, rescuer, 10, 3)),
                () -> save(transitionOf(held).due(NEVER)));

        boolean saved = results.get(1) instanceof SaveResult.Saved;
        assertThat((List<?>) results.get(0)).hasSize(saved ? 0 : 1);
        assertThat(read(held).seq()).isEqualTo(1);
        assertLinear(held);
      }
    }
  }

  @Test
  void aRenewalAndARecoveryDoNotBothWin() {
    try (RaceRunner raceRunner = new RaceRunner(2)) {
      for (int round = 0; round < ROUNDS / 4; round++) {
        long sleeper = register();
        WorkflowInstance held = read(start(instance().heldBy(sleeper)));
        expireLeases();
        List<Object> results =
            raceRunner.race(
                () -> persistent(() -> store.executors().recover(sleeper, executor, 10, 3)),
                () ->
                    persistent(
                        () -> store.executors().renew(sleeper, TTL, ExecutorInfo.Load.NONE)));

        assertThat(results.get(1))
            .isEqualTo(new ExecutorStore.Renewal(true, ExecutorState.ACTIVE, null));
        boolean taken = !((List<?>) results.get(0)).isEmpty();
        assertThat(read(held).lease().executorId()).isEqualTo(taken ? null : (Long) sleeper);
        assertThat(store.executors().list(group))
            .filteredOn(e -> e.id() == sleeper)
            .allMatch(e -> e.expires().isAfter(now()));
      }
    }
  }

  @Test
  void aCancelAndASaveAreOneAfterTheOther() {
    try (RaceRunner raceRunner = new RaceRunner(2)) {
      for (int round = 0; round < ROUNDS; round++) {
        WorkflowInstance held = startAndClaim();
        List<Object> results =
            raceRunner.race(
                () -> apply(held, new OperatorCommand.Cancel()),
                () -> save(transitionOf(held).due(new Due.After(HOUR))));

        boolean saved = results.get(1) instanceof SaveResult.Saved;
        assertThat(results.get(0))
            .isEqualTo(
                saved
                    ? new CommandResult.Applied(2, false, null)
                    : new CommandResult.Applied(1, false, executor));
        assertThat(read(held).status()).isEqualTo(InstanceStatus.CANCELLED);
        assertLinear(held);
      }
    }
  }

  @Test
  void theSameSaveTwiceAtOnceIsWrittenOnce() {
    try (RaceRunner raceRunner = new RaceRunner(2)) {
      for (int round = 0; round < ROUNDS; round++) {
        WorkflowInstance held = startAndClaim();
        SaveRequest saveRequest =
            transitionOf(held).set("v", "1").variableCount(1).due(NEVER).build();
        List<SaveResult> results = raceRunner.race(i -> () -> persistent(() -> save(saveRequest)));

        assertThat(results).containsOnly(released(0));
        assertThat(history(held)).hasSize(1);
      }
    }
  }

  @Test
  void ofTwoSignalsWithTheSameKeyOneIsDropped() {
    try (RaceRunner raceRunner = new RaceRunner(2)) {
      for (int round = 0; round < ROUNDS / 4; round++) {
        WorkflowInstance waiting = waitingFor(PAID);
        List<SignalResult> results =
            raceRunner.race(i -> () -> persistent(() -> signal(waiting, "paid", "k")));

        assertThat(results).containsExactlyInAnyOrder(SignalResult.WOKEN, SignalResult.DUPLICATE);
        assertThat(unconsumedMessages(waiting)).hasSize(1);
        assertThat(read(waiting).details().inboxCount()).isEqualTo(1);
      }
    }
  }

  @Test
  void actionsOfManyPeopleFormOneHistory() {
    WorkflowInstance it = read(start(instance().due(NEVER)));
    try (RaceRunner raceRunner = new RaceRunner(8)) {
      raceRunner.race(i ->
          () -> {
            for (int k = 0; k < 20; k++) {
              assertThat(persistent(() -> apply(it, new OperatorCommand.Wake())))
                  .isInstanceOf(CommandResult.Applied.class);
            }
            return i;
          });
    }

    assertThat(read(it).seq()).isEqualTo(160);
    assertLinear(it);
  }
}
