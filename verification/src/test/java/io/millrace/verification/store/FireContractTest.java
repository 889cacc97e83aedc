package io.millrace.verification.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.data.Fire;
import io.millrace.data.FireClaim;
import io.millrace.data.FireClaim.Claimed;
import io.millrace.data.FireClaim.Fenced;
import io.millrace.data.FireClaim.Taken;
import io.millrace.data.FireId;
import io.millrace.data.FireQuery;
import io.millrace.data.FireRequest;
import io.millrace.data.FireState;
import io.millrace.data.FireState.Deed;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.Page;
import io.millrace.instance.WorkflowInstance;
import io.millrace.store.FireStore.End;
import io.millrace.store.FireStore.FireEnd;
import io.millrace.store.FireStore.FireStart;
import io.millrace.store.FireStore.FireStart.Begun;
import io.millrace.store.StartResult;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FireContractTest extends StoreContract {

  private static final Duration LEASE = Duration.ofMinutes(5);
  private static final Duration SECOND = Duration.ofSeconds(1);

  FireContractTest(StoreUnderTest subject) {
    super(subject);
  }

  private FireId id(String period) {
    return new FireId("guard:" + type, period);
  }

  private FireRequest by(String claimant) {
    return FireRequest.atLeastOnce(id("2026-03-01"), claimant, LEASE);
  }

  private FireClaim claim(FireRequest request) {
    return store.fires().claim(request, null);
  }

  private Fire claimed(FireRequest request) {
    FireClaim claim = claim(request);
    assertThat(claim).isInstanceOf(Claimed.class);
    return ((Claimed) claim).fire();
  }

  private Fire taken(FireRequest request) {
    FireClaim claim = claim(request);
    assertThat(claim).isInstanceOf(Taken.class);
    return ((Taken) claim).fire();
  }

  private FireEnd end(Fire fire, Deed deed) {
    return store.fires().end(new End(fire.id(), fire.hold().token(), deed, "because"), null);
  }

  /** Closes what is over, and answers with what became of this test's periods. */
  private List<Fire> settle() {
    return store.fires().settle(1_000).stream()
        .filter(fire -> fire.id().schedule().equals("guard:" + type))
        .toList();
  }

  private Fire stored() {
    return store.fires().find(id("2026-03-01")).orElseThrow();
  }

  private FireState state() {
    return stored().state();
  }

  @Test
  void theFirstClaimGetsThePeriodAndTheSecondLearnsWhoHasIt() {
    Fire fire = claimed(by("a").by(executor));

    assertThat(fire)
        .isEqualTo(
            new Fire(
                id("2026-03-01"),
                FireState.CLAIMED,
                new Fire.Hold(1, "a", executor, null, now().plus(LEASE)),
                1,
                now(),
                null,
                null));
    assertThat(taken(by("b"))).isEqualTo(fire);
    assertThat(claim(FireRequest.atLeastOnce(id("2026-03-02"), "b", LEASE)))
        .isInstanceOf(Claimed.class);
    assertThat(
            claim(FireRequest.atLeastOnce(new FireId("other:" + type, "2026-03-01"), "b", LEASE)))
        .isInstanceOf(Claimed.class);
  }

  @Test
  void aRepeatedClaimIsTheSameOneAndProlongsItsLease() {
    Fire first = claimed(by("a"));
    pass(SECOND);
    Fire again = claimed(by("a"));

    assertThat(again.hold().token()).isEqualTo(first.hold().token());
    assertThat(again.attempt()).isEqualTo(1);
    assertThat(again.claimed()).isEqualTo(first.claimed());
    assertThat(again.hold().leaseUntil()).isEqualTo(now().plus(LEASE));
  }

  @Test
  void anotherGetsItWhenTheLeaseIsOverAndTheFormerHolderIsFenced() {
    Fire first = claimed(by("a"));
    pass(LEASE);
    taken(by("b"));
    pass(Duration.ofMillis(1));
    Fire second = claimed(by("b"));

    assertThat(second.hold().token()).isEqualTo(2);
    assertThat(second.attempt()).isEqualTo(2);
    assertThat(end(first, Deed.COMPLETE)).isEqualTo(new FireEnd.Passed(second));
    assertThat(store.fires().renew(first.id(), 1, LEASE)).isFalse();
    assertThat(end(second, Deed.COMPLETE)).isEqualTo(new FireEnd.Ended(FireState.SUCCEEDED));
    assertThat(taken(by("c")).state()).isEqualTo(FireState.SUCCEEDED);
  }

  @Test
  void aRenewedLeaseKeepsOthersAway() {
    Fire fire = claimed(by("a"));
    pass(LEASE.minus(SECOND));
    assertThat(store.fires().renew(fire.id(), 1, LEASE)).isTrue();
    pass(LEASE);

    assertThat(taken(by("b")).hold().holder()).isEqualTo("a");
  }

  @Test
  void noOneTriesMoreOftenThanAllowed() {
    for (int attempt = 1; attempt <= FireRequest.ATTEMPTS; attempt++) {
      assertThat(claimed(by("a" + attempt)).attempt()).isEqualTo(attempt);
      pass(LEASE.plus(SECOND));
    }

    taken(by("late"));
    assertThat(state()).isEqualTo(FireState.FAILED);
    assertThat(stored().reason()).contains("no attempt is left of 3");
  }

  @Test
  void aClaimThatIsFinalIsNeverMadeAgain() {
    FireRequest request = FireRequest.atMostOnce(id("2026-03-01"), "a", LEASE);
    claimed(request);
    pass(LEASE.plus(SECOND));

    assertThat(settle()).extracting(Fire::id).contains(request.id());
    assertThat(state()).isEqualTo(FireState.FAILED);
    taken(FireRequest.atMostOnce(id("2026-03-01"), "b", LEASE));
  }

  @ParameterizedTest
  @EnumSource(names = {"COMPLETE", "FAIL", "RELEASE"})
  void theHolderEndsItOnceAndMaySayItTwice(Deed deed) {
    Fire fire = claimed(by("a"));
    FireEnd.Ended ended = new FireEnd.Ended(FireState.to(deed));

    assertThat(end(fire, deed)).isEqualTo(ended);
    assertThat(end(fire, deed)).isEqualTo(ended);
    assertThat(stored().ended()).isEqualTo(now());
    assertThat(stored().reason()).isEqualTo("because");
    for (Deed other : List.of(Deed.COMPLETE, Deed.FAIL, Deed.RELEASE)) {
      if (other != deed) {
        assertThat(end(fire, other)).isEqualTo(new FireEnd.Passed(stored()));
      }
    }
  }

  @Test
  void whatNobodyClaimedCannotBeEnded() {
    assertThat(store.fires().end(new End(id("never"), 1, Deed.COMPLETE, null), null))
        .isEqualTo(new FireEnd.Passed(null));
  }

  @Test
  void whatWasReleasedIsClaimedAgainWithANewToken() {
    end(claimed(by("a")), Deed.RELEASE);

    Fire again = claimed(by("a"));

    assertThat(again.state()).isEqualTo(FireState.CLAIMED);
    assertThat(again.hold().token()).isEqualTo(2);
    assertThat(again.ended()).isNull();
    assertThat(again.reason()).isNull();
  }

  @Test
  void onlyWhatNobodyDidIsMissed() {
    claimed(by("a"));
    end(claimed(FireRequest.atLeastOnce(id("released"), "a", LEASE)), Deed.RELEASE);
    List<FireId> all = List.of(id("2026-03-01"), id("released"), id("unknown"));

    assertThat(store.fires().miss(all, "the engine was down"))
        .containsExactlyInAnyOrder(id("released"), id("unknown"));
    assertThat(store.fires().miss(all, "again")).isEmpty();
    assertThat(state()).isEqualTo(FireState.CLAIMED);
    assertThat(store.fires().find(id("unknown")))
        .contains(
            new Fire(
                id("unknown"),
                FireState.MISSED,
                new Fire.Hold(0, "-", null, null, null),
                0,
                now(),
                now(),
                "the engine was down"));
    taken(FireRequest.atLeastOnce(id("unknown"), "b", LEASE));
  }

  @Test
  void whatWasMissedIsListedTheNewestFirst() {
    Instant before = now();
    claimed(by("a"));
    store.fires().miss(List.of(id("first")), "the engine was down");
    pass(SECOND);
    Instant between = now();
    store.fires().miss(List.of(id("x"), id("y")), "the engine was down");

    assertThat(missedSince(before)).containsExactly("y", "x", "first");
    assertThat(missedSince(between)).containsExactly("y", "x");
    pass(SECOND);
    assertThat(missedSince(now())).isEmpty();
    assertThat(store.fires().missed(before, 1)).hasSize(1);
  }

  private List<String> missedSince(Instant since) {
    return store.fires().missed(since, 1_000).stream()
        .filter(fire -> fire.id().schedule().equals(id("x").schedule()))
        .map(fire -> fire.id().period())
        .toList();
  }

  @Test
  void aClaimUnderAPassedFenceIsNone() {
    WorkflowInstance held = held();
    FireRequest request = FireRequest.of(id("2026-03-01"), held.id());
    saved(move(held).to("next").due(SOON));

    assertThat(store.fires().claim(request, fence(held))).isEqualTo(new Fenced());
    assertThat(store.fires().find(request.id())).isEmpty();
  }

  @Test
  void anInstanceThatClaimsKeepsThePeriodUntilItEnds() {
    WorkflowInstance held = held();
    Fire fire = claimed(FireRequest.of(id("2026-03-01"), held.id()));
    assertThat(fire.state()).isEqualTo(FireState.RUNNING);
    pass(HOUR.multipliedBy(1_000));
    taken(by("b"));
    assertThat(settle()).isEmpty();

    WorkflowInstance later = held();
    assertThat(store.fires().end(new End(fire.id(), 1, Deed.COMPLETE, null), fence(later)))
        .isEqualTo(new FireEnd.Ended(FireState.SUCCEEDED));
  }

  @Test
  void theEndOfAnInstanceClosesItsPeriod() {
    WorkflowInstance held = held();
    claimed(FireRequest.of(id("2026-03-01"), held.id()));
    saved(move(held).end(InstanceStatus.FINISHED));

    assertThat(settle()).extracting(Fire::state).containsOnly(FireState.SUCCEEDED);
    assertThat(settle()).isEmpty();
    assertThat(stored().ended()).isEqualTo(now());
  }

  @Test
  void aFailedInstanceGivesItsPeriodBackAtOnceWhileAttemptsAreLeft() {
    for (int attempt = 1; attempt <= FireRequest.ATTEMPTS; attempt++) {
      WorkflowInstance held = held();
      assertThat(claimed(FireRequest.of(id("2026-03-01"), held.id())).attempt()).isEqualTo(attempt);
      saved(move(held).reason("no money").end(InstanceStatus.FAILED));
    }

    taken(by("b"));
    assertThat(state()).isEqualTo(FireState.FAILED);
    assertThat(stored().reason()).isEqualTo("its instance failed: no money");
  }

  @Test
  void aPeriodWhoseInstanceIsGoneFails() {
    claimed(FireRequest.of(id("2026-03-01"), Long.MAX_VALUE));

    settle();

    assertThat(state()).isEqualTo(FireState.FAILED);
    assertThat(stored().reason()).contains("gone");
  }

  @Test
  void aClaimCanStartTheInstanceOfItsPeriod() {
    FireStart start = store.fires().claimAndStart(by("a"), instance().build());

    assertThat(start).isInstanceOf(Begun.class);
    Begun begun = (Begun) start;
    long instance = ((StartResult.Created) begun.created()).id();
    assertThat(begun.fire()).isEqualTo(stored());
    assertThat(begun.fire().state()).isEqualTo(FireState.RUNNING);
    assertThat(begun.fire().hold().executionId()).isEqualTo(instance);
    assertThat(begun.fire().hold().leaseUntil()).isNull();
    assertThat(read(instance).position().status()).isEqualTo(InstanceStatus.CREATED);
  }

  @Test
  void aRepeatedStartIsTheSameOneAndAnotherStartsNothing() {
    Begun first = (Begun) store.fires().claimAndStart(by("a"), instance().build());

    assertThat(store.fires().claimAndStart(by("a"), instance().build()))
        .isEqualTo(new Begun(first.fire(), null));
    assertThat(store.fires().claimAndStart(by("b"), instance().build()))
        .isEqualTo(new FireStart.Taken(first.fire()));
    assertThat(claim(10)).hasSize(1);
  }

  @Test
  void periodsAreListedTheLastFirstInPages() {
    for (int day = 1; day <= 5; day++) {
      Fire fire = claimed(FireRequest.atLeastOnce(id("2026-03-0" + day), "a", LEASE));
      if (day % 2 == 0) {
        end(fire, Deed.COMPLETE);
      }
    }
    FireQuery query = FireQuery.of("guard:" + type).limit(2);

    Page<Fire> first = store.fires().list(query);
    assertThat(periods(first)).containsExactly("2026-03-05", "2026-03-04");
    Page<Fire> second = store.fires().list(query.after(first.next()));
    assertThat(periods(second)).containsExactly("2026-03-03", "2026-03-02");
    Page<Fire> last = store.fires().list(query.after(second.next()));
    assertThat(periods(last)).containsExactly("2026-03-01");
    assertThat(last.next()).isNull();
    assertThat(periods(store.fires().list(query.between("2026-03-02", "2026-03-03"))))
        .containsExactly("2026-03-03", "2026-03-02");
    assertThat(periods(store.fires().list(query.states(FireState.SUCCEEDED))))
        .containsExactly("2026-03-04", "2026-03-02");
    assertThat(store.fires().schedules("guard:" + type.substring(0, type.length() - 1), 1_000))
        .contains("guard:" + type);
  }

  private static List<String> periods(Page<Fire> page) {
    return page.items().stream().map(fire -> fire.id().period()).toList();
  }

  @Test
  void whatEndedLongAgoIsDeletedInBatches() {
    for (String period : List.of("a", "b", "c")) {
      end(claimed(FireRequest.atLeastOnce(id(period), "x", LEASE)), Deed.COMPLETE);
    }
    claimed(by("open"));
    pass(HOUR.plusMillis(1));

    assertThat(
            IntStream.generate(() -> store.fires().deleteEnded(HOUR, 2))
                .takeWhile(deleted -> deleted > 0)
                .sum())
        .isGreaterThanOrEqualTo(3);
    assertThat(store.fires().list(FireQuery.of("guard:" + type)).items())
        .extracting(Fire::state)
        .containsExactly(FireState.CLAIMED);
  }
}
