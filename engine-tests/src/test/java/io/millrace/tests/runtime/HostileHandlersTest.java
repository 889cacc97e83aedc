package io.millrace.tests.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.Engine;
import io.millrace.definition.CancelledException;
import io.millrace.definition.Next;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.event.EngineEvent;
import io.millrace.event.EngineListener;
import io.millrace.fixtures.EventRecorder;
import io.millrace.fixtures.FaultyStore;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.StartRequest;
import io.millrace.instance.StartedInstance;
import io.millrace.lifecycle.EngineClock;
import io.millrace.lifecycle.EngineSettings;
import io.millrace.retry.RetryPolicy;
import io.millrace.store.Store;
import io.millrace.testing.MemoryStore;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests of handlers, listeners and callers that misbehave at the worst moment. */
@Timeout(300)
@Tag("races")
class HostileHandlersTest {

  private final EventRecorder events = new EventRecorder();
  private final MemoryStore memory = new MemoryStore(EngineClock.system());

  private Engine engine(
      Store store,
      UnaryOperator<EngineSettings> settings,
      EngineListener more,
      WorkflowDefinition... definitions) {
    return Engine.builder()
        .store(store)
        .workflows(definitions)
        .settings(settings)
        .listener(events)
        .listener(more)
        .start();
  }

  private Engine engine(WorkflowDefinition... definitions) {
    return engine(memory, s -> s, event -> {}, definitions);
  }

  @Test
  void aHandlerThatOutlivesItsAttemptCannotWriteIntoTheNextState() {
    CountDownLatch next = new CountDownLatch(1);
    CountDownLatch ended = new CountDownLatch(1);
    AtomicReference<Exception> seen = new AtomicReference<>();
    AtomicBoolean compensated = new AtomicBoolean();
    WorkflowDefinition job =
        WorkflowDefinition.of("job")
            .start(
                "work",
                ctx -> {
                  try {
                    ctx.once("notify", () -> await(next));
                  } catch (CancelledException e) {
                    seen.set(e);
                  } finally {
                    ended.countDown();
                  }
                  return Next.done("too late");
                })
            .state(
                "compensate",
                ctx -> {
                  next.countDown();
                  await(ended);
                  ctx.once("notify", () -> compensated.set(true));
                  return Next.done("compensated");
                })
            .timeout("work", Duration.ofMillis(50))
            .retry(RetryPolicy.never())
            .onFailure("work", "compensate")
            .build();
    try (Engine engine = engine(job)) {
      long id = engine.client().start(StartRequest.of("job")).id();
      events.awaitTransitions("compensate", 1);
      assertThat(seen.get()).isInstanceOf(CancelledException.class);
      assertThat(compensated).isTrue();
      assertThat(engine.client().get(id).reason()).isEqualTo("compensated");
    }
  }

  @Test
  void aStartUnderWayWhileTheEngineClosesIsLeftToOthers() throws InterruptedException {
    FaultyStore store = new FaultyStore(memory);
    CountDownLatch inserting = new CountDownLatch(1);
    CountDownLatch closing = new CountDownLatch(1);
    WorkflowDefinition job =
        WorkflowDefinition.of("job").start("work", ctx -> Next.done("done")).build();
    Engine engine = engine(store, s -> s, event -> {}, job);
    long executorId = engine.executorId();
    store.before(
        "start",
        () -> {
          inserting.countDown();
          await(closing);
        });
    AtomicReference<StartedInstance> started = new AtomicReference<>();
    Thread caller =
        Thread.ofVirtual().start(() -> started.set(engine.client().start(StartRequest.of("job"))));
    inserting.await();
    Thread closer = Thread.ofVirtual().start(engine::close);
    while (closer.getState() != Thread.State.TIMED_WAITING) {
      Thread.onSpinWait();
    }
    closing.countDown();
    caller.join();
    closer.join();
    assertThat(memory.executors().ownedInstances(executorId)).isEmpty();
    try (Engine other = engine(job)) {
      assertThat(other.client().await(started.get().id(), Duration.ofMinutes(1)).status())
          .isEqualTo(InstanceStatus.FINISHED);
    }
  }

