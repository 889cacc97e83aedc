package io.millrace.tests.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.fixtures.store.StoreContract;
import io.millrace.fixtures.store.StoreFixture;
import io.millrace.instance.Due;
import io.millrace.instance.InboxMessage;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.Lease;
import io.millrace.instance.WorkflowInstance;
import io.millrace.store.ClaimRequest;
import io.millrace.store.ClaimResult;
import io.millrace.store.InstanceStore.StepRecord;
import io.millrace.store.OperatorCommand;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ClaimContractTest extends StoreContract {

  ClaimContractTest(StoreFixture subject) {
    super(subject);
  }

  private List<Long> claimedIds(int limit) {
    return claim(limit).stream().map(WorkflowInstance::id).toList();
  }

  private ClaimResult.ClaimedData data() {
    return claim(executor, 10).claimed().getFirst().data();
  }

  @Test
  void aClaimTakesTheLeaseAndCountsTheAttempt() {
    long id = start(instance());
    advance(SECOND);

    WorkflowInstance claimed = claimOne();

    assertThat(claimed.id()).isEqualTo(id);
    assertThat(claimed.lease()).isEqualTo(new Lease(executor, 1, 0, 1, 0));
    assertThat(claimed.status()).isEqualTo(InstanceStatus.EXECUTING);
    assertThat(claimed.position().status()).isEqualTo(InstanceStatus.CREATED);
    assertThat(read(id)).isEqualTo(claimed);
  }

  @Test
  void aClaimTellsTheTimeOfTheStore() {
    assertThat(claim(executor, 1).now()).isEqualTo(now());
  }

  @Test
  void whatIsHeldIsNotClaimedAgain() {
    start(3);

    assertThat(claim(10)).hasSize(3);
    assertThat(claim(10)).isEmpty();
    assertThat(claim(register(), 10).claimed()).isEmpty();
  }

  @Test
  void aClaimNeverExceedsItsLimit() {
    start(7);

    assertThat(claim(3)).hasSize(3);
    assertThat(claim(3)).hasSize(3);
    assertThat(claim(3)).hasSize(1);
  }

  @Test
  void otherGroupsAreLeftAlone() {
    start(instance().group(group + "x"));

    assertThat(claim(10)).isEmpty();
  }

  @Test
  void unknownDefinitionsAreLeftAlone() {
    int other = store.definitions().save(type, 2, "h", "{}").id();
    start(instance().definition(other));

    assertThat(claim(10)).isEmpty();
    assertThat(
            store
                .instances()
                .claim(new ClaimRequest(executor, group, List.of(definition, other), 10))
                .claimed())
        .hasSize(1);
  }

  @Test
  void noDefinitionsNoClaims() {
    start(instance());

    assertThat(store.instances().claim(new ClaimRequest(executor, group, List.of(), 10)))
        .isEqualTo(new ClaimResult(now(), List.of(), null));
  }

  @Test
  void higherPriorityGoesFirstHoweverLateItIsDue() {
    long low = start(instance().priority(0).due(new Due.At(now().minus(HOUR))));
    long high = start(instance().priority(9));
    long middle = start(instance().priority(4).due(new Due.At(now().minus(HOUR))));

    assertThat(claimedIds(10)).containsExactly(high, middle, low);
  }

  @Test
  void amongEqualPrioritiesTheLongestDueGoesFirst() {
    long second = start(instance().due(new Due.At(now().minusSeconds(1))));
    long third = start(instance());
    long first = start(instance().due(new Due.At(now().minusSeconds(2))));

    assertThat(claimedIds(10)).containsExactly(first, second, third);
  }

  @Test
  void amongEqualsTheFirstIdGoesFirst() {
    List<Long> ids = start(5);

    assertThat(claimedIds(2)).isEqualTo(ids.subList(0, 2));
    assertThat(claimedIds(10)).isEqualTo(ids.subList(2, 5));
  }

  @Test
  void aClaimLooksFromTheDueTimeOfEachPriorityOn() {
    Instant hourAgo = now().minus(HOUR);
    start(instance().priority(9).due(new Due.At(hourAgo)));
    long later = start(instance().priority(9).due(new Due.At(hourAgo.plusSeconds(1))));
    long first = start(instance().priority(2).due(new Due.At(hourAgo)));
    List<Instant> dueFrom = new ArrayList<>(Collections.nCopies(10, hourAgo));
    dueFrom.set(9, hourAgo.plusSeconds(1));

    ClaimRequest request = new ClaimRequest(executor, group, List.of(definition), 10, dueFrom);

    assertThat(store.instances().claim(request).claimed())
        .extracting(c -> c.instance().id())
        .containsExactly(later, first);
    assertThat(claim(10)).hasSize(1);
  }

  @Test
  void theOrderHoldsAcrossDefinitions() {
    int other = store.definitions().save(type, 2, "h", "{}").id();
    long third = start(instance().priority(3));
    long second = start(instance().priority(5));
    long first =
        start(instance().priority(5).definition(other).due(new Due.At(now().minusSeconds(1))));

    assertThat(
            store
                .instances()
                .claim(new ClaimRequest(executor, group, List.of(definition, other), 2))
                .claimed())
        .extracting(c -> c.instance().id())
        .containsExactly(first, second);
    assertThat(claimedIds(10)).containsExactly(third);
  }

  @Test
  void aTimerIsNotClaimedBeforeItsTime() {
    long id = start(instance().due(new Due.After(SECOND)));
    advance(SECOND.minusMillis(1));
    assertThat(claim(10)).isEmpty();

    advance(Duration.ofMillis(1));
    assertThat(claimedIds(10)).containsExactly(id);
  }

  @Test
  void aTimerInTheFarFutureIsNotClaimed() {
    start(instance().due(new Due.After(Duration.ofDays(36_500))).priority(9));
    long due = start(instance());

    assertThat(claimedIds(1)).containsExactly(due);
    assertThat(claimedIds(1)).isEmpty();
  }

  @Test
  void whatHasNoDueTimeIsNotClaimed() {
    start(instance().due(NEVER));
    waitingFor(PAID);
    advance(Duration.ofDays(10_000));

    assertThat(claim(10)).isEmpty();
  }

  @Test
  void pausedManualAndEndedOnesAreNotClaimed() {
    applyAccepted(read(start(instance())), new OperatorCommand.Pause());
    saveAccepted(transitionOf(startAndClaim()).status(InstanceStatus.MANUAL));
    saveAccepted(transitionOf(startAndClaim()).end(InstanceStatus.FINISHED));
    saveAccepted(transitionOf(startAndClaim()).end(InstanceStatus.FAILED));
    applyAccepted(read(start(instance())), new OperatorCommand.Cancel());

    assertThat(claim(10)).isEmpty();
  }

  @Test
  void nextDueIsTheEarliestFutureOne() {
    start(instance().due(new Due.After(HOUR)));
    start(instance().due(new Due.After(SECOND)).priority(0));
    start(instance());

    ClaimResult result = claim(executor, 10);

    assertThat(result.claimed()).hasSize(1);
    assertThat(result.nextDue()).isEqualTo(now().plus(SECOND));
  }

  @Test
  void nextDueIsNullWhenTheLimitWasReached() {
    start(2);
    start(instance().due(new Due.After(SECOND)));

    assertThat(claim(executor, 1).nextDue()).isNull();
    assertThat(claim(executor, 1).nextDue()).isNull();
    assertThat(claim(executor, 1).nextDue()).isEqualTo(now().plus(SECOND));
  }

  @Test
  void nextDueLooksOnlyAtWhatMayBeClaimedInThisGroup() {
    start(instance().due(new Due.After(SECOND)).group(group + "x"));
    startAndClaim(instance().due(new Due.After(SECOND)));
    applyAccepted(read(start(instance().due(new Due.After(SECOND)))), new OperatorCommand.Pause());

    assertThat(claim(executor, 10).nextDue()).isNull();
  }

  @Test
  void theEndOfALimitedWaitIsADueTime() {
    WorkflowInstance waiting =
        saveAccepted(transitionOf(startAndClaim()).waitFor(PAID, new Due.After(SECOND)));

    assertThat(claim(executor, 10).nextDue()).isEqualTo(now().plus(SECOND));
    advance(SECOND);
    assertThat(claimOne().id()).isEqualTo(waiting.id());
  }

  @Test
  void aClaimKeepsWhatTheInstanceWaitsFor() {
    saveAccepted(transitionOf(startAndClaim()).waitFor(PAID, new Due.After(SECOND)));
    advance(SECOND);

    assertThat(claimOne().position().waitingFor()).isEqualTo(PAID);
    assertThat(claim(10)).isEmpty();
  }

  @Test
  void thePayloadOfABareInstanceIsEmpty() {
    start(instance());

    assertThat(data()).isEqualTo(ClaimResult.ClaimedData.EMPTY);
  }

  @Test
  void thePayloadCarriesInputAndVariables() {
    start(instance().input("{\"a\":1}").variable("v", "\"x\"").variable("w", "[1,2]"));

    ClaimResult.ClaimedData data = data();

    assertThat(data.input()).isEqualTo("{\"a\":1}");
    assertThat(data.variables()).isEqualTo(Map.of("v", "\"x\"", "w", "[1,2]"));
  }

  @Test
  void thePayloadsOfABatchAreNotMixedUp() {
    for (int i = 0; i < 20; i++) {
      WorkflowInstance started = read(start(instance().input("" + i).variable("v", "" + i)));
      signal(started, "s" + started.id());
    }

    assertThat(claim(executor, 20).claimed())
        .hasSize(20)
        .allSatisfy(c -> {
          assertThat(c.data().variables()).isEqualTo(Map.of("v", c.data().input()));
          assertThat(c.data().inboxMessages())
              .extracting(InboxMessage::name)
              .containsExactly("s" + c.instance().id());
          assertThat(c.data().input())
              .isEqualTo(store.queries().input(c.instance().id()).orElseThrow());
        });
  }

  @Test
  void thePayloadCarriesUnconsumedMessagesOldestFirst() {
    WorkflowInstance held = startAndClaim();
    signal(held, "a");
    signal(held, "b");
    saveAccepted(transitionOf(held).consume(unconsumedMessages(held).subList(0, 1)));
    signal(held, "c");

    List<InboxMessage> messages = data().inboxMessages();

    assertThat(messages).extracting(InboxMessage::name).containsExactly("b", "c");
    assertThat(messages).isEqualTo(unconsumedMessages(held));
  }

  @Test
  void thePayloadCarriesTheStepsOfTheCurrentVisitAlone() {
    WorkflowInstance held = startAndClaim();
    store.instances().recordStep(new StepRecord(fence(held), 0, "first", "1"));
    saveAccepted(transitionOf(held).retry(Duration.ZERO));
    ClaimResult.Claimed again = claim(executor, 1).claimed().getFirst();
    assertThat(again.data().steps()).isEqualTo(Map.of("first", "1"));

    saveAccepted(transitionOf(again.instance()).to("second"));
    assertThat(data().steps()).isEmpty();
  }
}
