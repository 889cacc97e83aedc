package io.millrace.tests.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.fixtures.store.SaveSpec;
import io.millrace.fixtures.store.StoreContract;
import io.millrace.fixtures.store.StoreFixture;
import io.millrace.instance.ChildCounts;
import io.millrace.instance.Due;
import io.millrace.instance.InstanceQuery;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.Position;
import io.millrace.instance.WorkflowInstance;
import io.millrace.store.OperatorCommand;
import io.millrace.store.SaveRequest;
import io.millrace.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests of starting children and waiting for them. */
class ChildrenContractTest extends StoreContract {

  private static final String CHILDREN = Position.CHILDREN;

  ChildrenContractTest(StoreFixture subject) {
    super(subject);
  }

  /** Returns a parent that has started {@code count} children and waits for them. */
  private WorkflowInstance parentOf(int count) {
    SaveSpec spec = transitionOf(startAndClaim());
    for (int i = 0; i < count; i++) {
      spec.child(instance());
    }
    return saveAccepted(spec.to("joining").waitFor(CHILDREN, NEVER));
  }

  private WorkflowInstance childOf(WorkflowInstance parent, String externalId) {
    saveAccepted(
        transitionOf(parent).child(instance().externalId(externalId).heldBy(executor)).keepLease());
    return store.queries().findByExternalId(type, group, externalId).orElseThrow();
  }

  private static SaveSpec end(WorkflowInstance held, InstanceStatus status) {
    return transitionOf(held).to("end").end(status);
  }

  @Test
  void childrenAreStartedWithTheTransition() {
    WorkflowInstance held = startAndClaim();
    advance(SECOND);
    WorkflowInstance parent =
        saveAccepted(
            transitionOf(held)
                .child(instance().externalId("a").input("1").variable("v", "2").priority(8))
                .child(instance().externalId("b").due(new Due.After(HOUR))));

    assertThat(parent.children()).isEqualTo(new ChildCounts(2, 2, 0));
    WorkflowInstance a = store.queries().findByExternalId(type, group, "a").orElseThrow();
    assertThat(a.origin().parentId()).isEqualTo(parent.id());
    assertThat(a.origin().priority()).isEqualTo(8);
    assertThat(a.nextActivation()).isEqualTo(now());
    assertThat(a.timing().created()).isEqualTo(now());
    assertThat(a.position().status()).isEqualTo(InstanceStatus.CREATED);
    assertThat(store.queries().input(a.id())).contains("1");
    assertThat(store.queries().variables(a.id())).containsEntry("v", "2");
    WorkflowInstance b = store.queries().findByExternalId(type, group, "b").orElseThrow();
    assertThat(b.nextActivation()).isEqualTo(now().plus(HOUR));
  }

  @Test
  void aChildWithAKnownExternalIdIsNotStartedAndNotCounted() {
    long known = start(instance().externalId("a").due(NEVER));
    WorkflowInstance parent =
        saveAccepted(
            transitionOf(startAndClaim())
                .child(instance().externalId("a"))
                .child(instance().externalId("b").due(NEVER))
                .child(instance().externalId("b").due(NEVER)));

    assertThat(parent.children()).isEqualTo(new ChildCounts(1, 1, 0));
    assertThat(read(known).origin().parentId()).isNull();
  }

  @Test
  void aKnownChildIsNamedInTheHistory() {
    long known = start(instance().externalId("a").due(NEVER));
    WorkflowInstance parent =
        saveAccepted(
            transitionOf(startAndClaim())
                .reason("forked")
                .child(instance().externalId("a"))
                .child(instance().externalId("b").due(NEVER))
                .keepLease());
    assertThat(lastAction(parent).outcome().reason())
        .isEqualTo(
            "forked (not started: child 'a', which exists as instance " + known + " of no parent)");

    parent =
        saveAccepted(
            transitionOf(parent).reason("again").child(instance().externalId("b").due(NEVER)));
    assertThat(lastAction(parent).outcome().reason()).isEqualTo("again");
    WorkflowInstance other =
        saveAccepted(
            transitionOf(startAndClaim())
                .reason("other")
                .child(instance().externalId("b").due(NEVER)));
    assertThat(lastAction(other).outcome().reason())
        .isEqualTo(
            "other (not started: child 'b', which exists as instance "
                + store.queries().findByExternalId(type, group, "b").orElseThrow().id()
                + " of parent "
                + parent.id()
                + ")");
  }

