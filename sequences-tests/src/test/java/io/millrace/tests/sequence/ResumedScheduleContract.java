package io.millrace.tests.sequence;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.instance.InstanceStatus;
import io.millrace.schedule.OverlapPolicy;
import io.millrace.sequence.SequenceSettings;
import io.millrace.sequence.SequenceStatus;
import io.millrace.sequence.Task;
import io.millrace.testing.ManualEngine;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests of a schedule after an operator has resumed its failed execution. */
abstract class ResumedScheduleContract extends SequenceFixture {

  /** Time between heartbeats and between polls, long so that the days pass quickly. */
  private static final Duration HOUR = Duration.ofHours(1);

  private final EngineStoreKind kind;
  private EngineStoreKind.OpenedStore openedStore;
  private boolean broken = true;

  ResumedScheduleContract(EngineStoreKind kind) {
    this.kind = kind;
  }

  @AfterEach
  void closeStore() {
    close();
    openedStore.close();
  }

  /**
   * Returns an execution that fails on 6 January. The slot of the 7th comes before it is resumed,
   * and it does not end.
   */
  private long resumed(OverlapPolicy overlapPolicy) {
    run(
        ManualEngine.defaultSettings().lease(HOUR.multipliedBy(6), HOUR).maxSleep(HOUR),
        clock -> {
          openedStore = kind.open(clock);
          return openedStore.store();
        },
        builder ->
            builder
                .sequences(SequenceSettings.defaults().maxTaskRetries(0))
                .task(
                    Task.of("KPI", TYPE),
                    task -> {
                      if (broken) {
                        throw new IllegalStateException("planned");
                      }
                      log.add("KPI " + task.window().from());
                    }));
    sequences().add(sequence(DAILY.overlap(overlapPolicy), "KPI"));
    advanceTo("2026-01-07T12:00:00Z");
    assertThat(status()).isEqualTo(SequenceStatus.ABORTED);
    long execution = execution();
    broken = false;
    engine.client().retry(execution, BY_ANN);
    engine.client().pause(execution, BY_ANN);
    advanceTo("2026-01-07T18:00:00Z");
    assertThat(engine.client().get(execution).status()).isEqualTo(InstanceStatus.PAUSED);
    assertThat(get().times().nextRun()).isEqualTo("2026-01-07T00:00:01Z");
    assertThat(get().times().due()).isEqualTo("2026-01-08T00:00:01Z");
    return execution;
  }

  @Test
  void theNextSlotCancelsIt() {
    long execution = resumed(OverlapPolicy.CANCEL);

    advanceTo("2026-01-08T01:00:00Z");

    assertThat(engine.client().get(execution).status()).isEqualTo(InstanceStatus.CANCELLED);
    assertThat(log).containsExactly("KPI 2026-01-07T00:00:00Z");
    assertThat(status()).isEqualTo(SequenceStatus.COMPLETED);
    assertThat(sequences().slotRecords(ID, null, 10))
        .extracting(stored -> stored.slotRecord().outcome() + " " + stored.slotRecord().slot())
        .containsExactly(
            "FIRED 2026-01-08T00:00:01Z",
            "MISSED 2026-01-07T00:00:01Z",
            "FIRED 2026-01-06T00:00:01Z");
  }

  @Test
  void theNextSlotRunsBesideIt() {
    long execution = resumed(OverlapPolicy.ALLOW);

    advanceTo("2026-01-08T01:00:00Z");

    assertThat(engine.client().get(execution).status()).isEqualTo(InstanceStatus.PAUSED);
    assertThat(log).containsExactly("KPI 2026-01-07T00:00:00Z");
  }

  @Test
  void whatCameMeanwhileRunsWhenItEnds() {
    long execution = resumed(OverlapPolicy.CANCEL);

    engine.client().resume(execution, BY_ANN);
    advanceTo("2026-01-07T19:00:00Z");

    assertThat(log).containsExactly("KPI 2026-01-05T00:00:00Z", "KPI 2026-01-06T00:00:00Z");
    assertThat(get().times().due()).isEqualTo("2026-01-08T00:00:01Z");
  }
}
