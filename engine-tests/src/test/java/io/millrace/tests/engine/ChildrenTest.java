package io.millrace.tests.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.definition.Next;
import io.millrace.definition.StateHandler;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.fixtures.EngineFixture;
import io.millrace.instance.ChildCounts;
import io.millrace.instance.InstanceQuery;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.StartRequest;
import io.millrace.instance.StatusReason;
import io.millrace.instance.WorkflowInstance;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests of instances that start others and wait for them. */
class ChildrenTest extends EngineFixture {

  private final WorkflowDefinition child =
      WorkflowDefinition.of("child")
          .start(
              "a",
              ctx ->
                  switch (ctx.find("how", String.class).orElse("end")) {
                    case "fail" -> Next.fail("no");
                    case "wait" -> Next.moveTo("b", "x");
                    default -> Next.done("ok");
                  })
          .await("b", "go", (ctx, s) -> Next.done("went"))
          .build();

  private WorkflowDefinition parent(StateHandler spawner) {
    return WorkflowDefinition.of("parent")
        .start("fork", spawner)
        .state(
            "join",
            ctx -> {
              log.add("joined " + ctx.children());
              return Next.done("joined");
            })
        .build();
  }

  private long runParent(String... hows) {
    run(
        child,
        parent(ctx -> {
          for (String how : hows) {
            ctx.spawn(StartRequest.of("child").variable("how", how));
          }
          return Next.waitForChildren("join", "forked");
        }));
    long id = start("parent");
    engine.runUntilIdle();
    return id;
  }

  private List<WorkflowInstance> childrenOf(long id) {
    return client().search(InstanceQuery.all().parent(id).limit(1000)).items();
  }

  @Test
  void tenThousandChildrenAreJoinedOnce() {
    run(
        child,
        parent(ctx -> {
          ctx.spawnAll(IntStream.range(0, 10_000).mapToObj(i -> StartRequest.of("child")).toList());
          return Next.waitForChildren("join", "forked");
        }));
    long id = start("parent");
    engine.runUntilIdle();
    assertThat(log).containsExactly("joined ChildCounts[total=10000, open=0, failed=0]");
    assertThat(status(id)).isEqualTo(InstanceStatus.FINISHED);
    assertThat(history(id)).hasSize(2);
  }

  @Test
  void failedChildrenWakeTheirParentAndAreCounted() {
    long id = runParent("fail", "end", "fail");
    assertThat(log).containsExactly("joined " + new ChildCounts(3, 0, 2));
    assertThat(get(id).children()).isEqualTo(new ChildCounts(3, 0, 2));
  }

  @Test
  void aCancelledChildWakesItsParentAndIsCounted() {
    long id = runParent("wait", "end");
    assertThat(log).isEmpty();
    assertThat(client().statusReason(id))
        .isEqualTo(new StatusReason.WaitingForChildren(new ChildCounts(2, 1, 0)));
    client().cancel(childrenOf(id).getLast().id(), BY_ANN);
    engine.runUntilIdle();
    assertThat(log).containsExactly("joined " + new ChildCounts(2, 0, 1));
  }

  @Test
  void aChildKnowsItsParent() {
    long id = runParent("end");
    assertThat(childrenOf(id)).extracting(c -> c.origin().parentId()).containsExactly(id);
  }

  @Test
  void waitingForChildrenWithoutAnyRunsAtOnce() {
    runParent();
    assertThat(log).containsExactly("joined " + ChildCounts.NONE);
  }

  @Test
  void childrenOfChildrenAreJoinedFromBelow() {
    run(
        child,
        WorkflowDefinition.of("middle")
            .start(
                "fork",
                ctx -> {
                  ctx.spawn(StartRequest.of("child"));
                  ctx.spawn(StartRequest.of("child"));
                  return Next.waitForChildren("join", "x");
                })
            .state("join", ctx -> Next.done("middle " + ctx.children().total()))
            .build(),
        parent(ctx -> {
          ctx.spawn(StartRequest.of("middle"));
          ctx.spawn(StartRequest.of("middle"));
          return Next.waitForChildren("join", "x");
        }));
    long id = start("parent");
    engine.runUntilIdle();
    assertThat(log).containsExactly("joined " + new ChildCounts(2, 0, 0));
    assertThat(childrenOf(id))
        .extracting(c -> c.position().reason())
        .containsExactly("middle 2", "middle 2");
  }

