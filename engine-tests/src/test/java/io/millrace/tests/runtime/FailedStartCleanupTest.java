package io.millrace.tests.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.Engine;
import io.millrace.EngineBuilder;
import io.millrace.continuous.ContinuousWorkflow;
import io.millrace.continuous.RecycleSettings;
import io.millrace.continuous.Triggers;
import io.millrace.definition.Next;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.fixtures.ConditionPoller;
import io.millrace.fixtures.FaultyStore;
import io.millrace.fixtures.FaultyStore.Fault;
import io.millrace.fixtures.LongLease;
import io.millrace.fixtures.Proxies;
import io.millrace.fixtures.TestDatabase;
import io.millrace.lifecycle.EngineClock;
import io.millrace.lifecycle.EngineRuntime;
import io.millrace.lifecycle.Loop;
import io.millrace.lifecycle.Runner;
import io.millrace.lifecycle.RunningTask;
import io.millrace.lifecycle.ThreadRunner;
import io.millrace.lifecycle.Waiter;
import io.millrace.sequence.ChannelTransport;
import io.millrace.sequence.SequenceSettings;
import io.millrace.store.StoreException;
import io.millrace.testing.MemoryStore;
import io.millrace.tests.support.EngineThreads;
import java.sql.SQLException;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.Random;
import java.util.Set;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Tests that an engine which cannot start leaves no thread that would keep the JVM alive, no
 * connection, and no executor for which others would wait.
 */
class FailedStartCleanupTest {

  private final TestDatabase database = TestDatabase.h2();
  private final Set<Thread> before = EngineThreads.all();

  /** The thread that starts the engine. Other threads repeat what has failed. */
  private final Thread starter = Thread.currentThread();

  private int stepsLeft;

  @AfterEach
  void drop() {
    database.close();
  }

  private static WorkflowDefinition job() {
    return WorkflowDefinition.of("job").start("work", ctx -> Next.done("done")).build();
  }

  @Test
  void noThreadIsLeftByAStartThatFailed() throws Exception {
    FaultyStore store = new FaultyStore(new MemoryStore(EngineClock.system()));
    store.failNext("register", Fault.LOST_REQUEST);
    assertThatThrownBy(() -> Engine.builder().store(store).workflows(job()).start())
        .isInstanceOf(StoreException.class);
    nothingIsLeft();
  }

  @Test
  void nothingIsLeftWhicheverThreadCannotBeCreated() throws Exception {
    Runner runner = new FailingRunner();
    int step = 1;
    while (!starts(step, builder(database.pool(), runner))) {
      step++;
    }
    assertThat(step).isGreaterThan(15);
  }

  @Test
  void nothingIsLeftWhicheverConnectionFails() throws Exception {
    DataSource failing =
        Proxies.proxy(
            DataSource.class,
            (method, args) -> {
              if (method.getName().equals("getConnection") && failsNow()) {
                throw new SQLException("planned: no connection", "08001");
              }
              return Proxies.invoke(database.pool(), method, args);
            });
    int step = 1;
    while (!starts(step, builder(failing, new ThreadRunner()))) {
      step++;
    }
    assertThat(step).isGreaterThan(5);
  }

  @Test
  void anExecutorThatHasRegisteredAnewIsTakenBack() throws Exception {
    Runner runner =
        new FailingRunner() {
          @Override
          public Loop loop(String name, Loop.Work work) {
            if (!name.equals("millrace-heartbeat")) {
              return super.loop(name, work);
            }
            // As after a restore of the database: the first heartbeat does not find its row.
            database.execute("DELETE FROM millrace_executor");
            work.tick();
            stepsLeft = 1;
            return new UnstartedLoop();
          }
        };
    assertThatThrownBy(() -> builder(database.pool(), runner).start())
        .isInstanceOf(OutOfMemoryError.class);
    nothingIsLeft();
    assertThat(database.number("SELECT count(*) FROM millrace_executor")).isOne();
  }

  private static final class UnstartedLoop implements Loop {
    @Override
    public void wake() {}

    @Override
    public boolean stop(Duration patience) {
      return true;
    }
  }

  /** Lets a step of the start fail. Returns true if the start has fewer steps. */
  private boolean starts(int failingStep, EngineBuilder builder) throws Exception {
    stepsLeft = failingStep;
    boolean all = false;
    try (Engine engine = builder.start()) {
      all = stepsLeft > 0;
      // The stop has steps of its own, which must not fail.
      stepsLeft = 0;
      assertThat(engine.executorId()).isNotNull();
    } catch (StoreException | OutOfMemoryError e) {
      assertThat(stepsLeft).isZero();
    }
    nothingIsLeft();
    return all;
  }

  private boolean failsNow() {
    return Thread.currentThread().equals(starter) && stepsLeft > 0 && --stepsLeft == 0;
  }

  private void nothingIsLeft() throws Exception {
    ConditionPoller.await(
        "all new threads have ended", () -> before.containsAll(EngineThreads.all()));
    assertThat(database.pool().getHikariPoolMXBean().getActiveConnections()).isZero();
    assertThat(database.number("SELECT count(*) FROM millrace_executor WHERE stopped_at IS NULL"))
        .isZero();
  }

  /** Returns the builder of an engine that has each part which has a thread. */
  private static EngineBuilder builder(DataSource dataSource, Runner runner) {
    return Engine.builder()
        .dataSource(dataSource)
        .runtime(new EngineRuntime(EngineClock.system(), runner, new Random(1)))
        .settings(LongLease::of)
        .workflows(job())
        .sequences(SequenceSettings.defaults())
        .channels(
            Proxies.proxy(
                ChannelTransport.class,
                (method, args) -> {
                  throw new AssertionError(method.getName());
                }))
        .onWarmUp(() -> {})
        .recycle(RecycleSettings.daily(ZoneOffset.UTC))
        .continuous(
            ContinuousWorkflow.of("feed", Triggers.fixedDelay(Duration.ofHours(1)))
                .handler((context, event) -> Next.done("handled")));
  }

  /** A runner that cannot create a thread for one step of the start. */
  private class FailingRunner implements Runner {
    private final Runner real = new ThreadRunner();

    private void step() {
      if (failsNow()) {
        throw new OutOfMemoryError("planned: unable to create a thread");
      }
    }

    @Override
    public Loop loop(String name, Loop.Work work) {
      step();
      return real.loop(name, work);
    }

    @Override
    public RunningTask run(String name, Runnable task) {
      step();
      return real.run(name, task);
    }

    @Override
    public RunningTask runOnPlatform(String name, Runnable task) {
      step();
      return real.runOnPlatform(name, task);
    }

    @Override
    public Waiter waiter() {
      return real.waiter();
    }
  }
}