  @Test
  void aChildWithAKnownExternalIdAndAnotherPayloadIsRefusedWithItsTransition() {
    long known = start(instance().externalId("a").input("1").due(NEVER));
    WorkflowInstance held = startAndClaim();
    SaveSpec spec =
        transitionOf(held)
            .child(instance().externalId("b").due(NEVER))
            .child(instance().externalId("a").input("2").due(NEVER));

    assertThatThrownBy(() -> save(spec))
        .isInstanceOfSatisfying(
            StoreException.class,
            e -> {
              assertThat(e.rejected()).isTrue();
              assertThat(e.permanent()).isTrue();
            })
        .hasMessageContaining("'a' of workflow '" + type + "'")
        .hasMessageContaining("exists as instance " + known + " with another payload");
    assertThat(read(held)).isEqualTo(held);
    assertThat(store.queries().findByExternalId(type, group, "b")).isEmpty();
  }

  @Test
  void twoChildrenOfATransitionMayNotShareAnExternalIdWithDifferentPayloads() {
    WorkflowInstance held = startAndClaim();
    SaveSpec spec =
        transitionOf(held)
            .child(instance().externalId("a").input("1").due(NEVER))
            .child(instance().externalId("a").input("2").due(NEVER));

    assertThatThrownBy(() -> save(spec)).isInstanceOf(StoreException.class);
    assertThat(read(held)).isEqualTo(held);
    assertThat(store.queries().findByExternalId(type, group, "a")).isEmpty();
  }

  @Test
  void countsGrowWithEveryTransition() {
    WorkflowInstance parent =
        saveAccepted(transitionOf(startAndClaim()).child(instance()).child(instance()).keepLease());
    parent = saveAccepted(transitionOf(parent).child(instance()).keepLease());

    assertThat(parent.children()).isEqualTo(new ChildCounts(3, 3, 0));
  }

  @Test
  void aWaitForNoChildrenIsOverAtOnce() {
    WorkflowInstance parent =
        saveAccepted(transitionOf(startAndClaim()).waitFor(CHILDREN, new Due.After(HOUR)));

    assertThat(parent.nextActivation()).isEqualTo(now());
    assertThat(parent.position().waitUntil()).isEqualTo(now().plus(HOUR));
  }

  @Test
  void aWaitForAChildOfTheSameTransitionIsNotOver() {
    WorkflowInstance parent =
        saveAccepted(
            transitionOf(startAndClaim()).child(instance()).waitFor(CHILDREN, new Due.After(HOUR)));

    assertThat(parent.nextActivation()).isEqualTo(now().plus(HOUR));
  }

  @Test
  void theLastChildWakesItsParent() {
    WorkflowInstance parent = parentOf(2);
    List<WorkflowInstance> children = claim(10);
    advance(SECOND);

    saveAccepted(end(children.get(0), InstanceStatus.FINISHED));
    assertThat(read(parent).children()).isEqualTo(new ChildCounts(2, 1, 0));
    assertThat(read(parent).nextActivation()).isNull();

    saveAccepted(end(children.get(1), InstanceStatus.FINISHED));
    assertThat(read(parent).children()).isEqualTo(new ChildCounts(2, 0, 0));
    assertThat(read(parent).nextActivation()).isEqualTo(now());
    assertThat(read(parent).position().waitingFor()).isEqualTo(CHILDREN);
    assertThat(claimOne().id()).isEqualTo(parent.id());
  }

