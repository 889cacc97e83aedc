package io.millrace.tests.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Engine;
import io.millrace.WorkflowClient;
import io.millrace.definition.Next;
import io.millrace.definition.StateHandler;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.event.EngineEvent;
import io.millrace.fixtures.EventRecorder;
import io.millrace.fixtures.Patience;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.OperatorAction;
import io.millrace.instance.StartRequest;
import io.millrace.instance.StartedInstance;
import io.millrace.lifecycle.EngineClock;
import io.millrace.lifecycle.EngineSettings;
import io.millrace.retry.RetryPolicy;
import io.millrace.testing.MemoryStore;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/**
 * Tests of engines on real threads: waking, bounds, time limits, stopping. The tests wait for
 * events, never for time to pass.
 */
class EngineThreadsTest {

  /** Poll interval longer than any test, so that nothing is found by polling. */
  private static final Duration NO_POLLING = Duration.ofHours(1);

  /**
   * Length of the lease, so that no executor is taken for dead on a machine that stalls for a
   * while.
   */
  private static final Duration LEASE = Duration.ofHours(1);

  private final EventRecorder events = new EventRecorder();
  private final MemoryStore store = new MemoryStore(EngineClock.system());

  private Engine engine(UnaryOperator<EngineSettings> settings, WorkflowDefinition... definitions) {
    return Engine.builder()
        .store(store)
        .workflows(definitions)
        .settings(s -> settings.apply(s.maxSleep(NO_POLLING).lease(LEASE, Duration.ofSeconds(2))))
        .listener(events)
        .start();
  }

  private Engine engine(WorkflowDefinition... definitions) {
    return engine(s -> s, definitions);
  }

  private static WorkflowDefinition job(StateHandler handler) {
    return WorkflowDefinition.of("job").start("work", handler).retry(RetryPolicy.never()).build();
  }

  @Test
  void aSleepingDispatcherIsWokenByAnInsert() {
    try (Engine engine = engine(s -> s.concurrency(1), job(ctx -> Next.done("done")))) {
      engine.client().startAll(Collections.nCopies(50, StartRequest.of("job")));
      events.awaitTransitions("work", 50);
    }
  }

  @Test
  void aSleepingDispatcherIsWokenByASignal() {
    WorkflowDefinition waiting =
        WorkflowDefinition.of("waiting")
            .start("begin", ctx -> Next.moveTo("wait", "go"))
            .await("wait", "go", (ctx, signal) -> Next.done("went"))
            .build();
    try (Engine engine = engine(waiting)) {
      long id = engine.client().start(StartRequest.of("waiting")).id();
      events.awaitTransitions("begin", 1);
      engine.client().signal(id, "go");
      events.awaitTransitions("wait", 1);
    }
  }

  @Test
  void aSleepingDispatcherWakesAtTheNextKnownDueTime() {
    WorkflowDefinition timer =
        WorkflowDefinition.of("timer")
            .start("begin", ctx -> Next.moveAfter("ring", Duration.ofMillis(20), "soon"))
            .state("ring", ctx -> Next.done("rang"))
            .build();
    try (Engine engine = engine(timer)) {
      engine.client().start(StartRequest.of("timer"));
      engine.client().start(StartRequest.of("timer").after(Duration.ofMillis(30)));
      events.awaitTransitions("ring", 2);
    }
  }

  @Test
  void noMoreHandlersRunThanAllowedAndNoMoreIsClaimedThanFits() throws InterruptedException {
    AtomicInteger running = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    CountDownLatch three = new CountDownLatch(3);
    Semaphore gate = new Semaphore(0);
    WorkflowDefinition job =
        job(ctx -> {
          most.accumulateAndGet(running.incrementAndGet(), Math::max);
          three.countDown();
          gate.acquire();
          running.decrementAndGet();
          return Next.done("done");
        });
    try (Engine engine = engine(s -> s.concurrency(3).queueSize(2), job)) {
      engine.client().startAll(Collections.nCopies(40, StartRequest.of("job")));
      Patience.await(three);
      assertThat(engine.leasedInstanceCount()).isLessThanOrEqualTo(2 * (3 + 2));
      gate.release(40);
      events.awaitTransitions("work", 40);
      assertThat(most).hasValue(3);
    }
  }

