package io.millrace.tests.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Engine;
import io.millrace.continuous.ContinuousWorkflow;
import io.millrace.continuous.RecycleSettings;
import io.millrace.continuous.Rollout;
import io.millrace.continuous.RolloutRequest;
import io.millrace.continuous.Triggers;
import io.millrace.definition.Next;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.fixtures.FaultyStore;
import io.millrace.fixtures.Patience;
import io.millrace.fixtures.TestDatabase;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.OperatorAction;
import io.millrace.instance.StartRequest;
import io.millrace.instance.StopReason;
import io.millrace.instance.WorkflowInstance;
import io.millrace.lifecycle.EngineClock;
import io.millrace.lifecycle.EngineRuntime;
import io.millrace.lifecycle.EngineState;
import io.millrace.lifecycle.HostProcess;
import io.millrace.lifecycle.Loop;
import io.millrace.lifecycle.Runner;
import io.millrace.lifecycle.RunningTask;
import io.millrace.lifecycle.ThreadRunner;
import io.millrace.lifecycle.Waiter;
import io.millrace.store.StoredContinuousWorkflow;
import io.millrace.testing.ManualEngine;
import io.millrace.testing.MemoryStore;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Tests that an executor is replaced within its process without an effect on users of the engine.
 */
@Timeout(300)
@Tag("races")
class InPlaceRecycleTest {

  private static final OperatorAction ANN = OperatorAction.by("ann", "memory");
  private static final RolloutRequest QUICK =
      RolloutRequest.all().minReady(Duration.ofMillis(1)).recycle();

  private final List<StopReason> retired = new ArrayList<>();

  private static long executor(Engine engine) {
    return Objects.requireNonNull(engine.executorId());
  }

  @Test
  void anOldExecutorIsReplacedAndCountsItsAgeFromThen() {
    RecycleSettings byAge =
        new RecycleSettings(true, null, Duration.ofHours(3), null, RolloutRequest.all());
    List<String> reasons = new ArrayList<>();
    ContinuousWorkflow inbox =
        ContinuousWorkflow.of("inbox", Triggers.webhook())
            .handler((context, event) -> {
              reasons.add(event.start().reason());
              return Next.done("read");
            });
    try (ManualEngine manual =
        ManualEngine.with(
            ManualEngine.defaultSettings()
                .lease(Duration.ofSeconds(10), Duration.ofSeconds(2))
                .nodeName("left"),
            MemoryStore::new,
            builder ->
                builder
                    .continuous(inbox)
                    .recycle(byAge)
                    .recycleInPlace()
                    .onExecutorStopped(retired::add))) {
      Engine engine = manual.engine();
      long first = executor(engine);
      manual.advance(Duration.ofHours(4));

      long second = executor(engine);
      assertThat(second).isGreaterThan(first);
      assertThat(engine.state()).isEqualTo(EngineState.RUNNING);
      assertThat(engine.admin().executors().getFirst().age()).isLessThan(Duration.ofHours(1));
      assertThat(engine.admin().rollouts().list(10))
          .extracting(Rollout::phase)
          .containsExactly(Rollout.Phase.COMPLETED);
      engine.continuous().offer("inbox", "a", "hello");
      manual.advance(Duration.ofSeconds(5));
      assertThat(reasons).containsExactly("RECYCLE");
      StoredContinuousWorkflow row = engine.continuous().get("inbox");
      assertThat(row.ownership().executorId()).isEqualTo(second);

      manual.advance(Duration.ofHours(3));
      assertThat(executor(engine)).isGreaterThan(second);
      assertThat(engine.admin().rollouts().list(10)).hasSize(2);
      assertThat(retired).isEmpty();
    }
  }

  @Test
  void aRolloutEndsTheProcessAllTheSame() {
    try (ManualEngine manual =
        ManualEngine.with(
            ManualEngine.defaultSettings().nodeName("left"),
            MemoryStore::new,
            builder -> builder.recycleInPlace().onExecutorStopped(retired::add))) {
      long only = executor(manual.engine());
      manual.engine().admin().rollouts().start(RolloutRequest.all(), ANN);
      manual.advance(Duration.ofMinutes(5));

      assertThat(executor(manual.engine())).isEqualTo(only);
      assertThat(manual.engine().state()).isEqualTo(EngineState.DRAINED);
      assertThat(retired).containsExactly(StopReason.ROLLOUT);
    }
  }