  @Test
  void failedAndCancelledChildrenAreCounted() {
    WorkflowInstance parent = parentOf(3);
    List<WorkflowInstance> children = claim(10);

    saveAccepted(end(children.get(0), InstanceStatus.FAILED));
    saveAccepted(end(children.get(1), InstanceStatus.CANCELLED));
    assertThat(read(parent).children()).isEqualTo(new ChildCounts(3, 1, 2));

    saveAccepted(end(children.get(2), InstanceStatus.FINISHED));
    assertThat(read(parent).children()).isEqualTo(new ChildCounts(3, 0, 2));
    assertThat(claimOne().id()).isEqualTo(parent.id());
  }

  @Test
  void aChildThatOnlyMovesTellsItsParentNothing() {
    WorkflowInstance parent = parentOf(1);
    saveAccepted(transitionOf(claimOne()));

    assertThat(read(parent).children()).isEqualTo(new ChildCounts(1, 1, 0));
  }

  @Test
  void aRepeatedEndIsCountedOnce() {
    WorkflowInstance parent = parentOf(2);
    SaveRequest saveRequest = end(claim(10).getFirst(), InstanceStatus.FAILED).build();
    save(saveRequest);
    save(saveRequest);

    assertThat(read(parent).children()).isEqualTo(new ChildCounts(2, 1, 1));
  }

  @Test
  void childrenThatEndBeforeTheWaitDoNotHoldItUp() {
    WorkflowInstance parent = startAndClaim();
    WorkflowInstance child = childOf(parent, "c");
    saveAccepted(end(child, InstanceStatus.FINISHED));

    assertThat(saveAccepted(transitionOf(read(parent)).waitFor(CHILDREN, NEVER)).nextActivation())
        .isEqualTo(now());
  }

  @Test
  void aChildThatEndsWhileItsParentExecutesEndsTheNextWaitForChildrenAndNoTimer() {
    SaveSpec spec =
        transitionOf(startAndClaim()).child(instance().externalId("c").heldBy(executor));
    saveAccepted(spec.waitFor(CHILDREN, new Due.After(SECOND)));
    advance(SECOND);
    WorkflowInstance parent = claimOne();
    WorkflowInstance child = store.queries().findByExternalId(type, group, "c").orElseThrow();
    advance(SECOND);

    saveAccepted(end(child, InstanceStatus.FINISHED));

    assertThat(read(parent).nextActivation()).isEqualTo(parent.nextActivation());
    WorkflowInstance later = saveAccepted(transitionOf(parent).due(new Due.After(HOUR)));
    assertThat(later.nextActivation()).isEqualTo(now().plus(HOUR));
    advance(HOUR);
    assertThat(saveAccepted(transitionOf(claimOne()).waitFor(CHILDREN, NEVER)).nextActivation())
        .isEqualTo(now());
  }

  @Test
  void aChildThatEndsDoesNotWakeAParentThatWaitsForSomethingElse() {
    WorkflowInstance held = startAndClaim();
    WorkflowInstance child = childOf(held, "c");
    WorkflowInstance parent = saveAccepted(transitionOf(read(held)).waitFor(PAID, NEVER));
    saveAccepted(end(child, InstanceStatus.FINISHED));

    assertThat(read(parent).nextActivation()).isNull();
    assertThat(read(parent).children()).isEqualTo(new ChildCounts(1, 0, 0));
  }

  @Test
  void aPausedParentBecomesDueWhenItIsResumed() {
    WorkflowInstance parent = parentOf(1);
    WorkflowInstance child = claimOne();
    applyAccepted(parent, new OperatorCommand.Pause());
    saveAccepted(end(child, InstanceStatus.FINISHED));
    assertThat(claim(10)).isEmpty();

    applyAccepted(parent, new OperatorCommand.Resume());
    assertThat(claimOne().id()).isEqualTo(parent.id());
  }

  /** The attempt before has seen that all children have ended. */
  @Test
  void aJoinThatIsTriedAgainWaitsForItsDelay() {
    WorkflowInstance parent = parentOf(0);
    WorkflowInstance again =
        saveAccepted(transitionOf(claimOne()).waitFor(CHILDREN, NEVER).retry(HOUR));

    assertThat(again.nextActivation()).isEqualTo(now().plus(HOUR));
    assertThat(again.position().waitingFor()).isEqualTo(CHILDREN);
    advance(HOUR);
    assertThat(claimOne().id()).isEqualTo(parent.id());
  }

