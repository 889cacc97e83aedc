package io.millrace.tests.sequence;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Engine;
import io.millrace.fixtures.LongLease;
import io.millrace.fixtures.Patience;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.OperatorAction;
import io.millrace.instance.WorkflowInstance;
import io.millrace.schedule.Frequency;
import io.millrace.schedule.Schedule;
import io.millrace.sequence.Task;
import io.millrace.sequence.TaskContext;
import io.millrace.sequence.TaskSequence;
import io.millrace.testing.MemoryStore;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Tests of the time limit that a task sets for its attempts, on real threads. */
class TaskTimeoutTest {

  private static final Task.Options SHORT = new Task.Options(0, null, 200L, false, 0, Map.of());

  private final CountDownLatch never = new CountDownLatch(1);
  private final CountDownLatch interrupted = new CountDownLatch(1);

  private void block(TaskContext task) throws InterruptedException {
    try {
      never.await();
    } catch (InterruptedException e) {
      interrupted.countDown();
      throw e;
    }
  }

  @Test
  void aTaskThatIsBlockedIsInterruptedAndFails() throws InterruptedException {
    try (Engine engine =
        Engine.builder()
            .store(new MemoryStore(InstantSource.system()))
            // The interval at which running handlers are checked.
            .settings(s -> LongLease.of(s).stuckAfter(Duration.ofMillis(100)))
            .task(Task.of("KPI", "Report").options(SHORT), this::block)
            .sequence(
                TaskSequence.of("all", "Report", Schedule.of(Frequency.DAILY))
                    .task("KPI")
                    .active(false))
            .start()) {
      long id = engine.sequences().run("all", Map.of(), OperatorAction.by("ann", "because"));

      Patience.await(interrupted);
      WorkflowInstance ended = engine.client().await(id, Patience.LIMIT);

      assertThat(ended.status()).isEqualTo(InstanceStatus.FAILED);
      // On a slow machine the attempt may time out before the task itself reports the reason.
      assertThat(ended.reason()).contains("timeout of PT0.2S");
    }
  }
}
