package io.millrace.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.definition.Next;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.instance.HistoryEntryType;
import io.millrace.instance.InstanceStatus;
import io.millrace.lifecycle.EngineSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AttemptRunnerTest {

  private final FakeRuntime fake = new FakeRuntime();
  private final List<String> ran = new ArrayList<>();
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
              .manual("desk")
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
    LeasedInstances leasedInstances =
        new LeasedInstances(new OrphanedHandlers(fake, Duration.ofSeconds(15)));
    return new AttemptRunner(
        engine,
        new TransitionFactory(engine),
        new AttemptServices(null, null, null, new StopRequest(engine, leasedInstances), null));
  }

  /**
   * If the attempt did not exist when the others were cancelled, nothing would tell its handler to
   * stop.
   */
  @Test
  void aHandlerDoesNotStartAfterItsExecutorHasCancelledTheOthers() {
    leased.stop(false);
    AttemptRunner.PendingTransition transition = attemptRunner().run(leased);

    assertThat(ran).isEmpty();
    assertThat(transition).isNotNull();
    assertThat(transition.save().entry().type()).isEqualTo(HistoryEntryType.ABANDONED);
  }

  @Test
  void anInstanceInAStateThatTheDefinitionLacksIsParked() {
    assertThat(parkedIn("shelf"))
        .isEqualTo(
            "state 'shelf' is not part of workflow t version 1, which has [s, desk]; move the"
                + " instance to one of them");
  }

  @Test
  void anInstanceThatIsDueInAStateWithoutHandlerIsParked() {
    assertThat(parkedIn("desk"))
        .isEqualTo(
            "state 'desk' of workflow t version 1 has no handler, since its type is manual; move"
                + " the instance to a state with a handler");
  }

  /** Runs an instance in a state, and returns the reason with which it is parked. */
  private String parkedIn(String state) {
    leased.state = state;
    AttemptRunner.PendingTransition transition = attemptRunner().run(leased);

    assertThat(ran).isEmpty();
    assertThat(transition).isNotNull();
    assertThat(transition.save().target().status()).isEqualTo(InstanceStatus.MANUAL);
    return transition.save().entry().reason();
  }
}