  @Test
  void aFailedJoinIsRetriedAsAJoin() {
    WorkflowInstance parent = parentOf(1);
    WorkflowInstance child = claimOne();
    saveAccepted(end(child, InstanceStatus.FAILED));
    saveAccepted(transitionOf(claimOne()).waitFor(CHILDREN, NEVER).end(InstanceStatus.FAILED));
    applyAccepted(parent, new OperatorCommand.EditVariables(Map.of("v", "1")));
    applyAccepted(child, new OperatorCommand.Retry());
    saveAccepted(end(claimOne(), InstanceStatus.FINISHED));
    assertThat(read(parent).nextActivation()).isNull();
    assertThat(read(parent).status()).isEqualTo(InstanceStatus.FAILED);

    WorkflowInstance retried = applyAccepted(parent, new OperatorCommand.Retry());
    assertThat(retried.position().waitingFor()).isEqualTo(CHILDREN);
    assertThat(retried.position().waitUntil()).isNull();
    assertThat(claimOne().id()).isEqualTo(parent.id());
  }

  @Test
  void onlyAFailedInstanceStillWaitsForItsChildren() {
    parentOf(0);
    WorkflowInstance cancelled =
        saveAccepted(
            transitionOf(claimOne()).waitFor(CHILDREN, NEVER).end(InstanceStatus.CANCELLED));
    WorkflowInstance failed =
        saveAccepted(transitionOf(startAndClaim()).waitFor(PAID, NEVER).end(InstanceStatus.FAILED));

    assertThat(cancelled.position().waitingFor()).isNull();
    assertThat(failed.position().waitingFor()).isNull();
  }

  @Test
  void aCancelledChildIsToldToItsParent() {
    WorkflowInstance parent = parentOf(1);
    applyAccepted(claimOne(), new OperatorCommand.Cancel());

    assertThat(read(parent).children()).isEqualTo(new ChildCounts(1, 0, 1));
    assertThat(claimOne().id()).isEqualTo(parent.id());
  }

  @Test
  void cancellingAFailedChildDoesNotCountItTwice() {
    WorkflowInstance parent = parentOf(2);
    WorkflowInstance child = claim(10).getFirst();
    saveAccepted(end(child, InstanceStatus.FAILED));
    applyAccepted(child, new OperatorCommand.Cancel());

    assertThat(read(parent).children()).isEqualTo(new ChildCounts(2, 1, 1));
  }

  @Test
  void retryingAFailedChildTakesTheCountsBack() {
    WorkflowInstance parent = parentOf(2);
    WorkflowInstance child = claim(10).getFirst();
    saveAccepted(end(child, InstanceStatus.FAILED));
    applyAccepted(child, new OperatorCommand.Retry());
    assertThat(read(parent).children()).isEqualTo(new ChildCounts(2, 2, 0));

    saveAccepted(end(claimOne(), InstanceStatus.FINISHED));
    assertThat(read(parent).children()).isEqualTo(new ChildCounts(2, 1, 0));
  }

  @Test
  void movingAFailedChildToAnEndSettlesTheFailedCount() {
    WorkflowInstance parent = parentOf(2);
    WorkflowInstance child = claim(10).getFirst();
    saveAccepted(end(child, InstanceStatus.FAILED));
    applyAccepted(
        child, new OperatorCommand.Move("end", InstanceStatus.FINISHED, NEVER, null, null));

    assertThat(read(parent).children()).isEqualTo(new ChildCounts(2, 1, 0));
  }

  @Test
  void theChildsEndAndTheParentsWaitMayShareABatchInEitherOrder() {
    for (boolean childFirst : new boolean[] {true, false}) {
      WorkflowInstance parent = startAndClaim();
      WorkflowInstance child = childOf(parent, "c" + childFirst);
      SaveRequest wait = transitionOf(read(parent)).waitFor(CHILDREN, NEVER).build();
      SaveRequest end = end(child, InstanceStatus.FINISHED).build();

      assertThat(store.instances().save(childFirst ? List.of(end, wait) : List.of(wait, end)))
          .containsExactly(released(0), released(0));

      assertThat(read(parent).nextActivation()).as("child first: %s", childFirst).isEqualTo(now());
      assertThat(read(parent).children()).isEqualTo(new ChildCounts(1, 0, 0));
    }
  }

