package io.millrace.verification.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.continuous.RecycleSettings;
import io.millrace.continuous.Rollout;
import io.millrace.continuous.RolloutRequest;
import io.millrace.definition.Next;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.instance.StopReason;
import io.millrace.lifecycle.EngineState;
import io.millrace.testing.ManualEngine;
import io.millrace.testing.MemoryStore;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A node begins anew by itself, once per local date, and its process is told. */
class RecycleTest {

  private final List<StopReason> retired = new ArrayList<>();
  private final WorkflowDefinition job =
      WorkflowDefinition.of("job").start("work", ctx -> Next.done("done")).build();

  private ManualEngine engine(RecycleSettings settings) {
    return ManualEngine.with(
        ManualEngine.defaultSettings()
            .lease(Duration.ofSeconds(10), Duration.ofSeconds(2))
            .nodeName("left"),
        MemoryStore::new,
        builder -> builder.workflows(job).recycle(settings).onRetired(retired::add));
  }

  /** As a supervisor does, who looks every minute. */
  private static void pass(ManualEngine engine, Duration time) {
    for (Duration left = time; left.isPositive(); left = left.minusMinutes(1)) {
      engine.advance(Duration.ofMinutes(1));
      if (engine.engine().state() == EngineState.DRAINED) {
        engine.killExecutor();
      }
    }
  }

  @Test
  void itHappensOnceADay() {
    RecycleSettings daily =
        RecycleSettings.daily(ZoneOffset.UTC)
            .at(LocalTime.of(9, 0), ZoneOffset.UTC, Duration.ofMinutes(30))
            .request(RolloutRequest.all().minReady(Duration.ofMinutes(1)));
    try (ManualEngine engine = engine(daily)) {
      pass(engine, Duration.ofMinutes(59));
      assertThat(retired).isEmpty();

      pass(engine, Duration.ofMinutes(40));
      assertThat(retired).containsExactly(StopReason.RECYCLE);
      List<Rollout> all = engine.engine().nodes().rollouts().list(10);
      assertThat(all).hasSize(1);
      assertThat(all.getFirst().phase()).isEqualTo(Rollout.Phase.COMPLETED);
      assertThat(all.getFirst().reason()).isEqualTo(StopReason.RECYCLE);

      pass(engine, Duration.ofHours(22));
      assertThat(retired).hasSize(1);
      pass(engine, Duration.ofHours(2));
      assertThat(retired).hasSize(2);
    }
  }

  @Test
  void anOldNodeIsRecycledOnceHoweverLongThatTakes() {
    RecycleSettings byAge =
        new RecycleSettings(null, Duration.ofHours(3), null, RolloutRequest.all());
    try (ManualEngine engine = engine(byAge)) {
      pass(engine, Duration.ofHours(2));
      assertThat(retired).isEmpty();
      engine.advance(Duration.ofHours(2));
      assertThat(retired).containsExactly(StopReason.RECYCLE);
      assertThat(engine.engine().nodes().rollouts().list(10)).hasSize(1);
    }
  }
}
