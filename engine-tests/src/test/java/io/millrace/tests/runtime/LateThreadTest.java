package io.millrace.tests.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Engine;
import io.millrace.definition.Next;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.StartRequest;
import io.millrace.lifecycle.EngineClock;
import io.millrace.lifecycle.EngineRuntime;
import io.millrace.lifecycle.Loop;
import io.millrace.lifecycle.Runner;
import io.millrace.lifecycle.RunningTask;
import io.millrace.lifecycle.ThreadRunner;
import io.millrace.lifecycle.Waiter;
import io.millrace.testing.MemoryStore;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests of a handler whose thread starts late, as after a pause of the process. */
@Timeout(300)
@Tag("races")
class LateThreadTest {

  private static final Duration LIMIT = Duration.ofSeconds(30);

  private final AtomicBoolean first = new AtomicBoolean(true);
  private final CountDownLatch over = new CountDownLatch(1);

  @Test
  void aNodeWhoseHandlersAllComputeClaimsOnAfterOneStartedLate() {
    WorkflowDefinition definition =
        WorkflowDefinition.of("compute")
            .start("sum", ctx -> Next.done("summed"))
            .cpuBound("sum")
            .build();
    try (Engine engine =
        Engine.builder()
            .store(new MemoryStore(InstantSource.system()))
            .runtime(new EngineRuntime(EngineClock.system(), new LateRunner(), new Random(1)))
            .settings(s -> s.startTimeout(Duration.ofMillis(100)))
            .workflows(definition)
            .start()) {
      try {
        for (int i = 0; i < 2; i++) {
          long id = engine.client().start(StartRequest.of("compute")).id();
          assertThat(engine.client().await(id, LIMIT).status()).isEqualTo(InstanceStatus.FINISHED);
        }
      } finally {
        over.countDown();
      }
    }
  }

  /** A runner that starts the thread of the first handler only when the test is over. */
  private final class LateRunner implements Runner {
    private final Runner real = new ThreadRunner();

    @Override
    public RunningTask runOnPlatform(String name, Runnable task) {
      boolean late = name.matches("millrace-\\d+") && first.getAndSet(false);
      return real.runOnPlatform(name, late ? () -> runLate(task) : task);
    }

    private void runLate(Runnable task) {
      try {
        over.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      task.run();
    }

    @Override
    public Loop loop(String name, Loop.Work work) {
      return real.loop(name, work);
    }

    @Override
    public RunningTask run(String name, Runnable task) {
      return real.run(name, task);
    }

    @Override
    public RunningTask runOnPool(String name, Runnable task) {
      return real.runOnPool(name, task);
    }

    @Override
    public Waiter waiter() {
      return real.waiter();
    }
  }
}
