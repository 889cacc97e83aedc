package io.millrace.tests.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.Admin;
import io.millrace.continuous.Rollout;
import io.millrace.continuous.Rollout.Phase;
import io.millrace.continuous.RolloutRequest;
import io.millrace.continuous.RolloutService;
import io.millrace.continuous.UnknownRolloutException;
import io.millrace.definition.Next;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.instance.ExecutorState;
import io.millrace.instance.OperatorAction;
import io.millrace.instance.StartRequest;
import io.millrace.instance.StopReason;
import io.millrace.lifecycle.EngineState;
import io.millrace.store.Store;
import io.millrace.testing.ManualEngine;
import io.millrace.testing.MemoryStore;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests of a rollout that stops one node after another, on a settable clock. */
class RolloutTest {

  private static final OperatorAction ANN = OperatorAction.by("ann", "new version");
  private static final RolloutRequest QUICK =
      RolloutRequest.all().minReady(Duration.ofMinutes(3)).patience(Duration.ofMinutes(20));

  private final AtomicReference<Store> store = new AtomicReference<>();
  private final WorkflowDefinition job =
      WorkflowDefinition.of("job").start("work", ctx -> Next.done("done")).build();
  private final ManualEngine engine =
      ManualEngine.with(
          ManualEngine.defaultSettings()
              .lease(Duration.ofSeconds(10), Duration.ofSeconds(2))
              .nodeName("left"),
          clock -> {
            store.compareAndSet(null, new MemoryStore(clock));
            return store.get();
          },
          builder -> builder.workflows(job).rollouts());

  @AfterEach
  void close() {
    engine.close();
  }

  private RolloutService rollouts() {
    return engine.engine().admin().rollouts();
  }

  private Rollout seen(long id) {
    return rollouts().get(id);
  }

  private void restart() {
    engine.killExecutor();
    engine.advance(Duration.ofSeconds(5));
  }

  private EngineState state() {
    return engine.engine().state();
  }

  @Test
  void itSurvivesTheEndOfTheExecutorThatItRunsOnAndEndsWhenTheNodeIsReadyAgain() {
    long id = rollouts().start(QUICK, ANN);
    long before = Objects.requireNonNull(engine.engine().executorId());
    engine.advance(Duration.ofSeconds(30));
    assertThat(state()).isEqualTo(EngineState.DRAINED);
    assertThat(seen(id).phase()).isEqualTo(Phase.RUNNING);
    assertThat(seen(id).nodes()).containsExactly("left");

    restart();
    engine.advance(Duration.ofMinutes(2));
    Rollout.CurrentNode currentNode = Objects.requireNonNull(seen(id).progress().current());
    assertThat(currentNode.node()).isEqualTo("left");
    assertThat(currentNode.executorId()).isEqualTo(before);
    assertThat(currentNode.stage()).isEqualTo(Rollout.Stage.RETURNING);
    assertThat(currentNode.since())
        .isBetween(ManualEngine.START, ManualEngine.START.plusSeconds(40));
    assertThat(currentNode.deadline()).isNull();
    assertThat(seen(id).phase()).as("not ready for long enough").isEqualTo(Phase.RUNNING);
    engine.advance(Duration.ofMinutes(2));

    assertThat(seen(id).phase()).isEqualTo(Phase.COMPLETED);
    assertThat(seen(id).done()).isEqualTo(1);
    assertThat(seen(id).progress().current()).isNull();
    assertThat(seen(id).origin().by()).isEqualTo("ann: new version");
    assertThat(state()).isEqualTo(EngineState.RUNNING);
    Admin.ExecutorStatus left =
        engine.engine().admin().executors().stream()
            .filter(one -> one.executor().id() == before)
            .findFirst()
            .orElseThrow();
    assertThat(left.name()).isEqualTo("left");
    assertThat(left.liveness()).isEqualTo(Admin.Liveness.STOPPED);
    assertThat(left.executor().state()).isEqualTo(ExecutorState.DRAINED);
    assertThat(Objects.requireNonNull(left.executor().drain()).reason())
        .isEqualTo(StopReason.ROLLOUT);
    assertThat(left.executor().drain().by()).isEqualTo("millrace-rollout " + id);
  }

