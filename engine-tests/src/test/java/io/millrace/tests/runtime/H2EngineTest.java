package io.millrace.tests.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Engine;
import io.millrace.definition.Next;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.event.EngineEvent;
import io.millrace.fixtures.EventRecorder;
import io.millrace.fixtures.LongLease;
import io.millrace.fixtures.Patience;
import io.millrace.fixtures.TestDatabase;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.OperatorAction;
import io.millrace.instance.StartRequest;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/**
 * Tests of the engine on H2, whose files do not survive the interrupt of a thread that reads them.
 */
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
                  CountDownLatch cancelled = new CountDownLatch(1);
                  ctx.cancelToken().onCancel(cancelled::countDown);
                  Patience.await(cancelled);
                  interrupted.set(Thread.currentThread().isInterrupted());
                  ended.countDown();
                  return Next.done("ignored");
                })
            .build();
    try (TestDatabase database = TestDatabase.h2();
        Engine engine =
            Engine.builder()
                .dataSource(database.pool())
                .workflows(job)
                .settings(LongLease::of)
                .listener(events)
                .start()) {
      long id = engine.client().start(StartRequest.of("job")).id();
      events.await(EngineEvent.AttemptStarted.class);
      engine.client().cancel(id, OperatorAction.by("ann", "enough"));
      Patience.await(ended);
      assertThat(interrupted).isFalse();
      assertThat(engine.client().get(id).status()).isEqualTo(InstanceStatus.CANCELLED);
    }
  }
}
