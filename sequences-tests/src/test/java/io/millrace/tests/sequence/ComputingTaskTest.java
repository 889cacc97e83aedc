package io.millrace.tests.sequence;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Engine;
import io.millrace.fixtures.LongLease;
import io.millrace.fixtures.Patience;
import io.millrace.instance.OperatorAction;
import io.millrace.schedule.Frequency;
import io.millrace.schedule.Schedule;
import io.millrace.sequence.Task;
import io.millrace.sequence.TaskContext;
import io.millrace.sequence.TaskHandler;
import io.millrace.sequence.TaskSequence;
import io.millrace.testing.MemoryStore;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;

/** Tests that CPU-bound tasks run on platform threads, and all others on virtual ones. */
class ComputingTaskTest {

  private static final BlockingQueue<String> RAN = new LinkedBlockingQueue<>();

  private static void note(TaskContext task) {
    RAN.add(task.taskName() + " on virtual thread: " + Thread.currentThread().isVirtual());
  }

  private static final class Heavy implements TaskHandler {
    @Override
    public boolean cpuBound() {
      return true;
    }

    @Override
    public void execute(TaskContext task) {
      note(task);
    }
  }

  /** A CPU-bound task that is registered by the name of its class. */
  public static final class HeavyClass implements TaskHandler {
    @Override
    public boolean cpuBound() {
      return true;
    }

    @Override
    public void execute(TaskContext task) {
      note(task);
    }
  }

  @Test
  void aTaskRunsOnThreadsOfItsKind() throws Exception {
    RAN.clear();
    String className = HeavyClass.class.getName();
    try (Engine engine =
        Engine.builder()
            .store(new MemoryStore(InstantSource.system()))
            .settings(LongLease::of)
            .task(Task.of("LIGHT", "Report"), ComputingTaskTest::note)
            .task(Task.of("HEAVY", "Report"), new Heavy())
            .task(Task.of("CLASS", "Report").component(className))
            .sequence(
                TaskSequence.of("all", "Report", Schedule.of(Frequency.DAILY))
                    .task("LIGHT")
                    .task("HEAVY")
                    .task("CLASS")
                    .active(false))
            .start()) {
      engine.sequences().run("all", Map.of(), OperatorAction.by("ann", "because"));
      assertThat(List.of(Patience.take(RAN), Patience.take(RAN), Patience.take(RAN)))
          .containsExactly(
              "LIGHT on virtual thread: true",
              "HEAVY on virtual thread: false",
              "CLASS on virtual thread: false");
    }
  }
}
