package io.millrace.definition;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.codec.JsonCodec;
import io.millrace.definition.DefinitionDocument.StateEntry;
import io.millrace.retry.RetryPolicy;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class DefinitionDocumentTest {

  private final WorkflowDefinition flow =
      WorkflowDefinition.of("flow")
          .version(3)
          .description("Flows \"on\" – ü.")
          .start("begin", ctx -> Next.done("x"))
          .await("wait", "sig", Duration.ofMinutes(2), (ctx, s) -> Next.done("x"))
          .await("forever", "sig", (ctx, s) -> Next.done("x"))
          .manual("desk")
          .end("end")
          .permit("begin", "wait", "forever", "desk", "end")
          .onFailure("begin", "desk")
          .retry("begin", RetryPolicy.fixed(Duration.ofMillis(50)).maxAttempts(2))
          .timeout("begin", Duration.ofSeconds(9))
          .build();

  @Test
  void itTellsAllThatCanBeShown() {
    DefinitionDocument document = DefinitionDocument.of(flow);
    assertThat(document.states())
        .startsWith(
            new StateEntry("begin", "start", 2, 50, 9_000L, null, null),
            new StateEntry("wait", "wait", 10, 1_000, null, "sig", 120_000L),
            new StateEntry("forever", "wait", 10, 1_000, null, "sig", null));
    assertThat(document.transitions())
        .hasSize(5)
        .contains(new Transition("begin", "desk", true), new Transition("begin", "end", false));
    assertThat(document.startState()).isEqualTo("begin");
  }

  @Test
  void itSurvivesTheWayThroughJson() {
    DefinitionDocument document = DefinitionDocument.of(flow);
    JsonCodec codec = new JsonCodec();
    assertThat(codec.decode(codec.encode(document), DefinitionDocument.class)).isEqualTo(document);
  }

  @Test
  void theSameDefinitionIsAlwaysTheSameText() {
    JsonCodec codec = new JsonCodec();
    assertThat(codec.encode(DefinitionDocument.of(flow)))
        .isEqualTo(codec.encode(DefinitionDocument.of(flow)));
  }
}
