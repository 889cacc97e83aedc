package io.millrace.tests.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Admin;
import io.millrace.definition.Next;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.fixtures.EngineFixture;
import io.millrace.instance.DrainRequest;
import io.millrace.instance.ExecutorInfo;
import io.millrace.instance.ExecutorState;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.OperatorAction;
import io.millrace.instance.StartRequest;
import io.millrace.instance.StatusReason;
import io.millrace.lifecycle.EngineState;
import io.millrace.store.Store;
import io.millrace.testing.ManualEngine;
import io.millrace.testing.MemoryStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests that a cordoned executor claims no new work, while its engine still answers. */
class CordonTest extends EngineFixture {

  private static final Duration BEAT = Duration.ofMinutes(1);

  private final AtomicReference<Store> store = new AtomicReference<>();
  private final WorkflowDefinition job =
      WorkflowDefinition.of("job")
          .start("work", ctx -> Next.moveTo("more", "begun"))
          .state("more", ctx -> Next.done("done"))
          .build();

  @BeforeEach
  void begin() {
    run(
        ManualEngine.defaultSettings().nodeName("left"),
        clock -> {
          store.compareAndSet(null, new MemoryStore(clock));
          return store.get();
        },
        job);
    engine.runUntilIdle();
  }

  private long executor() {
    return Objects.requireNonNull(engine.engine().executorId());
  }

  private ExecutorInfo info() {
    return engine.client().executors("millrace").stream()
        .filter(e -> e.id() == executor())
        .findFirst()
        .orElseThrow();
  }

  private void cordon() {
    assertThat(store.get().executors().cordon(executor(), OperatorAction.by("ann"))).isTrue();
    engine.advance(BEAT);
  }

  private void uncordon() {
    assertThat(store.get().executors().uncordon(executor(), OperatorAction.by("ann"))).isTrue();
    engine.advance(BEAT);
  }

  @Test
  void startsGoThroughAndWaitForAnother() {
    cordon();
    long id = engine.client().start(StartRequest.of("job")).id();
    engine.advance(Duration.ofHours(1));

    assertThat(engine.engine().state()).isEqualTo(EngineState.RUNNING);
    assertThat(engine.client().get(id).status()).isEqualTo(InstanceStatus.CREATED);
    assertThat(engine.client().statusReason(id))
        .isInstanceOfSatisfying(
            StatusReason.WaitingForExecutor.class, why -> assertThat(why.liveExecutors()).isZero());

    uncordon();
    assertThat(engine.client().get(id).status()).isEqualTo(InstanceStatus.FINISHED);
    assertThat(info().state()).isEqualTo(ExecutorState.ACTIVE);
  }

  @Test
  void aCordonedExecutorCanBeDrainedAsWell() {
    cordon();
    store
        .get()
        .executors()
        .requestDrain(executor(), DrainRequest.withDefaultGrace(), OperatorAction.by("ann"));
    engine.advance(BEAT);

    assertThat(engine.engine().state()).isEqualTo(EngineState.DRAINED);
    assertThat(info().state()).isEqualTo(ExecutorState.DRAINED);
  }

  @Test
  void itTellsItsPlaceInTheCluster() {
    assertThat(info().identity().node())
        .isEqualTo(new ExecutorInfo.NodeInfo("left", ManualEngine.START, Duration.ofMinutes(5)));
    long before = executor();
    engine.killExecutor();
    engine.runUntilIdle();

    assertThat(executor()).isNotEqualTo(before);
    assertThat(info().identity().node().name()).isEqualTo("left");
  }

  @Test
  void anEngineThatIsClosedHasLeftInGoodOrder() {
    long leaving = executor();
    engine.close();

    ExecutorInfo left = store.get().executors().list("millrace").getFirst();
    assertThat(left.id()).isEqualTo(leaving);
    assertThat(left.state()).isEqualTo(ExecutorState.DRAINED);
  }

  @Test
  void whatItHoldsGoesOn() {
    long id = engine.client().start(StartRequest.of("job")).id();
    store.get().executors().cordon(executor(), OperatorAction.by("ann"));
    engine.runUntilIdle();

    assertThat(engine.client().get(id).status()).isEqualTo(InstanceStatus.FINISHED);
  }

  /** A retry changes the row of an instance, and does not enter its state again. */
  @Test
  void anInstanceThatTheExecutorHoldsTellsWhenItEnteredItsState() {
    List<Instant> since = new ArrayList<>();
    run(
        job(
                ctx -> {
                  engine.engine().admin().leasedInstances(engine.engine().executorId(), 10).stream()
                      .map(Admin.LeasedInstanceSummary::since)
                      .forEach(since::add);
                  return ctx.attempt() == 1
                      ? Next.retryAfter(Duration.ofMinutes(1), "not yet")
                      : Next.done("done");
                })
            .build());
    startAndRun();
    engine.advance(Duration.ofMinutes(2));
    assertThat(since).containsExactly(ManualEngine.START, ManualEngine.START);
  }
}
