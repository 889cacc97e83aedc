package io.millrace.tests.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.Engine;
import io.millrace.definition.Next;
import io.millrace.definition.StateHandler;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.fixtures.ConditionPoller;
import io.millrace.fixtures.FaultyStore;
import io.millrace.fixtures.Patience;
import io.millrace.fixtures.Proxies;
import io.millrace.instance.OperatorAction;
import io.millrace.instance.StartRequest;
import io.millrace.instance.StopReason;
import io.millrace.lifecycle.EngineClock;
import io.millrace.lifecycle.EngineRuntime;
import io.millrace.lifecycle.EngineState;
import io.millrace.lifecycle.Runner;
import io.millrace.lifecycle.ThreadRunner;
import io.millrace.testing.MemoryStore;
import io.millrace.tests.support.CapturedLog;
import io.millrace.tests.support.EngineThreads;
import java.time.Duration;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/**
 * Tests that the stop of an executor does all of its steps, although one of them throws or has no
 * thread.
 */
@ResourceLock(Resources.SYSTEM_ERR)
class DrainFaultTest {

  private final FaultyStore store = new FaultyStore(new MemoryStore(EngineClock.system()));
  private final BlockingQueue<StopReason> stopped = new LinkedBlockingQueue<>();
  private final CountDownLatch refused = new CountDownLatch(1);
  private final Set<Thread> before = EngineThreads.all();

  private Engine engine() {
    return engine(new ThreadRunner(), ctx -> Next.done("done"));
  }

  private Engine engine(Runner runner, StateHandler handler) {
    return Engine.builder()
        .store(store)
        .runtime(new EngineRuntime(EngineClock.system(), runner, new Random(1)))
        .workflows(WorkflowDefinition.of("job").start("work", handler).build())
        .settings(s -> s.lease(Duration.ofMinutes(3), Duration.ofMillis(50)))
        .onExecutorStopped(stopped::add)
        .start();
  }

  /** Returns a runner that cannot create the first {@code times} threads of a name. */
  private Runner withoutThread(String name, int times) {
    Runner real = new ThreadRunner();
    AtomicInteger left = new AtomicInteger(times);
    return Proxies.proxy(
        Runner.class,
        (method, args) -> {
          if (method.getName().equals("runOnPlatform")
              && args[0].equals(name)
              && left.getAndDecrement() > 0) {
            refused.countDown();
            throw new OutOfMemoryError("planned: unable to create a thread");
          }
          return Proxies.invoke(real, method, args);
        });
  }

  private void allThreadsEnd() throws Exception {
    ConditionPoller.await("all threads have ended", () -> before.containsAll(EngineThreads.all()));
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
    allThreadsEnd();
  }

  @Test
  void aCloseOfWhichAStepHasFailedEndsAllThreads() throws Exception {
    failAtTheSignOff();
    Engine engine = engine();
    assertThatThrownBy(engine::close).hasMessage("planned: the sign-off failed");
    allThreadsEnd();
  }

  @Test
  void aDrainThatHasNoThreadIsRepeated() throws Exception {
    Engine engine = engine(withoutThread("millrace-drain", 1), ctx -> Next.done("done"));
    engine.admin().drain(engine.executorId(), OperatorAction.by("anna"));
    assertThat(Patience.take(stopped)).isEqualTo(StopReason.DRAIN);
    assertThat(engine.state()).isEqualTo(EngineState.DRAINED);
    engine.close();
  }

  @Test
  void aCloseDoesNotWaitForADrainThatHasNoThread() throws Exception {
    Engine engine =
        engine(withoutThread("millrace-drain", Integer.MAX_VALUE), ctx -> Next.done("done"));
    engine.admin().drain(engine.executorId(), OperatorAction.by("anna"));
    Patience.await(refused);
    assertThat(engine.state()).isEqualTo(EngineState.RUNNING);
    CompletableFuture.runAsync(engine::close).get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS);
    assertThat(engine.state()).isEqualTo(EngineState.CLOSED);
    allThreadsEnd();
  }

  @Test
  void aCloseDoesAllStepsAlthoughTheActionOfAHandlerHasNoThread() throws Exception {
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch told = new CountDownLatch(1);
    Engine engine =
        engine(
            withoutThread("millrace-on-stop", 1),
            ctx -> {
              ctx.stopSignal().onStop(() -> {});
              ctx.stopSignal().onStop(told::countDown);
              running.countDown();
              told.await();
              return Next.done("done");
            });
    engine.client().start(StartRequest.of("job"));
    Patience.await(running);
    assertThatCode(engine::close).doesNotThrowAnyException();
    assertThat(refused.getCount()).isZero();
    allThreadsEnd();
  }
}
