package io.millrace.tests.sequence;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Engine;
import io.millrace.instance.OperatorAction;
import io.millrace.schedule.Frequency;
import io.millrace.schedule.Schedule;
import io.millrace.sequence.Task;
import io.millrace.sequence.TaskContext;
import io.millrace.sequence.TaskHandler;
import io.millrace.sequence.TaskSequence;
import io.millrace.testing.MemoryStore;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Tests that a sequence can run once it has been added, even while another thread prepares its
 * tasks.
 */
@Timeout(300)
@Tag("races")
class CompiledSequenceRaceTest {

  private final CountDownLatch preparing = new CountDownLatch(1);
  private final CountDownLatch prepared = new CountDownLatch(1);

  private final TaskHandler slow =
      new TaskHandler() {
        @Override
        public void initialize() throws InterruptedException {
          preparing.countDown();
          prepared.await();
        }

        @Override
        public void execute(TaskContext task) {}
      };

  private static TaskSequence sequence(String id) {
    return TaskSequence.of(id, "Report", Schedule.of(Frequency.DAILY)).task("KPI").active(false);
  }

  @Test
  void anAddedSequenceIsRunWhileAnotherThreadPreparesItsTasks() throws Exception {
    try (Engine engine =
        Engine.builder()
            .store(new MemoryStore(InstantSource.system()))
            .task(Task.of("KPI", "Report"), slow)
            .start()) {
      Thread first = Thread.ofPlatform().start(() -> engine.sequences().add(sequence("first")));
      preparing.await();

      FutureTask<Long> run =
          new FutureTask<>(() -> {
            engine.sequences().add(sequence("second"));
            return engine.sequences().run("second", Map.of(), OperatorAction.by("ann", "because"));
          });
      Thread second = Thread.ofPlatform().start(run);
      while (second.getState() != Thread.State.BLOCKED && second.isAlive()) {
        Thread.onSpinWait();
      }
      prepared.countDown();

      assertThat(run.get()).isPositive();
      first.join();
    }
  }
}