  @Test
  void aHandlerThatRunsTooLongIsReportedAsStuckWithItsPlace() {
    CountDownLatch end = new CountDownLatch(1);
    WorkflowDefinition job =
        job(ctx -> {
          end.await();
          return Next.done("done");
        });
    try (Engine engine = engine(s -> s.stuckAfter(Duration.ofMillis(100)), job)) {
      long id = engine.client().start(StartRequest.of("job")).id();
      EngineEvent.HandlerStuck handlerStuck = events.await(EngineEvent.HandlerStuck.class);
      assertThat(handlerStuck.instanceId()).isEqualTo(id);
      assertThat(handlerStuck.stackTrace())
          .anyMatch(frame -> frame.getClassName().contains("CountDownLatch"));
      end.countDown();
      events.awaitTransitions("work", 1);
    }
  }

  @Test
  void anAttemptOverItsTimeoutIsInterruptedAndFails() throws InterruptedException {
    CountDownLatch interrupted = new CountDownLatch(1);
    WorkflowDefinition slow =
        WorkflowDefinition.of("slow")
            .start(
                "work",
                ctx -> {
                  assertThat(ctx.deadline()).isNotNull();
                  try {
                    new CountDownLatch(1).await();
                  } catch (InterruptedException e) {
                    interrupted.countDown();
                    throw e;
                  }
                  return Next.done("never");
                })
            .timeout("work", Duration.ofMillis(100))
            .retry(RetryPolicy.never())
            .build();
    try (Engine engine = engine(slow)) {
      long id = engine.client().start(StartRequest.of("slow")).id();
      Patience.await(interrupted);
      events.awaitTransitions("work", 1);
      assertThat(engine.client().get(id).status()).isEqualTo(InstanceStatus.FAILED);
    }
  }

  @Test
  void aHandlerThatIgnoresItsTimeoutIsAbandonedAndItsAnswerIgnored() throws InterruptedException {
    CountDownLatch release = new CountDownLatch(1);
    CountDownLatch ended = new CountDownLatch(1);
    WorkflowDefinition stubborn =
        WorkflowDefinition.of("stubborn")
            .start(
                "work",
                ctx -> {
                  awaitUninterruptibly(release);
                  ctx.set("late", true);
                  ended.countDown();
                  return Next.done("too late");
                })
            .timeout("work", Duration.ofMillis(100))
            .retry(RetryPolicy.never())
            .build();
    long id;
    try (Engine engine = engine(stubborn)) {
      id = engine.client().start(StartRequest.of("stubborn")).id();
      events.awaitTransitions("work", 1);
      assertThat(engine.client().get(id).status()).isEqualTo(InstanceStatus.FAILED);
      assertThat(engine.client().get(id).position().reason())
          .contains("longer than its timeout of PT0.1S");
      release.countDown();
      Patience.await(ended);
    }
    assertThat(store.queries().variables(id)).isEmpty();
    assertThat(store.queries().history(id, 0, 10)).hasSize(1);
  }

  @Test
  void cancellingAnExecutingInstanceStopsItsHandlerAtOnce() throws InterruptedException {
    CountDownLatch stopped = new CountDownLatch(1);
    WorkflowDefinition job =
        job(ctx -> {
          ctx.cancelToken().onCancel(stopped::countDown);
          new CountDownLatch(1).await();
          return Next.done("never");
        });
    try (Engine engine = engine(job)) {
      WorkflowClient client = engine.client();
      long id = client.start(StartRequest.of("job")).id();
      events.await(EngineEvent.AttemptStarted.class);
      client.cancel(id, OperatorAction.by("ann", "not wanted"));
      Patience.await(stopped);
      events.await(EngineEvent.ResultFenced.class);
      assertThat(client.get(id).status()).isEqualTo(InstanceStatus.CANCELLED);
    }
  }