  @Test
  void theChildsEndAndTheParentsEndMayShareABatch() {
    WorkflowInstance parent = startAndClaim();
    WorkflowInstance child = childOf(parent, "c");
    List<SaveRequest> batch =
        List.of(
            end(read(parent), InstanceStatus.FINISHED).build(),
            end(child, InstanceStatus.FAILED).build());

    assertThat(store.instances().save(batch)).containsExactly(released(0), released(0));
    assertThat(read(parent).children()).isEqualTo(new ChildCounts(1, 0, 1));
    assertThat(read(parent).status()).isEqualTo(InstanceStatus.FINISHED);
    assertThat(read(parent).nextActivation()).isNull();
  }

  @Test
  void twoParentsOfABatchMayAskForTheSameChild() {
    WorkflowInstance first = startAndClaim();
    WorkflowInstance second = startAndClaim();
    SaveRequest one = transitionOf(first).child(instance().externalId("c").due(NEVER)).build();
    SaveRequest other = transitionOf(second).child(instance().externalId("c").due(NEVER)).build();

    assertThat(store.instances().save(List.of(one, other)))
        .containsExactly(released(0), released(0));
    assertThat(read(first).children().total() + read(second).children().total()).isEqualTo(1);
    WorkflowInstance child = store.queries().findByExternalId(type, group, "c").orElseThrow();
    assertThat(store.queries().find(child.origin().parentId()).orElseThrow().children().open())
        .isEqualTo(1);
  }

  @Test
  void manyChildrenOfOneParentMayEndInOneBatch() {
    WorkflowInstance parent = parentOf(50);
    List<WorkflowInstance> children = claim(100);
    List<SaveRequest> saves = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      saves.add(
          end(children.get(i), i % 5 == 0 ? InstanceStatus.FAILED : InstanceStatus.FINISHED)
              .build());
    }

    assertThat(store.instances().save(saves)).hasSize(50).allMatch(released(0)::equals);
    assertThat(read(parent).children()).isEqualTo(new ChildCounts(50, 0, 10));
    assertThat(claimOne().id()).isEqualTo(parent.id());
  }

  @Test
  void thousandsOfChildrenAreJoined() {
    WorkflowInstance parent = parentOf(3_000);
    assertThat(parent.children()).isEqualTo(new ChildCounts(3_000, 3_000, 0));

    int ended = 0;
    while (ended < 3_000) {
      List<WorkflowInstance> children = claim(500);
      assertThat(children).isNotEmpty().noneMatch(c -> c.id() == parent.id());
      store
          .instances()
          .save(children.stream().map(c -> end(c, InstanceStatus.FINISHED).build()).toList());
      ended += children.size();
    }

    assertThat(read(parent).children()).isEqualTo(new ChildCounts(3_000, 0, 0));
    assertThat(claimOne().id()).isEqualTo(parent.id());
  }

  @Test
  void aChildWhoseParentIsGoneCanStillEnd() {
    WorkflowInstance parent = startAndClaim();
    WorkflowInstance child = childOf(parent, "c");
    saveAccepted(end(read(parent), InstanceStatus.FINISHED));
    advance(HOUR);
    store.retention().delete(Duration.ofMinutes(1), 1_000);
    assertThat(store.queries().find(parent.id())).isEmpty();

    assertThat(saveAccepted(end(child, InstanceStatus.FINISHED)).status())
        .isEqualTo(InstanceStatus.FINISHED);
  }

  @Test
  void theChildrenOfAParentCanBeListed() {
    WorkflowInstance parent = parentOf(3);
    start(instance());

    assertThat(store.queries().search(InstanceQuery.all().parent(parent.id()), null).items())
        .hasSize(3)
        .allMatch(c -> c.origin().parentId() == parent.id());
  }
}
