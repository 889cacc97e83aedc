package io.millrace.tests.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.definition.Next;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.fixtures.EngineFixture;
import io.millrace.instance.DrainRequest;
import io.millrace.instance.ExecutorInfo;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.OperatorAction;
import io.millrace.instance.StartRequest;
import io.millrace.instance.StatusReason;
import io.millrace.lifecycle.EngineState;
import io.millrace.lifecycle.EngineVersion;
import io.millrace.store.Store;
import io.millrace.testing.ManualEngine;
import io.millrace.testing.MemoryStore;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Tests of the request to stop an executor, on a settable clock. */
class DrainRequestHeartbeatTest extends EngineFixture {

  private final AtomicReference<Store> store = new AtomicReference<>();
  private final WorkflowDefinition job =
      WorkflowDefinition.of("job").start("work", ctx -> Next.done("done")).build();

  private long executor() {
    return Objects.requireNonNull(engine.engine().executorId());
  }

  private void runJob() {
    run(
        ManualEngine.defaultSettings(),
        clock -> {
          store.compareAndSet(null, new MemoryStore(clock));
          return store.get();
        },
        job);
    engine.runUntilIdle();
  }

  private ExecutorInfo info(long id) {
    return engine.client().executors("millrace").stream()
        .filter(e -> e.id() == id)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void itIsHeededWithTheNextHeartbeat() {
    runJob();
    long leaving = executor();
    assertThat(
            store
                .get()
                .executors()
                .requestDrain(leaving, DrainRequest.withDefaultGrace(), OperatorAction.by("ann")))
        .isTrue();
    assertThat(engine.engine().state()).isEqualTo(EngineState.RUNNING);
    engine.advance(Duration.ofMinutes(1));

    assertThat(engine.engine().state()).isEqualTo(EngineState.DRAINED);
    assertThat(info(leaving).stopped()).isNotNull();
    long id = engine.client().start(StartRequest.of("job")).id();
    engine.advance(Duration.ofHours(1));
    assertThat(engine.client().get(id).status()).isEqualTo(InstanceStatus.CREATED);

    engine.killExecutor();
    engine.runUntilIdle();
    assertThat(engine.client().get(id).status()).isEqualTo(InstanceStatus.FINISHED);
    assertThat(executor()).isNotEqualTo(leaving);
    engine.close();
    assertThat(engine.engine().state()).isEqualTo(EngineState.CLOSED);
  }

  @Test
  void whatIsDueDoesNotCountOnAnExecutorThatLeaves() {
    runJob();
    store
        .get()
        .executors()
        .requestDrain(executor(), DrainRequest.withDefaultGrace(), OperatorAction.by("ann"));
    engine.advance(Duration.ofMinutes(1));
    long id = engine.client().start(StartRequest.of("job")).id();

    assertThat(engine.client().statusReason(id))
        .isInstanceOfSatisfying(
            StatusReason.WaitingForExecutor.class, why -> assertThat(why.liveExecutors()).isZero());
  }

  @Test
  void anExecutorTellsItsVersionAndWhatItHasToDo() {
    runJob();

    assertThat(info(executor()).identity().version())
        .isEqualTo(EngineVersion.text())
        .matches("\\d+\\.\\d+\\.\\d+.*");
    int concurrency = ManualEngine.defaultSettings().dispatching().concurrency();
    assertThat(info(executor()).load()).isEqualTo(new ExecutorInfo.Load(0, concurrency, 0, 0));
  }
}
