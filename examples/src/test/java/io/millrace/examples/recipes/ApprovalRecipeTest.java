package io.millrace.examples.recipes;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.definition.Next;
import io.millrace.definition.ReceivedSignal;
import io.millrace.definition.StateContext;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.instance.StartRequest;
import io.millrace.testing.ManualEngine;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The programs of {@code docs/recipes/wait-for-approval.md}. */
class ApprovalRecipeTest {

  // docs:approval
  record Decision(String by, boolean approved) {}

  static final WorkflowDefinition EXPENSE =
      WorkflowDefinition.of("expense")
          .start("submit", ctx -> Next.moveTo("decide", "waits for the manager"))
          .await("decide", "decision", Duration.ofDays(3), ApprovalRecipeTest::decide)
          .end("paid")
          .end("rejected")
          .manual("escalated")
          .build();

  static Next decide(StateContext ctx, Optional<ReceivedSignal> signal) {
    if (signal.isEmpty()) {
      return Next.moveTo("escalated", "nobody decided within three days");
    }
    Decision decision = signal.get().payload(Decision.class);
    return decision.approved()
        ? Next.moveTo("paid", "approved by " + decision.by())
        : Next.moveTo("rejected", "rejected by " + decision.by());
  }

  // docs:end

  @Test
  void aDecisionInTimeCounts() {
    try (ManualEngine engine = ManualEngine.with(EXPENSE)) {
      long id = engine.client().start(StartRequest.of("expense")).id();
      engine.advance(Duration.ofDays(2));
      // docs:decide
      engine.client().signal(id, "decision", new Decision("anna", true));
      // docs:end
      engine.runUntilIdle();
      assertThat(engine.client().get(id).state()).isEqualTo("paid");
      assertThat(engine.client().history(id).getLast().outcome().reason())
          .isEqualTo("approved by anna");
    }
  }

  @Test
  void aDecisionBeforeTheWaitCountsToo() {
    try (ManualEngine engine = ManualEngine.with(EXPENSE)) {
      long id = engine.client().start(StartRequest.of("expense")).id();
      engine.client().signal(id, "decision", new Decision("ben", false));
      engine.runUntilIdle();
      assertThat(engine.client().get(id).state()).isEqualTo("rejected");
    }
  }

  @Test
  void theDeadlineEscalates() {
    try (ManualEngine engine = ManualEngine.with(EXPENSE)) {
      long id = engine.client().start(StartRequest.of("expense")).id();
      engine.advance(Duration.ofDays(2));
      assertThat(engine.client().get(id).state()).isEqualTo("decide");
      engine.advance(Duration.ofDays(1));
      assertThat(engine.client().get(id).state()).isEqualTo("escalated");
    }
  }
}