  @Test
  void aFailingJoinIsTriedAgain() {
    run(
        child,
        WorkflowDefinition.of("parent")
            .start(
                "fork",
                ctx -> {
                  ctx.spawn(StartRequest.of("child"));
                  return Next.waitForChildren("join", "x");
                })
            .state(
                "join",
                ctx -> {
                  if (ctx.attempt() == 1) {
                    throw new IllegalStateException();
                  }
                  return Next.done("attempt " + ctx.attempt());
                })
            .retry(DOUBLING)
            .build());
    long id = start("parent");
    engine.advance(Duration.ofMinutes(1));
    assertThat(last(id).outcome().reason()).isEqualTo("attempt 2");
  }

  @Test
  void aChildOfAKnownExternalIdIsNotStartedAndNotWaitedFor() {
    run(
        child,
        parent(ctx -> {
          ctx.spawn(StartRequest.of("child").externalId("e"));
          return Next.waitForChildren("join", "x");
        }));
    start(StartRequest.of("child").externalId("e").after(Duration.ofHours(1)));
    start("parent");
    engine.runUntilIdle();
    assertThat(log).containsExactly("joined " + ChildCounts.NONE);
  }

  @Test
  void aChildOfAKnownExternalIdIsNotCountedInTheNextStateOfTheChain() {
    run(
        child,
        parent(ctx -> {
          ctx.spawn(StartRequest.of("child").externalId("e"));
          return Next.moveTo("join", "x");
        }));
    start(StartRequest.of("child").externalId("e").after(Duration.ofHours(1)));
    start("parent");
    engine.runUntilIdle();
    assertThat(log).containsExactly("joined " + ChildCounts.NONE);
  }

  @Test
  void aChildOfAKnownExternalIdWithAnotherPayloadFailsTheAttemptOnce() {
    run(
        child,
        WorkflowDefinition.of("parent")
            .start(
                "fork",
                ctx -> {
                  ctx.spawn(StartRequest.of("child").externalId("e").variable("how", "end"));
                  ctx.spawn(StartRequest.of("child").externalId("f"));
                  return Next.waitForChildren("join", "x");
                })
            .state("join", ctx -> Next.done("joined"))
            .retry(DOUBLING)
            .build());
    long known = start(StartRequest.of("child").externalId("e").variable("how", "wait"));
    long id = start("parent");
    engine.advance(Duration.ofHours(1));

    assertThat(status(id)).isEqualTo(InstanceStatus.FAILED);
    assertThat(history(id)).hasSize(1);
    assertThat(last(id).outcome().reason())
        .contains("'e' of workflow 'child'", "exists as instance " + known, "not retried");
    assertThat(childrenOf(id)).isEmpty();
    assertThat(client().search(InstanceQuery.all().type("child")).items()).hasSize(1);
  }

  @Test
  void childrenAreCountedInTheNextStateOfTheChain() {
    run(
        child,
        parent(ctx -> {
          ctx.spawn(StartRequest.of("child").variable("how", "wait"));
          return Next.moveTo("join", "x");
        }));
    start("parent");
    engine.runUntilIdle();
    assertThat(log).containsExactly("joined " + new ChildCounts(1, 1, 0));
  }

  @Test
  void childrenOfAFailedAttemptAreNeverStarted() {
    run(
        child,
        parent(ctx -> {
          ctx.spawn(StartRequest.of("child"));
          return Next.fail("no");
        }));
    long id = start("parent");
    engine.runUntilIdle();
    assertThat(childrenOf(id)).isEmpty();
  }

  @Test
  void anUnknownChildTypeIsAFailedAttempt() {
    run(
        parent(ctx -> {
          ctx.spawn(StartRequest.of("nobody"));
          return Next.waitForChildren("join", "x");
        }));
    long id = start("parent");
    engine.runUntilIdle();
    assertThat(last(id).outcome().error()).contains("'nobody' is not known");
  }

