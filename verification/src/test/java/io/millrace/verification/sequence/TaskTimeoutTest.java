package io.millrace.verification.sequence;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Engine;
import io.millrace.instance.OperatorAction;
import io.millrace.schedule.Frequency;
import io.millrace.schedule.Schedule;
import io.millrace.sequence.Task;
import io.millrace.sequence.TaskSequence;
import io.millrace.verification.support.TestDatabase;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class TaskTimeoutTest {

  private static final Task.Options SHORT = new Task.Options(0, null, 200L, false, 0, Map.of());

  /** The interrupt that ends the task is not the reason of its failure. */
  @Test
  void theStatusLogOfATaskThatTimedOutNamesTheTimeout() throws Exception {
    CountDownLatch never = new CountDownLatch(1);
    try (TestDatabase database = TestDatabase.postgres();
        Engine engine =
            Engine.builder()
                .dataSource(database.pool())
                .task(Task.of("KPI", "Report").options(SHORT), task -> never.await())
                .start()) {
      engine
          .sequences()
          .add(
              TaskSequence.of("Report_1", "Report", Schedule.of(Frequency.DAILY))
                  .task("KPI")
                  .active(false));
      long id =
          engine.sequences().runNow("Report_1", Map.of(), OperatorAction.by("ann", "because"));
      engine.client().await(id, Duration.ofSeconds(60));
      assertThat(engine.sequences().history("Report_1", null, 10).items())
          .singleElement()
          .satisfies(visit -> {
            assertThat(visit.statusLog())
                .contains("The task was stopped: ")
                .contains("the timeout of PT0.2S has passed");
            assertThat(visit.statusLog().indexOf("timeout"))
                .isLessThan(visit.statusLog().indexOf("InterruptedException"));
          });
    }
  }
}
