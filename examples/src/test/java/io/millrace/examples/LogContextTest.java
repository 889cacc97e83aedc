package io.millrace.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.definition.Next;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.instance.HistoryEntry;
import io.millrace.instance.StartRequest;
import io.millrace.testing.ManualEngine;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

/** Tests that log lines of a handler identify its instance. */
class LogContextTest {

  @Test
  void theContextNamesTheInstanceWhileItsHandlerRuns() {
    AtomicReference<Map<String, String>> seen = new AtomicReference<>();
    WorkflowDefinition job =
        WorkflowDefinition.of("job")
            .start(
                "work",
                ctx -> {
                  if (ctx.attempt() == 1) {
                    throw new IllegalStateException("the first attempt fails");
                  }
                  seen.set(MDC.getCopyOfContextMap());
                  return Next.done("logged");
                })
            .build();
    try (ManualEngine engine = ManualEngine.with(job)) {
      long id = engine.client().start(StartRequest.of("job").businessKey("B-1")).id();
      engine.advance(Duration.ofMinutes(1));
      assertThat(seen.get())
          .containsEntry("instance", Long.toString(id))
          .containsEntry("workflow", "job")
          .containsEntry("state", "work")
          .containsEntry("attempt", "2")
          .containsEntry("seq", "2")
          .containsEntry("executor", Long.toString(executor(engine)))
          .containsEntry("businessKey", "B-1");
      assertThat(MDC.getCopyOfContextMap()).isNullOrEmpty();
      HistoryEntry last = engine.client().history(id).getLast();
      assertThat(last.seq()).isEqualTo(2);
    }
  }

  private static long executor(ManualEngine engine) {
    return Objects.requireNonNull(engine.engine().executorId());
  }
}
