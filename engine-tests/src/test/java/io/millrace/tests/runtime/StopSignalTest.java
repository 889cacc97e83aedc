package io.millrace.tests.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Engine;
import io.millrace.definition.Next;
import io.millrace.definition.StateHandler;
import io.millrace.definition.StopSignal;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.event.EngineEvent;
import io.millrace.fixtures.EventRecorder;
import io.millrace.fixtures.TestDatabase;
import io.millrace.instance.DrainRequest;
import io.millrace.instance.ExecutorInfo;
import io.millrace.instance.ExecutorState;
import io.millrace.instance.HistoryEntry;
import io.millrace.instance.HistoryEntryType;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.OperatorAction;
import io.millrace.instance.StartRequest;
import io.millrace.instance.StopReason;
import io.millrace.retry.RetryPolicy;
import io.millrace.store.ExecutorStore;
import io.millrace.store.sql.SchemaMode;
import io.millrace.store.sql.SqlStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Tests that a handler is told of the stop of its executor, and that unfinished work restarts
 * elsewhere.
 */
@Timeout(300)
@Tag("races")
class StopSignalTest {

  private final TestDatabase database = TestDatabase.postgres(16);
  private final EventRecorder first = new EventRecorder();
  private final EventRecorder second = new EventRecorder();

  @AfterEach
  void drop() {
    database.close();
  }

  private Engine engine(EventRecorder events, StateHandler handler) {
    WorkflowDefinition job =
        WorkflowDefinition.of("job")
            .start("work", handler)
            .onFailure("mend")
            .state("mend", ctx -> Next.done("mended"))
            .state("more", ctx -> Next.done("done"))
            .retry(RetryPolicy.never())
            .build();
    return engine(events, job);
  }

  private Engine engine(EventRecorder events, WorkflowDefinition job) {
    return Engine.builder()
        .dataSource(database.pool())
        .workflows(job)
        .settings(s -> s.lease(Duration.ofSeconds(3), Duration.ofMillis(200)))
        .listener(events)
        .start();
  }

  private ExecutorStore executors() {
    return SqlStore.open(database.pool(), new SqlStore.Options(SchemaMode.VALIDATE, null, false))
        .executors();
  }

  private static long id(Engine engine) {
    return Objects.requireNonNull(engine.executorId());
  }

  private static List<HistoryEntryType> types(Engine engine, long id) {
    return engine.client().history(id).stream().map(HistoryEntry::type).toList();
  }

  @Test
  void aHandlerThatHeedsItEndsInTimeAndIsSaved() {
    AtomicReference<StopSignal> seen = new AtomicReference<>();
    AtomicReference<Boolean> before = new AtomicReference<>();
    StateHandler heeds =
        ctx -> {
          CountDownLatch stopped = new CountDownLatch(1);
          seen.set(ctx.stopSignal());
          before.set(ctx.stopSignal().requested() || ctx.stopSignal().deadline().isPresent());
          ctx.stopSignal()
              .onStop(() -> {
                throw new IllegalStateException("planned");
              });
          ctx.stopSignal().onStop(stopped::countDown);
          stopped.await();
          assertThat(ctx.cancelToken().isCancelled()).isFalse();
          CountDownLatch again = new CountDownLatch(1);
          ctx.stopSignal().onStop(again::countDown);
          again.await();
          return Next.moveTo("more", "stopped at a good place");
        };
    try (Engine engine = engine(first, heeds)) {
      long job = engine.client().start(StartRequest.of("job")).id();
      first.await(EngineEvent.AttemptStarted.class);
      Instant asked = Instant.now();
      executors()
          .requestDrain(
              id(engine),
              new DrainRequest(StopReason.ROLLOUT, Duration.ofMinutes(10)),
              OperatorAction.by("ann"));
      first.await(EngineEvent.ExecutorStopped.class);

      assertThat(before.get()).isFalse();
      assertThat(seen.get().requested()).isTrue();
      assertThat(seen.get().reason()).contains(StopReason.ROLLOUT);
      assertThat(seen.get().deadline().orElseThrow())
          .isBetween(asked.plusSeconds(590), asked.plusSeconds(630));
      assertThat(engine.client().get(job).state()).isEqualTo("more");
      assertThat(types(engine, job)).containsExactly(HistoryEntryType.STATE_EXECUTION);
    }
  }

