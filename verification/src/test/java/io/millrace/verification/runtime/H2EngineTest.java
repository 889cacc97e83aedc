package io.millrace.verification.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Engine;
import io.millrace.definition.Next;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.event.EngineEvent;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.OperatorAction;
import io.millrace.instance.StartRequest;
import io.millrace.verification.support.EventRecorder;
import io.millrace.verification.support.TestDatabase;
import java.util.Collections;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The engine on H2, whose files do not survive the interrupt of a thread that reads them. */
@Timeout(120)
class H2EngineTest {

  private final EventRecorder events = new EventRecorder();

  @Test
  void aCancelledHandlerIsToldAndNeverInterrupted() throws InterruptedException {
    AtomicBoolean interrupted = new AtomicBoolean();
    CountDownLatch ended = new CountDownLatch(1);
    WorkflowDefinition job =
        WorkflowDefinition.of("job")
            .start(
                "work",
                ctx -> {
                  while (!ctx.cancelToken().isCancelled()) {
                    Thread.onSpinWait();
                  }
                  interrupted.set(Thread.currentThread().isInterrupted());
                  ended.countDown();
                  return Next.done("ignored");
                })
            .build();
    try (TestDatabase database = TestDatabase.h2();
        Engine engine = engine(database, job)) {
      long id = engine.client().start(StartRequest.of("job")).id();
      events.await(EngineEvent.StepStarted.class);
      engine.client().cancel(id, OperatorAction.by("ann", "enough"));
      ended.await();
      assertThat(interrupted).isFalse();
      assertThat(engine.client().get(id).status()).isEqualTo(InstanceStatus.CANCELLED);
    }
  }

  @Test
  void everyInstanceRunsOnceAndItsHistoryFitsTogether() {
    WorkflowDefinition chain =
        WorkflowDefinition.of("chain")
            .start("one", ctx -> Next.moveTo("two", "1"))
            .state("two", ctx -> Next.done("2"))
            .build();
    try (TestDatabase database = TestDatabase.h2();
        Engine engine = engine(database, chain)) {
      engine.client().startAll(Collections.nCopies(1000, StartRequest.of("chain")));
      events.awaitSteps("two", 1000);
      assertThat(
              database.number(
                  "SELECT count(*) FROM millrace_workflow WHERE status = 'finished' AND seq = 2"))
          .isEqualTo(1000);
      assertThat(database.number("SELECT count(*) FROM millrace_workflow_action")).isEqualTo(2000);
    }
  }

  private Engine engine(TestDatabase database, WorkflowDefinition definition) {
    return Engine.builder()
        .dataSource(database.pool())
        .workflows(definition)
        .listener(events)
        .start();
  }
}
