package io.millrace.verification.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.definition.Next;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.instance.HistoryEntryType;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.StartRequest;
import io.millrace.testing.ManualEngine;
import io.millrace.testing.MillraceExtension;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The programs of {@code docs/testing-your-workflows.md}. */
class TestingPageTest {

  // docs:extension
  static final WorkflowDefinition REMINDER =
      WorkflowDefinition.of("reminder")
          .start(
              "wait", ctx -> Next.moveAfter("remind", Duration.ofDays(3), "three days are given"))
          .state("remind", ctx -> Next.done("reminded"))
          .build();

  @RegisterExtension static final MillraceExtension MILLRACE = MillraceExtension.with(REMINDER);

  @Test
  void remindsAfterThreeDays(ManualEngine engine) {
    long id = engine.client().start(StartRequest.of("reminder")).id();
    engine.advance(Duration.ofDays(2));
    assertThat(engine.client().get(id).status()).isEqualTo(InstanceStatus.IN_PROGRESS);
    engine.advance(Duration.ofDays(2));
    assertThat(engine.client().get(id).status()).isEqualTo(InstanceStatus.FINISHED);
  }

  // docs:end

  @Test
  void goesOnAfterACrash() {
    // docs:crash
    try (ManualEngine engine = ManualEngine.with(REMINDER)) {
      long id = engine.client().start(StartRequest.of("reminder")).id();
      engine.killExecutor();
      engine.advance(engine.leaseTime());
      assertThat(engine.client().history(id).getFirst().type())
          .isEqualTo(HistoryEntryType.RECOVERY);
      engine.advance(Duration.ofDays(4));
      assertThat(engine.client().get(id).status()).isEqualTo(InstanceStatus.FINISHED);
    }
    // docs:end
  }
}
