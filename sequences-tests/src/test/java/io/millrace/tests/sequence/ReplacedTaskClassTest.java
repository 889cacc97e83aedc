package io.millrace.tests.sequence;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Engine;
import io.millrace.fixtures.TestDatabase;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.OperatorAction;
import io.millrace.schedule.Frequency;
import io.millrace.schedule.Schedule;
import io.millrace.sequence.Task;
import io.millrace.sequence.TaskContext;
import io.millrace.sequence.TaskHandler;
import io.millrace.sequence.TaskSequence;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Tests of a task class that has replaced another one and is requested by several threads at once.
 */
@Timeout(300)
@Tag("races")
class ReplacedTaskClassTest {

  private static final String COMPONENT = "com.example.Replaced";
  private static final Duration LIMIT = Duration.ofSeconds(30);

  private static final Queue<String> CALLS = new ConcurrentLinkedQueue<>();
  private static final AtomicInteger INITIALIZATIONS = new AtomicInteger();
  private static CountDownLatch begun;
  private static CountDownLatch mayEnd;
  private static volatile boolean fails;
  private static volatile boolean ready;

  private final Queue<Thread> asking = new ConcurrentLinkedQueue<>();
  private volatile Class<?> present = Old.class;

  @BeforeEach
  void begin() {
    CALLS.clear();
    INITIALIZATIONS.set(0);
    begun = new CountDownLatch(1);
    mayEnd = new CountDownLatch(1);
    fails = false;
    ready = false;
  }

  /** The original class. */
  public static final class Old implements TaskHandler {
    @Override
    public void execute(TaskContext task) {
      CALLS.add("old");
    }
  }

  /** The class that replaces it. */
  public static final class New implements TaskHandler {
    @Override
    public void initialize() throws Exception {
      INITIALIZATIONS.incrementAndGet();
      begun.countDown();
      assertThat(mayEnd.await(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
      if (fails) {
        throw new StackOverflowError("planned");
      }
      ready = true;
    }

    @Override
    public void execute(TaskContext task) {
      CALLS.add("new " + ready);
    }
  }

  private Class<?> find(String name) {
    if (!name.equals(COMPONENT)) {
      return null;
    }
    if (present.equals(New.class)) {
      asking.add(Thread.currentThread());
    }
    return present;
  }

  /** Replaces the task's class, and runs it in several sequences at a time. */
  private void run(int sequences) throws Exception {
    try (TestDatabase database = TestDatabase.h2();
        Engine engine =
            Engine.builder()
                .dataSource(database.pool())
                .components(this::find)
                .task(Task.of("KPI", "Report").component(COMPONENT))
                .start()) {
      List<String> ids = IntStream.range(0, sequences).mapToObj(i -> "Report_" + i).toList();
      for (String id : ids) {
        engine
            .sequences()
            .add(
                TaskSequence.of(id, "Report", Schedule.of(Frequency.DAILY))
                    .task("KPI")
                    .active(false));
      }
      present = New.class;
      List<Long> executions =
          ids.stream()
              .map(id -> engine.sequences().run(id, Map.of(), OperatorAction.by("ann", "because")))
              .toList();
      assertThat(begun.await(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
      untilAllWait(sequences);
      mayEnd.countDown();
      for (long execution : executions) {
        assertThat(engine.client().await(execution, LIMIT).status())
            .isEqualTo(InstanceStatus.FINISHED);
      }
    }
  }

  /** Waits until all threads wait, or until one has continued, which it must not. */
  private void untilAllWait(int threads) {
    while (CALLS.isEmpty()
        && (asking.size() < threads
            || !asking.stream()
                .allMatch(one ->
                    one.getState() == Thread.State.WAITING
                        || one.getState() == Thread.State.TIMED_WAITING))) {
      Thread.onSpinWait();
    }
  }

  @Test
  void nobodyUsesAClassBeforeItIsInitialized() throws Exception {
    run(3);

    assertThat(CALLS).containsExactly("new true", "new true", "new true");
    assertThat(INITIALIZATIONS).hasValue(1);
  }

  @Test
  void allGoOnWithTheOldClassWhenTheNewOneCannotBeInitialized() throws Exception {
    fails = true;

    run(3);

    assertThat(CALLS).containsExactly("old", "old", "old");
    assertThat(INITIALIZATIONS).hasValue(1);
  }
}
