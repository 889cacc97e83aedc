package io.millrace.tests.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.Engine;
import io.millrace.definition.Next;
import io.millrace.definition.StateHandler;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.event.EngineEvent;
import io.millrace.fixtures.ConditionPoller;
import io.millrace.fixtures.EventRecorder;
import io.millrace.fixtures.FaultyStore;
import io.millrace.fixtures.TestDatabase;
import io.millrace.instance.AuditQuery;
import io.millrace.instance.ConflictException;
import io.millrace.instance.DrainRequest;
import io.millrace.instance.ExecutorInfo;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.InvalidRequestException;
import io.millrace.instance.OperatorAction;
import io.millrace.instance.StartRequest;
import io.millrace.lifecycle.EngineState;
import io.millrace.store.ExecutorStore;
import io.millrace.store.sql.SchemaMode;
import io.millrace.store.sql.SqlStore;
import java.time.Duration;
import java.util.Collections;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests that an executor stops on request while its process continues. */
@Timeout(300)
@Tag("races")
class DrainRequestTest {

  private static final Duration LEASE = Duration.ofSeconds(2);
  private static final Duration BEAT = Duration.ofMillis(200);

  private final TestDatabase database = TestDatabase.postgres(20);
  private final EventRecorder first = new EventRecorder();
  private final EventRecorder second = new EventRecorder();
  private final CountDownLatch gate = new CountDownLatch(1);

  @AfterEach
  void drop() {
    database.close();
  }

  private FaultyStore store() {
    return new FaultyStore(SqlStore.open(database.pool(), SqlStore.Options.DEFAULT));
  }

  private ExecutorStore executors() {
    return SqlStore.open(database.pool(), new SqlStore.Options(SchemaMode.VALIDATE, null, false))
        .executors();
  }

  private static WorkflowDefinition chain(StateHandler begin) {
    return WorkflowDefinition.of("chain")
        .start("one", begin)
        .state("two", ctx -> Next.moveAfter("three", Duration.ofMillis(1), "two"))
        .state("three", ctx -> Next.moveTo("end", "three"))
        .end("end")
        .build();
  }

  private static WorkflowDefinition chain() {
    return chain(ctx -> Next.moveTo("two", "one"));
  }

  private static Engine engine(FaultyStore store, EventRecorder events, WorkflowDefinition chain) {
    return Engine.builder()
        .store(store)
        .workflows(chain)
        .settings(s -> s.lease(LEASE, BEAT).drainGrace(Duration.ofMinutes(1)))
        .listener(events)
        .start();
  }

  /**
   * Requests the drain and waits for three heartbeats: one may be under way, the next learns of it,
   * the third comes after that.
   */
  private void ask(FaultyStore store, Engine engine) throws InterruptedException {
    CountDownLatch beats = new CountDownLatch(3);
    assertThat(
            executors()
                .requestDrain(
                    engine.executorId(),
                    DrainRequest.withDefaultGrace(),
                    OperatorAction.by("anna")))
        .isTrue();
    store.watch("renew", args -> beats.countDown());
    beats.await();
  }

  @Test
  void theOtherEngineEndsAllWork() throws Exception {
    FaultyStore mine = store();
    try (Engine a = engine(mine, first, chain());
        Engine b = engine(store(), second, chain())) {
      a.client().startAll(Collections.nCopies(500, StartRequest.of("chain")));
      b.admin().drain(a.executorId(), OperatorAction.by("anna", "to be updated"));
      a.client().startAll(Collections.nCopies(500, StartRequest.of("chain")));
      first.await(EngineEvent.ExecutorStopped.class);
      assertThat(database.number(ownedBy(a))).isZero();
      assertThat(b.admin().audit(AuditQuery.all()).items().getFirst().entry().target())
          .isEqualTo("executor " + a.executorId());
      long late = a.client().start(StartRequest.of("chain")).id();

      assertThat(a.client().await(late, Duration.ofMinutes(1)).status())
          .isEqualTo(InstanceStatus.FINISHED);
      b.client().await(late, Duration.ofMinutes(1));
      second.await(
          EngineEvent.TransitionSaved.class,
          1001 - finished(first),
          e -> e.transition().status() == InstanceStatus.FINISHED);
      assertThat(
              database.number("SELECT count(*) FROM millrace_instance WHERE status <> 'finished'"))
          .isZero();
      assertThat(database.number(ownedBy(a))).isZero();
      assertThat(
              database.number(
                  "SELECT count(*) FROM millrace_history WHERE type <> 'stateExecution'"))
          .isZero();
      assertThat(database.number("SELECT max(attempt) FROM millrace_history")).isOne();
    }
  }