  @Test
  void anErrorInOneCancelActionKeepsNobodyElseFromBeingTold() {
    FaultyStore store = new FaultyStore(memory);
    CountDownLatch told = new CountDownLatch(5);
    AtomicBoolean first = new AtomicBoolean(true);
    WorkflowDefinition job =
        WorkflowDefinition.of("job")
            .start(
                "work",
                ctx -> {
                  if (ctx.attempt() > 1 || ctx.instanceId() < 0) {
                    return Next.done("second time");
                  }
                  ctx.cancelToken()
                      .onCancel(() -> {
                        told.countDown();
                        if (first.getAndSet(false)) {
                          throw new NoClassDefFoundError("planned");
                        }
                      });
                  new CountDownLatch(1).await();
                  return Next.done("never");
                })
            .build();
    UnaryOperator<EngineSettings> shortLease =
        s -> s.lease(Duration.ofMillis(500), Duration.ofMillis(100));
    try (Engine engine = engine(store, shortLease, event -> {}, job)) {
      engine.client().startAll(Collections.nCopies(5, StartRequest.of("job")));
      events.await(EngineEvent.AttemptStarted.class, 5, e -> true);
      store.setDown(true);
      await(told);
      events.await(EngineEvent.LeaseLost.class);
      store.setDown(false);
      events.await(EngineEvent.AttemptStarted.class, 10, e -> true);
      engine.drain(Duration.ZERO);
    }
  }

  @Test
  void theEngineCannotBeClosedFromItsOwnHandlersAndListeners() {
    AtomicReference<Engine> self = new AtomicReference<>();
    AtomicReference<Throwable> inListener = new AtomicReference<>();
    WorkflowDefinition job =
        WorkflowDefinition.of("job")
            .start(
                "work",
                ctx -> {
                  assertThatThrownBy(() -> self.get().close())
                      .hasMessageContaining("close() was called from a handler");
                  return Next.done("done");
                })
            .build();
    EngineListener closing =
        event -> {
          if (event instanceof EngineEvent.TransitionSaved) {
            try {
              self.get().close();
            } catch (RuntimeException e) {
              inListener.set(e);
            }
          }
        };
    try (Engine engine = engine(memory, s -> s, closing, job)) {
      self.set(engine);
      long id = engine.client().start(StartRequest.of("job")).id();
      assertThat(engine.client().await(id, Duration.ofMinutes(1)).status())
          .isEqualTo(InstanceStatus.FINISHED);
    }
    assertThat(inListener.get()).hasMessageContaining("close() was called from a listener");
  }

  @Test
  void aSecondCloseWaitsForTheFirst() throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    WorkflowDefinition job =
        WorkflowDefinition.of("job")
            .start(
                "work",
                ctx -> {
                  begun.countDown();
                  release.await();
                  return Next.done("done");
                })
            .build();
    Engine engine = engine(job);
    long executorId = engine.executorId();
    engine.client().start(StartRequest.of("job"));
    begun.await();
    List<Thread> closers =
        List.of(Thread.ofVirtual().start(engine::close), Thread.ofVirtual().start(engine::close));
    for (Thread closer : closers) {
      while (closer.getState() != Thread.State.TIMED_WAITING
          && closer.getState() != Thread.State.WAITING) {
        Thread.onSpinWait();
      }
    }
    assertThat(memory.executors().ownedInstances(executorId)).hasSize(1);
    release.countDown();
    for (Thread closer : closers) {
      closer.join();
    }
    assertThat(memory.executors().ownedInstances(executorId)).isEmpty();
  }

  /** Waits, ignoring interrupts, and does not restore them. */
  @SuppressWarnings("EmptyCatch")
  private static void await(CountDownLatch latch) {
    while (latch.getCount() > 0) {
      try {
        latch.await();
      } catch (InterruptedException ignored) {
        // ignored
      }
    }
  }
}
