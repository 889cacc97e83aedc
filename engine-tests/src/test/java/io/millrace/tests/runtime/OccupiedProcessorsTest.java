package io.millrace.tests.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Engine;
import io.millrace.definition.Next;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.event.EngineEvent;
import io.millrace.fixtures.EventRecorder;
import io.millrace.fixtures.LongLease;
import io.millrace.fixtures.Patience;
import io.millrace.instance.StartRequest;
import io.millrace.lifecycle.EngineRuntime;
import io.millrace.lifecycle.Loop;
import io.millrace.lifecycle.Runner;
import io.millrace.lifecycle.RunningTask;
import io.millrace.lifecycle.ThreadRunner;
import io.millrace.lifecycle.Waiter;
import io.millrace.retry.RetryPolicy;
import io.millrace.testing.ManualEngine;
import io.millrace.testing.MemoryStore;
import io.millrace.testing.SettableClock;
import io.millrace.tests.support.CapturedLog;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/**
 * Tests that handlers which keep others from starting are named in the log, even after their
 * timeout.
 */
@ResourceLock(Resources.SYSTEM_ERR)
class OccupiedProcessorsTest {

  private final SettableClock clock = SettableClock.at(ManualEngine.START);
  private final EventRecorder events = new EventRecorder();
  private final CountDownLatch over = new CountDownLatch(1);
  private final CountDownLatch named = new CountDownLatch(1);

  private final WorkflowDefinition spinning =
      WorkflowDefinition.of("spinning")
          .start(
              "spin",
              ctx -> {
                awaitUninterruptibly();
                return Next.done("too late");
              })
          .timeout("spin", Duration.ofSeconds(1))
          .retry(RetryPolicy.never())
          .build();

  private final WorkflowDefinition late =
      WorkflowDefinition.of("late").start("work", ctx -> Next.done("done")).build();

  private void awaitUninterruptibly() {
    boolean waiting = true;
    while (waiting) {
      try {
        over.await();
        waiting = false;
      } catch (InterruptedException e) {
        // The handler ignores its timeout.
      }
    }
  }

  @Test
  void aHandlerWhoseTimeoutHasPassedIsNamedWhileItsThreadRuns() throws InterruptedException {
    try (CapturedLog log = new CapturedLog()) {
      long id;
      try (Engine engine =
          Engine.builder()
              .store(new MemoryStore(clock))
              .runtime(new EngineRuntime(clock, new OccupiedRunner(), new Random(1)))
              .settings(s -> LongLease.of(s).startTimeout(Duration.ofSeconds(5)))
              .workflows(spinning, late)
              .listener(events)
              .start()) {
        try {
          id = engine.client().start(StartRequest.of("spinning")).id();
          events.await(EngineEvent.AttemptStarted.class);
          clock.advance(Duration.ofSeconds(3));
          events.awaitTransitions("spin", 1);
          engine.client().start(StartRequest.of("late"));
          clock.advance(Duration.ofSeconds(6));
          Patience.await(named);
        } finally {
          over.countDown();
        }
      }
      assertThat(log.text())
          .contains("did not start within")
          .contains("These handlers occupy the processors")
          .contains("cpuBound(state)")
          .contains(
              "instance " + id + " (spinning, state spin), whose attempt has ended, still running");
    }
  }

  /** A runner whose virtual threads seem to compute, so that only the first handler starts. */
  private final class OccupiedRunner implements Runner {
    private final Runner real = new ThreadRunner();
    private int handlers;

    @Override
    public synchronized RunningTask run(String name, Runnable task) {
      handlers++;
      RunningTask running = real.run(name, handlers == 1 ? task : () -> runLate(task));
      return new RunningTask() {
        @Override
        public void interrupt() {
          running.interrupt();
        }

        @Override
        public List<StackTraceElement> stackTrace() {
          named.countDown();
          return List.of(new StackTraceElement("example.Handler", "spin", "Handler.java", 1));
        }
      };
    }

    private void runLate(Runnable task) {
      awaitUninterruptibly();
      task.run();
    }

    @Override
    public Loop loop(String name, Loop.Work work) {
      return real.loop(name, work);
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
