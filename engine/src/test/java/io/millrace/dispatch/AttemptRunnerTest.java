package io.millrace.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.definition.Next;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.instance.HistoryEntryType;
import io.millrace.lifecycle.EngineSettings;
import io.millrace.store.StoreException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AttemptRunnerTest {

  private final FakeRuntime fake = new FakeRuntime();
  private final List<String> ran = new ArrayList<>();
  private final List<AttemptRunner.Outcome> outcomes = new ArrayList<>();
  private final LeasedInstance leased =
      HeldInstances.of(
          1,
          WorkflowDefinition.of("t")
              .start(
                  "s",
                  ctx -> {
                    ran.add(ctx.state());
                    return Next.done("done");
                  })
              .build());

  private AttemptRunner attemptRunner() {
    EngineContext engine =
        new EngineContext(
            null,
            fake.runtime(),
            EngineSettings.defaults(),
            null,
            null,
            new EngineEventPublisher(List.of()),
            List.of());
    return new AttemptRunner(
        engine,
        new TransitionFactory(engine),
        new DefaultStateContext.Services(null, null, null, new StopSignalSource(fake), null),
        new AttemptRunner.OutcomeListener() {
          @Override
          public void ended(LeasedInstance instance, AttemptRunner.Outcome outcome) {
            outcomes.add(outcome);
          }

          @Override
          public void inboxUnavailable(LeasedInstance instance, StoreException fault) {
            throw fault;
          }
        });
  }

  /**
   * If the attempt did not exist when the others were cancelled, nothing would tell its handler to
   * stop.
   */
  @Test
  void aHandlerDoesNotStartAfterItsExecutorHasCancelledTheOthers() {
    leased.stop(false);
    attemptRunner().run(leased);

    assertThat(ran).isEmpty();
    assertThat(outcomes)
        .extracting(outcome -> outcome.save().entry().type())
        .containsExactly(HistoryEntryType.ABANDONED);
  }
}
