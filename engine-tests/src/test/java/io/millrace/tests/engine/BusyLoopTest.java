package io.millrace.tests.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.definition.Next;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.fixtures.EngineFixture;
import io.millrace.instance.InstanceStatus;
import io.millrace.testing.ManualEngine;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tests of instances that move in circles. */
class BusyLoopTest extends EngineFixture {

  private final WorkflowDefinition looping =
      job(
              ctx -> {
                int n = ctx.find("n", Integer.class).orElse(0) + 1;
                ctx.set("n", n);
                log.add("loop");
                return n < 1_000 ? Next.moveTo("work", "again") : Next.moveTo("end", "over");
              })
          .build();

  private final WorkflowDefinition quick =
      WorkflowDefinition.of("quick")
          .start(
              "a",
              ctx -> {
                log.add("quick");
                return Next.done("x");
              })
          .build();

  @Test
  void aThousandMovesToItselfFinish() {
    run(looping);
    long id = start("job");
    engine.advance(Duration.ofMinutes(1));
    assertThat(status(id)).isEqualTo(InstanceStatus.FINISHED);
    assertThat(log).hasSize(1_000);
    assertThat(get(id).seq()).isEqualTo(1_000);
  }

  @Test
  void aQuickCircleIsSlowedDown() {
    run(looping);
    long id = startAndRun();
    assertThat(log).hasSize(100);
    assertThat(get(id).nextActivation()).isEqualTo(ManualEngine.START.plusSeconds(1));
    assertThat(get(id).lease().executorId()).isNull();
  }

  @Test
  void othersGetTheirTurnMeanwhile() {
    run(ManualEngine.defaultSettings().concurrency(1), looping, quick);
    start("job");
    start("quick");
    engine.advance(Duration.ofMinutes(1));
    assertThat(log.indexOf("quick")).isBetween(0, 101);
    assertThat(log).hasSize(1_001);
  }

  @Test
  void aSlowCircleIsNotSlowedDownFurther() {
    run(
        job(
                ctx -> {
                  log.add("loop");
                  engine.clock().advance(Duration.ofMillis(100));
                  return log.size() < 300
                      ? Next.moveTo("work", "again")
                      : Next.moveTo("end", "over");
                })
            .build());
    long id = startAndRun();
    assertThat(status(id)).isEqualTo(InstanceStatus.FINISHED);
    assertThat(engine.clock().instant()).isEqualTo(ManualEngine.START.plus(Duration.ofSeconds(30)));
  }

  @Test
  void theGuardCanBeSet() {
    run(ManualEngine.defaultSettings().busyLoopGuard(10, Duration.ofSeconds(7)), looping);
    long id = startAndRun();
    assertThat(log).hasSize(10);
    assertThat(get(id).nextActivation()).isEqualTo(ManualEngine.START.plusSeconds(7));
  }
}