  private static int finished(EventRecorder events) {
    return events
        .all(
            EngineEvent.TransitionSaved.class,
            e -> e.transition().status() == InstanceStatus.FINISHED)
        .size();
  }

  private static String ownedBy(Engine engine) {
    return "SELECT count(*) FROM millrace_instance WHERE executor_id = " + engine.executorId();
  }

  @Test
  void aRunningHandlerMayEndAndItsResultIsSaved() throws Exception {
    FaultyStore mine = store();
    StateHandler waits =
        ctx -> {
          gate.await();
          return Next.moveTo("two", "one");
        };
    try (Engine a = engine(mine, first, chain(waits))) {
      long id = a.client().start(StartRequest.of("chain")).id();
      first.await(EngineEvent.AttemptStarted.class);
      ask(mine, a);
      ConditionPoller.await("the stop has begun", () -> a.state() == EngineState.DRAINING);
      ExecutorInfo info = a.client().executors("millrace").getFirst();
      assertThat(info.drain().by()).isEqualTo("anna");
      assertThat(info.load().runningHandlers()).isEqualTo(1);
      assertThat(info.load().held()).isEqualTo(1);
      gate.countDown();
      first.await(EngineEvent.ExecutorStopped.class);

      assertThat(a.client().get(id).state()).isEqualTo("two");
      assertThat(a.client().get(id).lease().executorId()).isNull();
      assertThat(a.client().history(id)).hasSize(1);
      a.client().pause(id, OperatorAction.by("anna", "still answers"));
      assertThat(a.client().get(id).status()).isEqualTo(InstanceStatus.PAUSED);
    }
  }

  @Test
  void aCloseDuringTheDrainEndsItEarlier() throws Exception {
    FaultyStore mine = store();
    StateHandler waits =
        ctx -> {
          gate.await();
          return Next.moveTo("two", "never");
        };
    Engine a = engine(mine, first, chain(waits));
    long id = a.client().start(StartRequest.of("chain")).id();
    first.await(EngineEvent.AttemptStarted.class);
    ask(mine, a);
    a.drain(Duration.ZERO);

    assertThat(a.state()).isEqualTo(EngineState.CLOSED);
    assertThat(first.all(EngineEvent.ExecutorStopped.class, e -> true)).hasSize(1);
    assertThat(database.number(ownedBy(a))).isZero();
    assertThat(database.number("SELECT attempt FROM millrace_instance WHERE id = " + id)).isZero();
  }

  @Test
  void aProcessThatStartsAgainIsANewExecutor() {
    long leaving;
    try (Engine a = engine(store(), first, chain())) {
      leaving = a.executorId();
      assertThat(
              executors()
                  .requestDrain(
                      leaving, DrainRequest.withDefaultGrace(), OperatorAction.by("anna")))
          .isTrue();
      first.await(EngineEvent.ExecutorStopped.class);
    }
    try (Engine again = engine(store(), second, chain())) {
      assertThat(again.executorId()).isGreaterThan(leaving);
      long id = again.client().start(StartRequest.of("chain")).id();
      assertThat(again.client().await(id, Duration.ofMinutes(1)).status())
          .isEqualTo(InstanceStatus.FINISHED);
      assertThat(again.state()).isEqualTo(EngineState.RUNNING);
      assertThatThrownBy(() -> again.admin().drain(leaving, OperatorAction.by("anna", "late")))
          .isInstanceOf(ConflictException.class)
          .hasMessageContaining(
              "Executor " + leaving + " cannot be asked to drain: it has stopped");
      assertThatThrownBy(() -> again.admin().drain(leaving + 1_000, OperatorAction.by("anna")))
          .isInstanceOf(InvalidRequestException.class)
          .hasMessageContaining("no executor " + (leaving + 1_000));
      assertThat(again.admin().audit(AuditQuery.all()).items())
          .as("the request that was refused leaves no entry")
          .hasSize(1);
    }
  }
}
