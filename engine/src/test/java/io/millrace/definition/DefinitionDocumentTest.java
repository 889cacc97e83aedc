package io.millrace.definition;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.definition.DefinitionDocument.StateEntry;
import io.millrace.retry.RetryPolicy;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class DefinitionDocumentTest {

  private enum Size {
    SMALL,
    LARGE
  }

  private record Input(
      String name,
      int count,
      @Nullable BigDecimal price,
      boolean urgent,
      Size size,
      LocalDate day,
      Instant at,
      List<String> parts,
      Optional<String> note) {}

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
          .input(Input.class)
          .build();

  @Test
  void itTellsAllThatCanBeShown() {
    DefinitionDocument document = DefinitionDocument.of(flow);
    assertThat(document.states())
        .startsWith(
            new StateEntry("begin", "start", 2, 50, 9_000L, null),
            new StateEntry(
                "wait",
                "wait",
                10,
                1_000,
                null,
                new DefinitionDocument.EntryConditionEntry("sig", 120_000L, null)),
            new StateEntry(
                "forever",
                "wait",
                10,
                1_000,
                null,
                new DefinitionDocument.EntryConditionEntry("sig", null, null)));
    assertThat(document.transitions())
        .hasSize(5)
        .contains(new Transition("begin", "desk", true), new Transition("begin", "end", false));
    assertThat(document.startState()).isEqualTo("begin");
  }

  @Test
  void theComponentsOfTheInputBecomeFields() {
    assertThat(DefinitionDocument.of(flow).input())
        .containsExactly(
            new InputField("name", "text", true, null),
            new InputField("count", "integer", true, null),
            new InputField("price", "number", false, null),
            new InputField("urgent", "boolean", true, null),
            new InputField("size", "choice", true, List.of("SMALL", "LARGE")),
            new InputField("day", "date", true, null),
            new InputField("at", "dateTime", true, null),
            new InputField("parts", "json", true, null),
            new InputField("note", "json", false, null));
    assertThat(
            DefinitionDocument.of(
                    WorkflowDefinition.of("bare").start("a", c -> Next.done("x")).build())
                .input())
        .isNull();
  }

  @Test
  void itSurvivesTheWayThroughJson() {
    DefinitionDocument document = DefinitionDocument.of(flow);
    assertThat(DefinitionDocument.parse(document.json())).isEqualTo(document);
  }

  @Test
  void theSameDefinitionIsAlwaysTheSameText() {
    assertThat(DefinitionDocument.of(flow).json()).isEqualTo(DefinitionDocument.of(flow).json());
  }
}
