package io.millrace.tests.data;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.continuous.PeriodLedgerWorkflow;
import io.millrace.continuous.PeriodLedgerWorkflow.Request;
import io.millrace.data.PeriodId;
import io.millrace.data.PeriodState;
import io.millrace.definition.Next;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.fixtures.EngineFixture;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.StartRequest;
import io.millrace.schedule.CalendarPeriod;
import java.time.Duration;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;

/** Tests of the period ledger with a workflow that other workflows start. */
class PeriodLedgerWorkflowTest extends EngineFixture {

  private static final ZoneId ZONE = ZoneId.of("Africa/Johannesburg");

  /**
   * Returns a workflow that claims a period, waits for the answer, and does the work if the claim
   * succeeds.
   */
  private static WorkflowDefinition closing(String type) {
    return WorkflowDefinition.of(type)
        .start(
            "ask",
            ctx -> {
              ctx.spawn(
                  StartRequest.of(
                      PeriodLedgerWorkflow.TYPE,
                      Request.of(ctx.type(), CalendarPeriod.LOCAL_DATE, ZONE, ctx.instanceId())));
              return Next.waitForChildren("close", "asked whether to run");
            })
        .state(
            "close",
            ctx -> {
              boolean run =
                  ctx.childVariables(PeriodLedgerWorkflow.SHOULD_RUN, Boolean.class).getFirst();
              ctx.set("ran", run);
              return Next.moveTo("end", run ? "closed" : "nothing to do");
            })
        .end("end")
        .build();
  }

  private String ran(long id) {
    return client().variables(id).get("ran");
  }

  @Test
  void eachWorkflowRunsOnceADay() {
    run(closing("nightly"), closing("weekly"), PeriodLedgerWorkflow.definition());

    long first = start("nightly");
    engine.runUntilIdle();
    long second = start("nightly");
    long other = start("weekly");
    engine.runUntilIdle();
    engine.advance(Duration.ofDays(1));
    long tomorrow = start("nightly");
    engine.runUntilIdle();

    assertThat(ran(first)).isEqualTo("true");
    assertThat(ran(second)).isEqualTo("false");
    assertThat(ran(other)).isEqualTo("true");
    assertThat(ran(tomorrow)).isEqualTo("true");
    engine.advance(engine.leaseTime());
    assertThat(
            engine
                .engine()
                .periodLedger()
                .find(new PeriodId("guard:nightly", "2026-01-05"))
                .orElseThrow())
        .satisfies(periodEntry -> assertThat(periodEntry.state()).isEqualTo(PeriodState.SUCCEEDED))
        .satisfies(periodEntry -> assertThat(periodEntry.hold().executionId()).isEqualTo(first));
  }

  @Test
  void aQuestionThatCannotBeAnsweredFailsWithItsReason() {
    run(PeriodLedgerWorkflow.definition());

    long id =
        start(
            StartRequest.of(
                PeriodLedgerWorkflow.TYPE, new Request("w", null, "Nowhere/Land", null, null)));
    engine.runUntilIdle();

    assertThat(status(id)).isEqualTo(InstanceStatus.FAILED);
    assertThat(last(id).outcome().reason()).contains("Nowhere/Land");
  }
}