  @Test
  void aHandlerThatBlocksForEverIsAbandonedAndBegunElsewhere() {
    Semaphore never = new Semaphore(0);
    CompletableFuture<Void> late = new CompletableFuture<>();
    StateHandler blocks =
        ctx -> {
          never.acquireUninterruptibly();
          late.complete(null);
          ctx.set("late", true);
          return Next.fail("too late");
        };
    Engine leaving = engine(first, blocks);
    long job = leaving.client().start(StartRequest.of("job")).id();
    first.await(EngineEvent.AttemptStarted.class);
    try (Engine other = engine(second, ctx -> Next.done("attempt " + ctx.attempt()))) {
      leaving.drain(Duration.ZERO);
      assertThat(other.client().await(job, Duration.ofSeconds(30)).status())
          .isEqualTo(InstanceStatus.FINISHED);
      never.release();
      late.join();

      assertThat(types(other, job))
          .containsExactly(HistoryEntryType.ABANDONED, HistoryEntryType.STATE_EXECUTION);
      List<HistoryEntry> history = other.client().history(job);
      assertThat(history).extracting(a -> a.author().attempt()).containsExactly(1, 1);
      assertThat(history.getLast().author().leaseVersion())
          .isGreaterThan(history.getFirst().author().leaseVersion());
      assertThat(history.getLast().outcome().reason()).isEqualTo("attempt 1");
      assertThat(other.client().variables(job)).isEmpty();
    }
  }

  @Test
  void theEndOfAWaitComesAgainAfterTheAttemptWasAbandoned() {
    CountDownLatch begun = new CountDownLatch(1);
    WorkflowDefinition waits =
        waiting(ctx -> {
          begun.countDown();
          new CountDownLatch(1).await();
          return Next.done("never");
        });
    long job;
    try (Engine leaving = engine(first, waits)) {
      job = leaving.client().start(StartRequest.of("wait")).id();
      begun.await();
      leaving.drain(Duration.ZERO);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    try (Engine other = engine(second, waiting(ctx -> Next.done("over")))) {
      assertThat(other.client().await(job, Duration.ofSeconds(20)).status())
          .isEqualTo(InstanceStatus.FINISHED);
      assertThat(types(other, job))
          .containsExactly(
              HistoryEntryType.STATE_EXECUTION,
              HistoryEntryType.ABANDONED,
              HistoryEntryType.STATE_EXECUTION);
    }
  }

  /** Returns a workflow that waits for a moment first, and for an hour if it has to wait again. */
  private static WorkflowDefinition waiting(StateHandler atTheEnd) {
    return WorkflowDefinition.of("wait")
        .start("begin", ctx -> Next.moveTo("listen", "begun"))
        .await("listen", "call", Duration.ofMillis(50), (ctx, call) -> atTheEnd.handle(ctx))
        .retry(RetryPolicy.never())
        .build();
  }

  @Test
  void theTableOfExecutorsShowsWhoDrainsAndUntilWhen() {
    CountDownLatch gate = new CountDownLatch(1);
    StateHandler waits =
        ctx -> {
          gate.await();
          return Next.done("done");
        };
    Engine engine = engine(first, waits);
    engine.client().start(StartRequest.of("job"));
    first.await(EngineEvent.AttemptStarted.class);
    long leaving = id(engine);
    Thread closing = Thread.ofVirtual().start(() -> engine.drain(Duration.ofMinutes(2)));
    ExecutorInfo info = awaitState(leaving, ExecutorState.DRAINING);
    assertThat(engine.admin().leasedInstances(leaving, 10))
        .singleElement()
        .satisfies(one -> {
          assertThat(one.type()).isEqualTo("job");
          assertThat(one.state()).isEqualTo("work");
        });
    gate.countDown();
    join(closing);

    assertThat(Objects.requireNonNull(info.drain()).reason()).isEqualTo(StopReason.SHUTDOWN);
    assertThat(info.drain().deadline()).isAfter(info.heartbeat().plusSeconds(60));
    assertThat(awaitState(leaving, ExecutorState.DRAINED).stopped()).isNotNull();
  }

  private ExecutorInfo awaitState(long executor, ExecutorState state) {
    while (true) {
      for (ExecutorInfo info : executors().list("millrace")) {
        if (info.id() == executor && info.state() == state) {
          return info;
        }
      }
      Thread.onSpinWait();
    }
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