  @Test
  void aWokenOrRetriedJoinWaitsOnWhileChildrenRun() {
    long id = runParent("wait", "end");
    client().wake(id, BY_ANN);
    engine.runUntilIdle();
    assertThat(log).isEmpty();
    assertThat(last(id).outcome().reason()).isEqualTo("waiting for 1 of 2 children");
    assertThat(client().statusReason(id))
        .isEqualTo(new StatusReason.WaitingForChildren(new ChildCounts(2, 1, 0)));

    client().retry(id, BY_ANN);
    engine.runUntilIdle();
    assertThat(log).isEmpty();

    client().signal(openChildOf(id), "go");
    engine.runUntilIdle();
    assertThat(log).containsExactly("joined " + new ChildCounts(2, 0, 0));
  }

  private long openChildOf(long id) {
    return childrenOf(id).stream()
        .filter(c -> !c.status().isTerminal())
        .findFirst()
        .orElseThrow()
        .id();
  }

  /** A join that fails because of its children is retried together with them. */
  @Test
  void aFailedJoinThatIsRetriedWaitsForRetriedChildren() {
    run(
        child,
        WorkflowDefinition.of("parent")
            .start(
                "fork",
                ctx -> {
                  ctx.spawn(StartRequest.of("child").variable("how", "fail"));
                  return Next.waitForChildren("join", "x");
                })
            .state(
                "join",
                ctx -> {
                  if (ctx.children().failed() > 0) {
                    throw new IllegalStateException("a child failed");
                  }
                  return Next.done("joined " + ctx.children());
                })
            .retry(DOUBLING.maxAttempts(3))
            .build());
    long id = start("parent");
    engine.advance(Duration.ofMinutes(1));
    assertThat(status(id)).isEqualTo(InstanceStatus.FAILED);
    assertThat(history(id)).hasSize(4);
    long failed = childrenOf(id).getFirst().id();
    client().move(failed, "b", BY_ANN);
    client().retry(id, BY_ANN);
    engine.runUntilIdle();
    assertThat(client().statusReason(id))
        .isEqualTo(new StatusReason.WaitingForChildren(new ChildCounts(1, 1, 0)));

    client().signal(failed, "go");
    engine.runUntilIdle();
    assertThat(last(id).outcome().reason()).isEqualTo("joined " + new ChildCounts(1, 0, 0));
  }

  @Test
  void retryingAFailedChildTakesTheCountsBackAndEndsAgain() {
    long id = runParent("fail", "wait");
    WorkflowInstance failed = childrenOf(id).getLast();
    assertThat(failed.status()).isEqualTo(InstanceStatus.FAILED);
    client().editVariables(failed.id(), java.util.Map.of("how", "end"), BY_ANN);
    client().retry(failed.id(), BY_ANN);
    assertThat(get(id).children()).isEqualTo(new ChildCounts(2, 2, 0));
    engine.runUntilIdle();
    assertThat(get(id).children()).isEqualTo(new ChildCounts(2, 1, 0));
    client().signal(childrenOf(id).getFirst().id(), "go");
    engine.runUntilIdle();
    assertThat(log).containsExactly("joined " + new ChildCounts(2, 0, 0));
  }

  @Test
  void aParkedChildIsStillOpenUntilSomeoneDecides() {
    run(
        io.millrace.testing.ManualEngine.defaultSettings().maxRecoveries(1),
        WorkflowDefinition.of("child")
            .start(
                "a",
                ctx -> {
                  engine.killExecutor();
                  return Next.done("never");
                })
            .build(),
        parent(ctx -> {
          ctx.spawn(StartRequest.of("child"));
          return Next.waitForChildren("join", "x");
        }));
    long id = start("parent");
    engine.runUntilIdle();
    engine.advance(engine.leaseTime());
    assertThat(childrenOf(id))
        .extracting(WorkflowInstance::status)
        .containsExactly(InstanceStatus.MANUAL);
    assertThat(get(id).children()).isEqualTo(new ChildCounts(1, 1, 0));
  }
}
