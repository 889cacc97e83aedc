package io.millrace.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.definition.Next;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.instance.StartRequest;
import io.millrace.testing.ManualEngine;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

/** What a handler logs tells of which instance it speaks. */
class LogContextTest {

  @Test
  void theContextNamesTheInstanceWhileItsHandlerRuns() {
    AtomicReference<Map<String, String>> seen = new AtomicReference<>();
    WorkflowDefinition job =
        WorkflowDefinition.of("job")
            .start(
                "work",
                ctx -> {
                  seen.set(MDC.getCopyOfContextMap());
                  return Next.done("logged");
                })
            .build();
    try (ManualEngine engine = ManualEngine.with(job)) {
      long id = engine.client().start(StartRequest.of("job").businessKey("B-1")).id();
      engine.runUntilIdle();
      assertThat(seen.get())
          .containsEntry("instance", Long.toString(id))
          .containsEntry("workflow", "job")
          .containsEntry("state", "work")
          .containsEntry("businessKey", "B-1");
      assertThat(MDC.get("instance")).isNull();
    }
  }
}