  @Test
  void withoutASuccessorTheProcessIsToldAfterAll() {
    AtomicReference<FaultyStore> store = new AtomicReference<>();
    try (ManualEngine manual =
        ManualEngine.with(
            ManualEngine.defaultSettings().nodeName("left"),
            clock -> {
              store.set(new FaultyStore(new MemoryStore(clock)));
              return store.get();
            },
            builder -> builder.recycleInPlace().onExecutorStopped(retired::add))) {
      store.get().failNext("register", FaultyStore.Fault.LOST_REQUEST);
      manual.engine().admin().rollouts().start(QUICK, ANN);
      manual.advance(Duration.ofMinutes(5));

      assertThat(manual.engine().state()).isEqualTo(EngineState.DRAINED);
      assertThat(retired).containsExactly(StopReason.RECYCLE);
    }
  }

  /** A runner that keeps weak references to the loops of executors. */
  private static final class Witness implements Runner {
    private final Runner real = new ThreadRunner();
    final List<WeakReference<Loop.Work>> loops = new CopyOnWriteArrayList<>();

    @Override
    public Loop loop(String name, Loop.Work work) {
      if (!name.equals("millrace-recycle")) {
        loops.add(new WeakReference<>(work));
      }
      return real.loop(name, work);
    }

    @Override
    public RunningTask run(String name, Runnable task) {
      return real.run(name, task);
    }

    @Override
    public Waiter waiter() {
      return real.waiter();
    }
  }

  @Test
  void noStartFailsAHandlerGoesOnAndTheOldExecutorIsReleased() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch hold = new CountDownLatch(1);
    WorkflowDefinition quick =
        WorkflowDefinition.of("quick").start("work", ctx -> Next.done("done")).build();
    WorkflowDefinition slow =
        WorkflowDefinition.of("slow")
            .start(
                "work",
                ctx -> {
                  begun.countDown();
                  hold.await();
                  return Next.done("done");
                })
            .build();
    Witness witness = new Witness();
    EngineRuntime runtime =
        new EngineRuntime(EngineClock.system(), witness, new Random(1), HostProcess.system());
    try (TestDatabase database = TestDatabase.postgres(16);
        Engine engine =
            Engine.builder()
                .dataSource(database.pool())
                .runtime(runtime)
                .workflows(quick, slow)
                .settings(s -> s.lease(Duration.ofSeconds(10), Duration.ofMillis(100)))
                .recycleInPlace()
                .onExecutorStopped(retired::add)
                .start()) {
      List<WeakReference<Loop.Work>> ofFirst = List.copyOf(witness.loops);
      long first = executor(engine);
      long held = engine.client().start(StartRequest.of("slow")).id();
      begun.await();
      AtomicBoolean over = new AtomicBoolean();
      AtomicInteger started = new AtomicInteger();
      List<Throwable> faults = new CopyOnWriteArrayList<>();
      List<Thread> clients = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        clients.add(
            Thread.ofPlatform()
                .start(() -> {
                  try {
                    while (!over.get()) {
                      engine.client().start(StartRequest.of("quick"));
                      started.incrementAndGet();
                    }
                  } catch (Throwable e) {
                    faults.add(e);
                  }
                }));
      }
      long recycle = engine.admin().rollouts().start(QUICK, ANN);
      while (executor(engine) == first) {
        Thread.onSpinWait();
      }
      int before = started.get();
      while (started.get() < before + 100 && faults.isEmpty()) {
        Thread.onSpinWait();
      }
      boolean stillHeld = !engine.client().get(held).status().isTerminal();
      hold.countDown();
      assertThat(stillHeld).isTrue();
      assertThat(engine.client().await(recycle, Duration.ofMinutes(2)).status().isTerminal())
          .isTrue();
      over.set(true);
      for (Thread client : clients) {
        client.join();
      }

      assertThat(faults).isEmpty();
      assertThat(retired).isEmpty();
      WorkflowInstance done = engine.client().await(held, Duration.ofMinutes(1));
      assertThat(done.status()).isEqualTo(InstanceStatus.FINISHED);
      assertThat(engine.client().history(held))
          .extracting(historyEntry -> historyEntry.author().executorId())
          .containsExactly(first);
      assertThat(engine.admin().rollouts().get(recycle).phase()).isEqualTo(Rollout.Phase.COMPLETED);
      String open = "SELECT count(*) FROM millrace_instance WHERE type = 'quick'";
      assertThat(database.number(open)).isEqualTo(started.get());
      while (database.number(open + " AND status <> 'finished'") > 0) {
        Thread.onSpinWait();
      }
      assertThat(ofFirst).hasSizeGreaterThan(5);
      long limit = System.nanoTime() + Patience.LIMIT.toNanos();
      while (ofFirst.stream().anyMatch(loop -> loop.get() != null)) {
        assertThat(System.nanoTime() - limit)
            .as("the old executor is still in memory")
            .isNegative();
        System.gc();
      }
    }
  }
}