  @Test
  void itPausesWhenANodeDoesNotComeBackAndGoesOnWhenResumed() {
    RolloutRequest impatient = QUICK.minReady(Duration.ofHours(1));
    long id = rollouts().start(impatient, ANN);
    engine.advance(Duration.ofSeconds(30));
    restart();
    engine.advance(Duration.ofMinutes(25));
    assertThat(seen(id).phase()).isEqualTo(Phase.PAUSED);
    assertThat(seen(id).why()).contains("node 'left' is not back and ready after PT20M");

    engine.advance(Duration.ofMinutes(40));
    rollouts().resume(id, ANN);
    engine.advance(Duration.ofSeconds(10));
    assertThat(seen(id).phase()).isEqualTo(Phase.COMPLETED);
  }

  @Test
  void itIsPausedResumedAndAborted() {
    long first = rollouts().start(QUICK, ANN);
    rollouts().pause(first, OperatorAction.by("bob"));
    engine.advance(Duration.ofMinutes(10));
    assertThat(seen(first).phase()).isEqualTo(Phase.PAUSED);
    assertThat(seen(first).why()).contains("paused by bob");
    assertThat(state()).isEqualTo(EngineState.RUNNING);

    long second = rollouts().start(QUICK, OperatorAction.by("cid"));
    engine.advance(Duration.ofMinutes(1));
    assertThat(seen(second).phase()).isEqualTo(Phase.QUEUED);
    assertThat(seen(second).why()).contains("rollout " + first + " comes first");

    rollouts().abort(first, OperatorAction.by("bob"));
    rollouts().pause(second, OperatorAction.by("bob"));
    engine.advance(Duration.ofMinutes(1));
    assertThat(seen(first).phase()).isEqualTo(Phase.ABORTED);
    assertThat(seen(second).phase()).isEqualTo(Phase.PAUSED);
    assertThat(state()).isEqualTo(EngineState.RUNNING);

    rollouts().resume(second, OperatorAction.by("bob"));
    engine.advance(Duration.ofMinutes(1));
    assertThat(state()).isEqualTo(EngineState.DRAINED);
  }

  @Test
  void aRecycleGivesWayToARollout() {
    long recycle = rollouts().start(QUICK.recycle(), OperatorAction.by("clock"));
    rollouts().pause(recycle, OperatorAction.by("clock"));
    engine.advance(Duration.ofSeconds(10));
    long rollout = rollouts().start(QUICK, ANN);
    engine.advance(Duration.ofSeconds(30));

    assertThat(seen(recycle).phase()).isEqualTo(Phase.ABORTED);
    assertThat(seen(recycle).reason()).isEqualTo(StopReason.RECYCLE);
    assertThat(seen(rollout).phase()).isEqualTo(Phase.RUNNING);
    assertThat(state()).isEqualTo(EngineState.DRAINED);
    assertThat(rollouts().list(10)).extracting(Rollout::id).containsExactly(rollout, recycle);
  }

  @Test
  void whatCannotBeDoneIsToldAtOnce() {
    long id = rollouts().start(QUICK.nodes("right"), ANN);
    engine.advance(Duration.ofSeconds(10));
    assertThat(seen(id).phase()).isEqualTo(Phase.FAILED);
    assertThat(seen(id).why()).contains("[right]").contains("has [left]");

    long other = engine.client().start(StartRequest.of("job")).id();
    assertThatThrownBy(() -> rollouts().pause(other, ANN))
        .isInstanceOf(UnknownRolloutException.class)
        .hasMessageContaining("Instance " + other + " is no rollout");
    assertThatThrownBy(() -> QUICK.patience(Duration.ZERO)).hasMessageContaining("patience");
    try (ManualEngine plain = ManualEngine.with(job)) {
      assertThatThrownBy(() -> plain.engine().admin().rollouts().start(QUICK, ANN))
          .hasMessageContaining("call rollouts() on the builder");
    }
  }

  @Test
  void anExecutorIsReadyAtOnceAndTellsHowLongThatTook() {
    engine.advance(Duration.ofSeconds(3));
    Admin.ExecutorStatus mine = engine.engine().admin().executors().getFirst();

    assertThat(mine.executor().readiness().ready()).isEqualTo(ManualEngine.START);
    assertThat(mine.executor().readiness().setup()).isEqualTo(Duration.ZERO);
    assertThat(mine.liveness()).isEqualTo(Admin.Liveness.ALIVE);
    assertThat(mine.age()).isEqualTo(Duration.ofSeconds(3));
  }
}
