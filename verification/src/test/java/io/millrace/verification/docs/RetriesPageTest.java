package io.millrace.verification.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.definition.Next;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.StartRequest;
import io.millrace.testing.ManualEngine;
import org.junit.jupiter.api.Test;

/** The programs of {@code docs/retries.md}. */
class RetriesPageTest {

  private static String render(int pages) {
    return pages + " pages rendered";
  }

  @Test
  void aStateIsDeclaredAsComputing() {
    // docs:computing
    WorkflowDefinition report =
        WorkflowDefinition.of("report")
            .start("render", ctx -> Next.moveTo("mail", render(ctx.input(Integer.class))))
            .cpuBound("render")
            .state("mail", ctx -> Next.done("sent"))
            .build();
    // docs:end
    try (ManualEngine engine = ManualEngine.with(report)) {
      long id = engine.client().start(StartRequest.of("report", 3)).id();
      engine.runUntilIdle();
      assertThat(engine.client().get(id).status()).isEqualTo(InstanceStatus.FINISHED);
      assertThat(engine.client().history(id).getFirst().outcome().reason())
          .isEqualTo("3 pages rendered");
    }
  }
}
