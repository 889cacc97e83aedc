package io.millrace.verification.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.ClusterOperations;
import io.millrace.Engine;
import io.millrace.continuous.Rollout;
import io.millrace.continuous.RolloutRequest;
import io.millrace.definition.Next;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.instance.ExecutorState;
import io.millrace.instance.OperatorAction;
import io.millrace.instance.StartRequest;
import io.millrace.lifecycle.EngineState;
import io.millrace.verification.support.TestDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Three nodes are replaced one after another while work is started on all of them. */
@Timeout(180)
class RollingMaintenanceTest {

  private static final int NODES = 3;
  private static final OperatorAction ANN = OperatorAction.by("ann", "a new version");

  private final TestDatabase database = TestDatabase.postgres(40);
  private final WorkflowDefinition job =
      WorkflowDefinition.of("job")
          .start("one", ctx -> Next.moveTo("two", "one"))
          .state("two", ctx -> Next.moveAfter("three", Duration.ofMillis(20), "two"))
          .state("three", ctx -> Next.done("three"))
          .build();
  private final List<Place> places = new ArrayList<>();
  private final AtomicBoolean over = new AtomicBoolean();
  private final List<Throwable> faults = new ArrayList<>();

  /** A node, on which a supervisor begins a new engine when the old one has been drained. */
  private final class Place {
    private final String name;
    private final ReadWriteLock lock = new ReentrantReadWriteLock();
    private final @Nullable Long firstExecutor;
    private volatile Engine engine;

    Place(String name) {
      this.name = name;
      this.engine = open();
      this.firstExecutor = engine.executorId();
    }

    boolean isReplaced() {
      return !Objects.equals(engine.executorId(), firstExecutor);
    }

    private Engine open() {
      return Engine.builder()
          .dataSource(database.pool())
          .workflows(job)
          .maintenance()
          .settings(s -> s.nodeName(name).lease(Duration.ofSeconds(3), Duration.ofMillis(300)))
          .start();
    }

    void start() {
      lock.readLock().lock();
      try {
        engine.client().start(StartRequest.of("job"));
      } finally {
        lock.readLock().unlock();
      }
    }

    void supervise() {
      if (engine.state() == EngineState.DRAINED) {
        lock.writeLock().lock();
        try {
          engine.close();
          engine = open();
        } finally {
          lock.writeLock().unlock();
        }
      }
    }
  }

  @AfterEach
  void close() {
    over.set(true);
    places.forEach(place -> place.engine.close());
    database.close();
  }

  private Thread until(CountDownLatch ended, Runnable work) {
    return Thread.ofPlatform()
        .start(() -> {
          try {
            while (!over.get()) {
              work.run();
            }
          } catch (Throwable e) {
            synchronized (faults) {
              faults.add(e);
            }
          } finally {
            ended.countDown();
          }
        });
  }

  @Test
  void noStartFailsAndNoTwoNodesAreAwayAtATime() throws Exception {
    for (int i = 0; i < NODES; i++) {
      places.add(new Place("node-" + i));
    }
    try (Engine watching =
        Engine.builder().dataSource(database.pool()).settings(s -> s.autostart(false)).start()) {
      AtomicInteger started = new AtomicInteger();
      AtomicInteger most = new AtomicInteger();
      CountDownLatch ended = new CountDownLatch(3);
      until(ended, () -> places.get(started.getAndIncrement() % NODES).start());
      until(ended, () -> places.forEach(Place::supervise));
      until(ended, () -> most.accumulateAndGet(away(watching), Math::max));
      RolloutRequest request = RolloutRequest.all().minReady(Duration.ofMillis(500));
      long id = watching.cluster().rollouts().start(request, ANN);
      Rollout rollout = awaitEnd(watching, id);
      over.set(true);
      ended.await();

      assertThat(faults).isEmpty();
      assertThat(rollout.phase()).as(rollout.why()).isEqualTo(Rollout.Phase.COMPLETED);
      assertThat(rollout.nodes()).containsExactly("node-0", "node-1", "node-2");
      assertThat(places).allMatch(Place::isReplaced);
      assertThat(most.get()).isEqualTo(1);
      awaitZero(
          "SELECT count(*) FROM millrace_workflow WHERE type = 'job' AND status <> 'finished'");
      assertThat(database.number("SELECT count(*) FROM millrace_workflow WHERE type = 'job'"))
          .isEqualTo(started.get());
      assertThat(
              database.number(
                  "SELECT count(*) FROM millrace_workflow_action WHERE type <> 'stateExecution'"))
          .isZero();
    }
  }

  /** How many live executors are on their way out. */
  private static int away(Engine watching) {
    return (int)
        watching.cluster().list().stream()
            .filter(one -> one.presence() == ClusterOperations.Liveness.ALIVE)
            .filter(one -> one.executor().state() != ExecutorState.ACTIVE)
            .count();
  }

  private static Rollout awaitEnd(Engine watching, long id) {
    Rollout now = watching.cluster().rollouts().get(id);
    while (!now.phase().isTerminal() && now.phase() != Rollout.Phase.PAUSED) {
      watching.client().await(id, Duration.ofSeconds(1));
      now = watching.cluster().rollouts().get(id);
    }
    return now;
  }

  private void awaitZero(String count) {
    while (database.number(count) > 0) {
      Thread.onSpinWait();
    }
  }
}
