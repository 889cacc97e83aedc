package io.millrace.tests.data;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.data.PeriodClaimRequest;
import io.millrace.data.PeriodClaimResult;
import io.millrace.data.PeriodClaimResult.Claimed;
import io.millrace.data.PeriodClaimResult.Fenced;
import io.millrace.data.PeriodClaimResult.Taken;
import io.millrace.data.PeriodEntry;
import io.millrace.data.PeriodId;
import io.millrace.data.PeriodQuery;
import io.millrace.data.PeriodState;
import io.millrace.data.PeriodState.Operation;
import io.millrace.fixtures.store.StoreContract;
import io.millrace.fixtures.store.StoreFixture;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.Page;
import io.millrace.instance.WorkflowInstance;
import io.millrace.store.PeriodLedgerStore;
import io.millrace.store.PeriodLedgerStore.CloseRequest;
import io.millrace.store.PeriodLedgerStore.CloseResult;
import io.millrace.store.PeriodLedgerStore.StartClaimResult;
import io.millrace.store.PeriodLedgerStore.StartClaimResult.Started;
import io.millrace.store.StartResult;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PeriodLedgerContractTest extends StoreContract {

  private static final Duration LEASE = Duration.ofMinutes(5);
  private static final Duration SECOND = Duration.ofSeconds(1);

  PeriodLedgerContractTest(StoreFixture subject) {
    super(subject);
  }

  private PeriodId id(String period) {
    return new PeriodId("guard:" + type, period);
  }

  private PeriodClaimRequest by(String claimant) {
    return PeriodClaimRequest.atLeastOnce(id("2026-03-01"), claimant, LEASE);
  }

  private PeriodClaimResult claim(PeriodClaimRequest request) {
    return store.role(PeriodLedgerStore.class).claim(request, null);
  }

  private PeriodEntry claimed(PeriodClaimRequest request) {
    PeriodClaimResult claim = claim(request);
    assertThat(claim).isInstanceOf(Claimed.class);
    return ((Claimed) claim).entry();
  }

  private PeriodEntry taken(PeriodClaimRequest request) {
    PeriodClaimResult claim = claim(request);
    assertThat(claim).isInstanceOf(Taken.class);
    return ((Taken) claim).entry();
  }

  private CloseResult end(PeriodEntry periodEntry, Operation operation) {
    return store
        .role(PeriodLedgerStore.class)
        .close(
            new CloseRequest(periodEntry.id(), periodEntry.hold().token(), operation, "because"),
            null);
  }

  /** Closes ended periods, and returns the results for this test's periods. */
  private List<PeriodEntry> closeEnded() {
    return store.role(PeriodLedgerStore.class).closeEnded(1_000).stream()
        .filter(periodEntry -> periodEntry.id().key().equals("guard:" + type))
        .toList();
  }

  private PeriodEntry stored() {
    return store.role(PeriodLedgerStore.class).find(id("2026-03-01")).orElseThrow();
  }

  private PeriodState state() {
    return stored().state();
  }

  @Test
  void theFirstClaimGetsThePeriodAndTheSecondLearnsWhoHasIt() {
    PeriodEntry periodEntry = claimed(by("a").by(executor));

    assertThat(periodEntry)
        .isEqualTo(
            new PeriodEntry(
                id("2026-03-01"),
                PeriodState.CLAIMED,
                new PeriodEntry.Hold(1, "a", executor, null, now().plus(LEASE)),
                1,
                now(),
                null,
                null));
    assertThat(taken(by("b"))).isEqualTo(periodEntry);
    assertThat(claim(PeriodClaimRequest.atLeastOnce(id("2026-03-02"), "b", LEASE)))
        .isInstanceOf(Claimed.class);
    assertThat(
            claim(
                PeriodClaimRequest.atLeastOnce(
                    new PeriodId("other:" + type, "2026-03-01"), "b", LEASE)))
        .isInstanceOf(Claimed.class);
  }

  @Test
  void aRepeatedClaimIsTheSameOneAndProlongsItsLease() {
    PeriodEntry first = claimed(by("a"));
    advance(SECOND);
    PeriodEntry again = claimed(by("a"));

    assertThat(again.hold().token()).isEqualTo(first.hold().token());
    assertThat(again.attempt()).isEqualTo(1);
    assertThat(again.claimed()).isEqualTo(first.claimed());
    assertThat(again.hold().leaseUntil()).isEqualTo(now().plus(LEASE));
  }

  @Test
  void anotherGetsItWhenTheLeaseIsOverAndTheFormerHolderIsFenced() {
    PeriodEntry first = claimed(by("a"));
    advance(LEASE);
    taken(by("b"));
    advance(Duration.ofMillis(1));
    PeriodEntry second = claimed(by("b"));

    assertThat(second.hold().token()).isEqualTo(2);
    assertThat(second.attempt()).isEqualTo(2);
    assertThat(end(first, Operation.COMPLETE)).isEqualTo(new CloseResult.NotHolder(second));
    assertThat(store.role(PeriodLedgerStore.class).renew(first.id(), 1, LEASE)).isFalse();
    assertThat(end(second, Operation.COMPLETE))
        .isEqualTo(new CloseResult.Closed(PeriodState.SUCCEEDED));
    assertThat(taken(by("c")).state()).isEqualTo(PeriodState.SUCCEEDED);
  }

  @Test
  void aRenewedLeaseKeepsOthersAway() {
    PeriodEntry periodEntry = claimed(by("a"));
    advance(LEASE.minus(SECOND));
    assertThat(store.role(PeriodLedgerStore.class).renew(periodEntry.id(), 1, LEASE)).isTrue();
    advance(LEASE);

    assertThat(taken(by("b")).hold().holder()).isEqualTo("a");
  }

  @Test
  void noOneTriesMoreOftenThanAllowed() {
    for (int attempt = 1; attempt <= PeriodClaimRequest.ATTEMPTS; attempt++) {
      assertThat(claimed(by("a" + attempt)).attempt()).isEqualTo(attempt);
      advance(LEASE.plus(SECOND));
    }

    taken(by("late"));
    assertThat(state()).isEqualTo(PeriodState.FAILED);
    assertThat(stored().reason()).contains("no attempt is left of 3");
  }

  @Test
  void aClaimThatIsFinalIsNeverMadeAgain() {
    PeriodClaimRequest request = PeriodClaimRequest.atMostOnce(id("2026-03-01"), "a", LEASE);
    claimed(request);
    advance(LEASE.plus(SECOND));

    assertThat(closeEnded()).extracting(PeriodEntry::id).contains(request.id());
    assertThat(state()).isEqualTo(PeriodState.FAILED);
    taken(PeriodClaimRequest.atMostOnce(id("2026-03-01"), "b", LEASE));
  }

  @ParameterizedTest
  @EnumSource(names = {"COMPLETE", "FAIL", "RELEASE"})
  void theHolderEndsItOnceAndMaySayItTwice(Operation operation) {
    PeriodEntry periodEntry = claimed(by("a"));
    CloseResult.Closed closed = new CloseResult.Closed(PeriodState.to(operation));

    assertThat(end(periodEntry, operation)).isEqualTo(closed);
    assertThat(end(periodEntry, operation)).isEqualTo(closed);
    assertThat(stored().ended()).isEqualTo(now());
    assertThat(stored().reason()).isEqualTo("because");
    for (Operation other : List.of(Operation.COMPLETE, Operation.FAIL, Operation.RELEASE)) {
      if (other != operation) {
        assertThat(end(periodEntry, other)).isEqualTo(new CloseResult.NotHolder(stored()));
      }
    }
  }

  @Test
  void whatNobodyClaimedCannotBeEnded() {
    assertThat(
            store
                .role(PeriodLedgerStore.class)
                .close(new CloseRequest(id("never"), 1, Operation.COMPLETE, null), null))
        .isEqualTo(new CloseResult.NotHolder(null));
  }

  @Test
  void whatWasReleasedIsClaimedAgainWithANewToken() {
    end(claimed(by("a")), Operation.RELEASE);

    PeriodEntry again = claimed(by("a"));

    assertThat(again.state()).isEqualTo(PeriodState.CLAIMED);
    assertThat(again.hold().token()).isEqualTo(2);
    assertThat(again.ended()).isNull();
    assertThat(again.reason()).isNull();
  }

  @Test
  void onlyWhatNobodyDidIsMissed() {
    claimed(by("a"));
    end(claimed(PeriodClaimRequest.atLeastOnce(id("released"), "a", LEASE)), Operation.RELEASE);
    List<PeriodId> all = List.of(id("2026-03-01"), id("released"), id("unknown"));

    assertThat(store.role(PeriodLedgerStore.class).recordMissed(all, "the engine was down"))
        .containsExactlyInAnyOrder(id("released"), id("unknown"));
    assertThat(store.role(PeriodLedgerStore.class).recordMissed(all, "again")).isEmpty();
    assertThat(state()).isEqualTo(PeriodState.CLAIMED);
    assertThat(store.role(PeriodLedgerStore.class).find(id("unknown")))
        .contains(
            new PeriodEntry(
                id("unknown"),
                PeriodState.MISSED,
                new PeriodEntry.Hold(0, "-", null, null, null),
                0,
                now(),
                now(),
                "the engine was down"));
    taken(PeriodClaimRequest.atLeastOnce(id("unknown"), "b", LEASE));
  }

  @Test
  void whatWasMissedIsListedTheNewestFirst() {
    Instant before = now();
    claimed(by("a"));
    store.role(PeriodLedgerStore.class).recordMissed(List.of(id("first")), "the engine was down");
    advance(SECOND);
    Instant between = now();
    store
        .role(PeriodLedgerStore.class)
        .recordMissed(List.of(id("x"), id("y")), "the engine was down");

    assertThat(missedSince(before)).containsExactly("y", "x", "first");
    assertThat(missedSince(between)).containsExactly("y", "x");
    advance(SECOND);
    assertThat(missedSince(now())).isEmpty();
    assertThat(store.role(PeriodLedgerStore.class).missed(before, 1)).hasSize(1);
  }

  private List<String> missedSince(Instant since) {
    return store.role(PeriodLedgerStore.class).missed(since, 1_000).stream()
        .filter(periodEntry -> periodEntry.id().key().equals(id("x").key()))
        .map(periodEntry -> periodEntry.id().period())
        .toList();
  }

  @Test
  void aClaimUnderAPassedFenceIsNone() {
    WorkflowInstance held = startAndClaim();
    PeriodClaimRequest request = PeriodClaimRequest.of(id("2026-03-01"), held.id());
    saveAccepted(transitionOf(held).to("next").due(SOON));

    assertThat(store.role(PeriodLedgerStore.class).claim(request, fence(held)))
        .isEqualTo(new Fenced());
    assertThat(store.role(PeriodLedgerStore.class).find(request.id())).isEmpty();
  }

  @Test
  void anInstanceThatClaimsKeepsThePeriodUntilItEnds() {
    WorkflowInstance held = startAndClaim();
    PeriodEntry periodEntry = claimed(PeriodClaimRequest.of(id("2026-03-01"), held.id()));
    assertThat(periodEntry.state()).isEqualTo(PeriodState.RUNNING);
    advance(HOUR.multipliedBy(1_000));
    taken(by("b"));
    assertThat(closeEnded()).isEmpty();

    WorkflowInstance later = startAndClaim();
    assertThat(
            store
                .role(PeriodLedgerStore.class)
                .close(
                    new CloseRequest(periodEntry.id(), 1, Operation.COMPLETE, null), fence(later)))
        .isEqualTo(new CloseResult.Closed(PeriodState.SUCCEEDED));
  }

  @Test
  void theEndOfAnInstanceClosesItsPeriod() {
    WorkflowInstance held = startAndClaim();
    claimed(PeriodClaimRequest.of(id("2026-03-01"), held.id()));
    saveAccepted(transitionOf(held).end(InstanceStatus.FINISHED));

    assertThat(closeEnded()).extracting(PeriodEntry::state).containsOnly(PeriodState.SUCCEEDED);
    assertThat(closeEnded()).isEmpty();
    assertThat(stored().ended()).isEqualTo(now());
  }

  @Test
  void aFailedInstanceGivesItsPeriodBackAtOnceWhileAttemptsAreLeft() {
    for (int attempt = 1; attempt <= PeriodClaimRequest.ATTEMPTS; attempt++) {
      WorkflowInstance held = startAndClaim();
      assertThat(claimed(PeriodClaimRequest.of(id("2026-03-01"), held.id())).attempt())
          .isEqualTo(attempt);
      saveAccepted(transitionOf(held).reason("no money").end(InstanceStatus.FAILED));
    }

    taken(by("b"));
    assertThat(state()).isEqualTo(PeriodState.FAILED);
    assertThat(stored().reason()).isEqualTo("its instance failed: no money");
  }

  @Test
  void aPeriodWhoseInstanceIsGoneFails() {
    claimed(PeriodClaimRequest.of(id("2026-03-01"), Long.MAX_VALUE));

    closeEnded();

    assertThat(state()).isEqualTo(PeriodState.FAILED);
    assertThat(stored().reason()).contains("gone");
  }

  @Test
  void aClaimCanStartTheInstanceOfItsPeriod() {
    StartClaimResult start =
        store.role(PeriodLedgerStore.class).claimAndStart(by("a"), instance().build());

    assertThat(start).isInstanceOf(Started.class);
    Started started = (Started) start;
    long instance = ((StartResult.Created) started.created()).id();
    assertThat(started.entry()).isEqualTo(stored());
    assertThat(started.entry().state()).isEqualTo(PeriodState.RUNNING);
    assertThat(started.entry().hold().executionId()).isEqualTo(instance);
    assertThat(started.entry().hold().leaseUntil()).isNull();
    assertThat(read(instance).position().status()).isEqualTo(InstanceStatus.CREATED);
  }

  @Test
  void aRepeatedStartIsTheSameOneAndAnotherStartsNothing() {
    Started first =
        (Started) store.role(PeriodLedgerStore.class).claimAndStart(by("a"), instance().build());

    assertThat(store.role(PeriodLedgerStore.class).claimAndStart(by("a"), instance().build()))
        .isEqualTo(new Started(first.entry(), null));
    assertThat(store.role(PeriodLedgerStore.class).claimAndStart(by("b"), instance().build()))
        .isEqualTo(new StartClaimResult.Taken(first.entry()));
    assertThat(claim(10)).hasSize(1);
  }

  @Test
  void periodsAreListedTheLastFirstInPages() {
    for (int day = 1; day <= 5; day++) {
      PeriodEntry periodEntry =
          claimed(PeriodClaimRequest.atLeastOnce(id("2026-03-0" + day), "a", LEASE));
      if (day % 2 == 0) {
        end(periodEntry, Operation.COMPLETE);
      }
    }
    PeriodQuery query = PeriodQuery.of("guard:" + type).limit(2);

    Page<PeriodEntry> first = store.role(PeriodLedgerStore.class).list(query);
    assertThat(periods(first)).containsExactly("2026-03-05", "2026-03-04");
    Page<PeriodEntry> second = store.role(PeriodLedgerStore.class).list(query.after(first.next()));
    assertThat(periods(second)).containsExactly("2026-03-03", "2026-03-02");
    Page<PeriodEntry> last = store.role(PeriodLedgerStore.class).list(query.after(second.next()));
    assertThat(periods(last)).containsExactly("2026-03-01");
    assertThat(last.next()).isNull();
    assertThat(
            periods(
                store
                    .role(PeriodLedgerStore.class)
                    .list(query.between("2026-03-02", "2026-03-03"))))
        .containsExactly("2026-03-03", "2026-03-02");
    assertThat(
            periods(store.role(PeriodLedgerStore.class).list(query.states(PeriodState.SUCCEEDED))))
        .containsExactly("2026-03-04", "2026-03-02");
    assertThat(
            store
                .role(PeriodLedgerStore.class)
                .keys("guard:" + type.substring(0, type.length() - 1), 1_000))
        .contains("guard:" + type);
  }

  private static List<String> periods(Page<PeriodEntry> page) {
    return page.items().stream().map(periodEntry -> periodEntry.id().period()).toList();
  }

  @Test
  void whatEndedLongAgoIsDeletedInBatches() {
    for (String period : List.of("a", "b", "c")) {
      end(claimed(PeriodClaimRequest.atLeastOnce(id(period), "x", LEASE)), Operation.COMPLETE);
    }
    claimed(by("open"));
    advance(HOUR.plusMillis(1));

    assertThat(
            IntStream.generate(() -> store.role(PeriodLedgerStore.class).deleteEnded(HOUR, 2))
                .takeWhile(deleted -> deleted > 0)
                .sum())
        .isGreaterThanOrEqualTo(3);
    assertThat(store.role(PeriodLedgerStore.class).list(PeriodQuery.of("guard:" + type)).items())
        .extracting(PeriodEntry::state)
        .containsExactly(PeriodState.CLAIMED);
  }
}
