package io.millrace.tests.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Engine;
import io.millrace.definition.Next;
import io.millrace.definition.StateHandler;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.event.EngineEvent;
import io.millrace.fixtures.EventRecorder;
import io.millrace.fixtures.TestDatabase;
import io.millrace.instance.StartRequest;
import io.millrace.retry.RetryPolicy;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Tests that a stop does not count against a step. */
class DrainTest {

  private static final String DUE_ELSEWHERE =
      """
      SELECT count(*) FROM millrace_instance
      WHERE executor_id IS NULL AND attempt = 0 AND seq = 1 AND status = 'inProgress'
        AND state = 'work' AND next_activation_at <= CURRENT_TIMESTAMP
      """;

  private static final String ABANDONED =
      """
      SELECT count(*) FROM millrace_history
      WHERE type = 'abandoned' AND attempt = 1 AND from_state = 'work' AND to_state = 'work'
        AND error IS NULL
      """;

  @Test
  void aHandlerThatIsInterruptedByTheStopHasNotFailed() {
    assertGivenBack(ctx -> {
      new CountDownLatch(1).await();
      return Next.done("never");
    });
  }

  @Test
  void aHandlerThatHeedsItsTokenAtTheStopHasNotFailed() {
    assertGivenBack(ctx -> {
      CountDownLatch cancelled = new CountDownLatch(1);
      ctx.cancelToken().onCancel(cancelled::countDown);
      try {
        cancelled.await();
      } catch (InterruptedException e) {
        // The token reports the same.
        Thread.currentThread().interrupt();
      }
      ctx.cancelToken().throwIfCancelled();
      return Next.done("never");
    });
  }

  private static void assertGivenBack(StateHandler handler) {
    WorkflowDefinition job =
        WorkflowDefinition.of("job").start("work", handler).retry(RetryPolicy.never()).build();
    EventRecorder events = new EventRecorder();
    try (TestDatabase database = TestDatabase.postgres()) {
      try (Engine engine =
          Engine.builder()
              .dataSource(database.pool())
              .workflows(job)
              .listener(events)
              .settings(s ->
                  s.drainGrace(Duration.ZERO).lease(Duration.ofHours(1), Duration.ofSeconds(2)))
              .start()) {
        engine.client().start(StartRequest.of("job"));
        events.await(EngineEvent.AttemptStarted.class);
      }
      assertThat(database.number(DUE_ELSEWHERE)).isEqualTo(1);
      assertThat(database.number(ABANDONED)).isEqualTo(1);
      assertThat(database.number("SELECT count(*) FROM millrace_history")).isEqualTo(1);
    }
  }
}
