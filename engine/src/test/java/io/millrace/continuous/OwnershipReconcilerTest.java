package io.millrace.continuous;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.SingleMethodFake;
import io.millrace.definition.Next;
import io.millrace.dispatch.LocalExecutors;
import io.millrace.extension.EngineServices;
import io.millrace.lifecycle.EngineRuntime;
import io.millrace.lifecycle.EngineSettings;
import io.millrace.store.ContinuousStore;
import io.millrace.store.ContinuousStore.Owner;
import io.millrace.store.StoredContinuousWorkflow;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class OwnershipReconcilerTest {

  private static final long ME = 7;
  private static final Instant NOW = Instant.parse("2026-01-05T08:00:00Z");
  private static final ContinuousWorkflow WORKFLOW =
      ContinuousWorkflow.of("mine", new NeverTrigger()).handler((ctx, event) -> Next.done("ok"));

  private final ContinuousStore store =
      SingleMethodFake.of(ContinuousStore.class, "find", args -> Optional.of(find()));
  private final EngineRuntime runtime = EngineRuntime.system();

  /** Services of which this test uses the clock only. */
  private final EngineServices services =
      new EngineServices(
          new EngineServices.Parts(null, runtime, EngineSettings.defaults(), null, null, null),
          new LocalExecutors(runtime));

  private final TriggerScheduler triggers =
      new TriggerScheduler(services, store, ContinuousSettings.defaults(), run -> {}, run -> {});
  private final TriggerRunRegistry registry = new TriggerRunRegistry(new ExecutionEndTracker());
  private final OwnershipReconciler reconciler =
      new OwnershipReconciler(
          store,
          new ContinuousWorkflowCatalog(List.of(WORKFLOW), ContinuousSettings.defaults()),
          services,
          registry,
          triggers);

  private String position = "1";
  private Runnable afterTheRead = () -> {};

  private static final class NeverTrigger implements Trigger {
    @Override
    public String describe() {
      return "never";
    }

    @Override
    public Source open(TriggerContext scope) {
      return () -> PollResult.waitFor(Duration.ofHours(1));
    }
  }

  private StoredContinuousWorkflow find() {
    StoredContinuousWorkflow read = row();
    afterTheRead.run();
    return read;
  }

  private StoredContinuousWorkflow row() {
    return new StoredContinuousWorkflow(
        new StoredContinuousWorkflow.Identity("mine", "g", "mine", "{}"),
        new StoredContinuousWorkflow.RequestedState(true, null, 1, NOW),
        new StoredContinuousWorkflow.Ownership(ME, 3, null),
        new StoredContinuousWorkflow.Run(1, 1, NOW, NOW, "AutoStart", "BEGIN"),
        new StoredContinuousWorkflow.Activity(0, 0, null, null, null, null),
        position,
        new StoredContinuousWorkflow.Health(0, null, false, null, null, null, null));
  }

  /** The predecessor may still write an event after the read, so that the read position is old. */
  @Test
  void aRunIsNotOpenedAtAPositionThatWasReadBeforeItsPredecessorWasClosed() throws Exception {
    TriggerRun run = new TriggerRun(WORKFLOW, new Owner("mine", ME, 3), row(), triggers);
    registry.put(run);
    run.open();
    assertThat(run.begin()).isTrue();
    reconciler.markDoubtful(run);
    afterTheRead =
        () -> {
          position = "2";
          run.passed("2");
          run.releaseSource();
        };

    reconciler.clear(ME);
    assertThat(registry.find("mine")).isSameAs(run);

    reconciler.clear(ME);
    assertThat(registry.find("mine")).isNotNull().isNotSameAs(run);
    assertThat(registry.find("mine").position()).contains("2");
  }
}