  @Test
  void aStopLetsHandlersEndGivesTheRestBackAndOwnsNothing() throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(2);
    CountDownLatch release = new CountDownLatch(1);
    WorkflowDefinition job =
        job(ctx -> {
          begun.countDown();
          release.await();
          return Next.done("done");
        });
    Engine engine = engine(s -> s.concurrency(2), job);
    List<StartedInstance> started =
        engine.client().startAll(Collections.nCopies(10, StartRequest.of("job")));
    Patience.await(begun);
    long executorId = engine.executorId();
    Thread stop = Thread.ofVirtual().start(engine::close);
    release.countDown();
    assertThat(stop.join(Patience.LIMIT)).isTrue();
    engine.close();
    assertThat(store.executors().ownedInstances(executorId)).isEmpty();
    assertThat(events.await(EngineEvent.ExecutorStopped.class))
        .isEqualTo(new EngineEvent.ExecutorStopped(executorId, 0));
    assertThat(engine.client().executors("millrace").getFirst().stopped()).isNotNull();
    long finished = started.stream().filter(s -> statusOf(s) == InstanceStatus.FINISHED).count();
    long untouched = started.stream().filter(s -> statusOf(s) == InstanceStatus.CREATED).count();
    assertThat(finished).isGreaterThanOrEqualTo(2);
    assertThat(finished + untouched).isEqualTo(10);
    assertThat(started)
        .filteredOn(s -> statusOf(s) == InstanceStatus.CREATED)
        .allMatch(s -> store.queries().find(s.id()).orElseThrow().lease().attempt() == 0);
  }

  @Test
  void aStopBreaksChainsBetweenTwoSteps() throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch stopping = new CountDownLatch(1);
    WorkflowDefinition chain =
        WorkflowDefinition.of("chain")
            .start(
                "one",
                ctx -> {
                  ctx.stopSignal().onStop(stopping::countDown);
                  begun.countDown();
                  stopping.await();
                  return Next.moveTo("two", "one done");
                })
            .state("two", ctx -> Next.done("two done"))
            .build();
    Engine engine = engine(chain);
    long id = engine.client().start(StartRequest.of("chain")).id();
    Patience.await(begun);
    engine.close();
    assertThat(store.queries().find(id).orElseThrow().lease().executorId()).isNull();
    try (Engine next = engine(chain)) {
      events.await(
          EngineEvent.TransitionSaved.class,
          1,
          e -> e.transition().status() == InstanceStatus.FINISHED);
      assertThat(next.client().history(id)).hasSize(2);
    }
  }

  @Test
  void aHandlerThatIgnoresTheStopLosesItsInstance() throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    WorkflowDefinition job =
        job(ctx -> {
          begun.countDown();
          awaitUninterruptibly(release);
          return Next.done("too late");
        });
    Engine engine = engine(job);
    long id = engine.client().start(StartRequest.of("job")).id();
    Patience.await(begun);
    engine.drain(Duration.ofMillis(50));
    assertThat(store.queries().find(id).orElseThrow().lease().executorId()).isNull();
    release.countDown();
  }

  @Test
  void anEngineThatRunsNoInstancesLeavesThemToAnother() {
    WorkflowDefinition job = job(ctx -> Next.done("done"));
    try (Engine idle = engine(s -> s.runsInstances(false), job)) {
      assertThat(idle.executorId()).isNull();
      long id = idle.client().start(StartRequest.of("job")).id();
      assertThat(idle.client().get(id).status()).isEqualTo(InstanceStatus.CREATED);
      try (Engine working = engine(job)) {
        events.awaitTransitions("work", 1);
        assertThat(working.client().get(id).status()).isEqualTo(InstanceStatus.FINISHED);
      }
    }
  }

  @Test
  void otherHandlersGoOnWhileSomeMisbehave() {
    Semaphore never = new Semaphore(0);
    WorkflowDefinition bad =
        WorkflowDefinition.of("bad")
            .start(
                "work",
                ctx ->
                    switch ((int) (ctx.instanceId() % 4)) {
                      case 0 -> throw new OutOfMemoryError("planned");
                      case 1 -> null;
                      case 2 -> throw new StackOverflowError("planned");
                      default -> {
                        never.acquireUninterruptibly();
                        yield Next.done("never");
                      }
                    })
            .retry(RetryPolicy.never())
            .build();
    Engine engine = engine(s -> s.concurrency(8), bad, job(ctx -> Next.done("done")));
    engine.client().startAll(Collections.nCopies(16, StartRequest.of("bad")));
    engine.client().startAll(Collections.nCopies(100, StartRequest.of("job")));
    events.await(EngineEvent.TransitionSaved.class, 100, e -> e.type().equals("job"));
    events.await(EngineEvent.TransitionSaved.class, 12, e -> e.type().equals("bad"));
    never.release(16);
    engine.drain(Duration.ofSeconds(1));
  }

  private InstanceStatus statusOf(StartedInstance startedInstance) {
    return store.queries().find(startedInstance.id()).orElseThrow().status();
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    boolean interrupted = false;
    while (latch.getCount() > 0) {
      try {
        latch.await();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
