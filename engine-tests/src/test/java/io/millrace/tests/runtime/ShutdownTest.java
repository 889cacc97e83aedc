package io.millrace.tests.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Engine;
import io.millrace.definition.Next;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.fixtures.FaultyStore;
import io.millrace.fixtures.LongLease;
import io.millrace.fixtures.Patience;
import io.millrace.instance.HistoryEntry;
import io.millrace.instance.StartRequest;
import io.millrace.instance.WorkflowInstance;
import io.millrace.lifecycle.EngineClock;
import io.millrace.lifecycle.EngineRuntime;
import io.millrace.lifecycle.Loop;
import io.millrace.lifecycle.Runner;
import io.millrace.lifecycle.RunningTask;
import io.millrace.lifecycle.ThreadRunner;
import io.millrace.lifecycle.Waiter;
import io.millrace.store.StoreException;
import io.millrace.testing.ManualEngine;
import io.millrace.testing.MemoryStore;
import io.millrace.tests.support.CapturedLog;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/** Tests of the duration of a stop, its log lines, and its cost. */
@ResourceLock(Resources.SYSTEM_ERR)
class ShutdownTest {

  private static final Duration GRACE = Duration.ofSeconds(3);

  private final AtomicReference<MemoryStore> memory = new AtomicReference<>();
  private final AtomicBoolean blocking = new AtomicBoolean(true);

  private FaultyStore blocked(InstantSource clock) {
    memory.set(new MemoryStore(clock));
    FaultyStore store = new FaultyStore(memory.get());
    store.watch(
        "save",
        args -> {
          if (args[0] instanceof List && blocking.get()) {
            throw StoreException.blocked("planned", new IllegalStateException());
          }
        });
    return store;
  }

  @Test
  void aResultThatIsBlockedIsGivenBackThreeSecondsAfterTheGrace() {
    WorkflowDefinition job =
        WorkflowDefinition.of("job").start("work", ctx -> Next.done("done")).build();
    ManualEngine engine =
        ManualEngine.with(ManualEngine.defaultSettings().drainGrace(GRACE), this::blocked, job);
    long id = engine.client().start(StartRequest.of("job")).id();
    engine.advance(Duration.ofSeconds(1));
    long before = engine.clock().nanoTime();
    String log;
    try (CapturedLog captured = new CapturedLog()) {
      engine.close();
      log = captured.text();
    }
    assertThat(Duration.ofNanos(engine.clock().nanoTime() - before))
        .isBetween(GRACE.plusSeconds(3), GRACE.plusSeconds(4));
    assertThat(log)
        .contains("1 results are not saved after the grace")
        .contains("1 results could not be saved")
        .doesNotContain("handlers still run")
        .doesNotContain("left to recovery")
        .doesNotContain("ignore their cancellation");

    WorkflowInstance left = memory.get().queries().find(id).orElseThrow();
    assertThat(left.lease().executorId()).isNull();
    assertThat(left.lease().recoveries()).isZero();
    assertThat(memory.get().queries().history(id, 0, 10)).extracting(HistoryEntry::type).isEmpty();
    assertThat(left.nextActivation()).isBeforeOrEqualTo(engine.clock().instant());
  }

  @Test
  void whoWaitsForAnInstanceIsAnsweredWhenTheEngineCloses() throws Exception {
    WorkflowDefinition job =
        WorkflowDefinition.of("job")
            .start("work", ctx -> Next.moveTo("wait", "x"))
            .await("wait", "never", (ctx, signal) -> Next.done("x"))
            .build();
    CompletableFuture<WorkflowInstance> answer;
    long id;
    try (Engine engine =
        Engine.builder()
            .store(new MemoryStore(InstantSource.system()))
            .settings(LongLease::of)
            .workflows(job)
            .start()) {
      id = engine.client().start(StartRequest.of("job")).id();
      CountDownLatch asked = new CountDownLatch(1);
      answer =
          CompletableFuture.supplyAsync(() -> {
            asked.countDown();
            return engine.client().await(id, Duration.ofDays(365));
          });
      Patience.await(asked);
    }
    assertThat(answer.get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS).id()).isEqualTo(id);
  }

  @Test
  void aStopWithWaitingHandlersReadsFewStacks() throws InterruptedException {
    int handlers = 20;
    CountDownLatch running = new CountDownLatch(handlers);
    CountDownLatch never = new CountDownLatch(1);
    WorkflowDefinition job =
        WorkflowDefinition.of("job")
            .start(
                "work",
                ctx -> {
                  running.countDown();
                  never.await();
                  return Next.done("x");
                })
            .build();
    CountingRunner runner = new CountingRunner();
    try (Engine engine =
        Engine.builder()
            .store(new MemoryStore(InstantSource.system()))
            .runtime(new EngineRuntime(EngineClock.system(), runner, new Random(1)))
            .settings(s -> LongLease.of(s).drainGrace(Duration.ofMillis(700)))
            .workflows(job)
            .start()) {
      engine.client().startAll(Collections.nCopies(handlers, StartRequest.of("job")));
      Patience.await(running);
    }
    assertThat(runner.stacks).hasValueLessThan(handlers * 10);
  }

  /** A runner that counts how often the stack of a task is read. */
  private static final class CountingRunner implements Runner {
    private final Runner real = new ThreadRunner();
    private final AtomicInteger stacks = new AtomicInteger();

    private record CountedTask(RunningTask task, AtomicInteger stacks) implements RunningTask {
      @Override
      public void interrupt() {
        task.interrupt();
      }

      @Override
      public List<StackTraceElement> stackTrace() {
        stacks.incrementAndGet();
        return Objects.requireNonNull(task.stackTrace());
      }
    }

    @Override
    public Loop loop(String name, Loop.Work work) {
      return real.loop(name, work);
    }

    @Override
    public RunningTask run(String name, Runnable task) {
      return new CountedTask(real.run(name, task), stacks);
    }

    @Override
    public RunningTask runOnPlatform(String name, Runnable task) {
      return real.runOnPlatform(name, task);
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
