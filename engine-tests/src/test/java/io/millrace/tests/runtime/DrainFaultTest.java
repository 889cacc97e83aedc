package io.millrace.tests.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.Engine;
import io.millrace.definition.Next;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.fixtures.ConditionPoller;
import io.millrace.fixtures.FaultyStore;
import io.millrace.fixtures.Patience;
import io.millrace.instance.OperatorAction;
import io.millrace.instance.StopReason;
import io.millrace.lifecycle.EngineClock;
import io.millrace.lifecycle.EngineState;
import io.millrace.testing.MemoryStore;
import io.millrace.tests.support.CapturedLog;
import io.millrace.tests.support.EngineThreads;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/** Tests that the stop of an executor does all of its steps, although one of them throws. */
@ResourceLock(Resources.SYSTEM_ERR)
class DrainFaultTest {

  private final FaultyStore store = new FaultyStore(new MemoryStore(EngineClock.system()));
  private final BlockingQueue<StopReason> stopped = new LinkedBlockingQueue<>();
  private final Set<Thread> before = EngineThreads.all();

  private Engine engine() {
    return Engine.builder()
        .store(store)
        .workflows(WorkflowDefinition.of("job").start("work", ctx -> Next.done("done")).build())
        .settings(s -> s.lease(Duration.ofMinutes(3), Duration.ofMillis(50)))
        .onExecutorStopped(stopped::add)
        .start();
  }

  private void failAtTheSignOff() {
    store.watch(
        "markStopped",
        args -> {
          throw new AssertionError("planned: the sign-off failed");
        });
  }

  @Test
  void theListenerIsToldOfADrainOfWhichAStepHasFailed() throws Exception {
    failAtTheSignOff();
    try (CapturedLog log = new CapturedLog();
        Engine engine = engine()) {
      engine.admin().drain(engine.executorId(), OperatorAction.by("anna"));
      assertThat(Patience.take(stopped)).isEqualTo(StopReason.DRAIN);
      assertThat(engine.state()).isEqualTo(EngineState.DRAINED);
      assertThat(log.text()).containsOnlyOnce("planned: the sign-off failed");
    }
    ConditionPoller.await("all threads have ended", () -> before.containsAll(EngineThreads.all()));
  }

  @Test
  void aCloseOfWhichAStepHasFailedEndsAllThreads() throws Exception {
    failAtTheSignOff();
    Engine engine = engine();
    assertThatThrownBy(engine::close).hasMessage("planned: the sign-off failed");
    ConditionPoller.await("all threads have ended", () -> before.containsAll(EngineThreads.all()));
  }
}
