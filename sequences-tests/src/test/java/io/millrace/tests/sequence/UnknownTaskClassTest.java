package io.millrace.tests.sequence;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.sequence.SequenceEntry;
import io.millrace.sequence.SequenceStatus;
import io.millrace.sequence.Task;
import io.millrace.sequence.TaskHandler;
import io.millrace.sequence.TaskSequence;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests of a sequence whose task names a class that no executor has. */
class UnknownTaskClassTest extends SequenceFixture {

  private static final String MISSING = "com.example.Missing";

  private final AtomicBoolean arrived = new AtomicBoolean();

  /** The class behind {@link #MISSING}, once its jar is present. */
  public static final class Late implements TaskHandler {
    @Override
    public void execute(io.millrace.sequence.TaskContext task) {
      task.statusLog("done");
    }
  }

  private void runWithoutClass() {
    run(builder ->
        builder
            .task(Task.of("A", TYPE), logging("A"))
            .task(Task.of("B", TYPE).component(MISSING))
            .components(name -> arrived.get() && name.equals(MISSING) ? Late.class : null));
  }

  private @Nullable String problem() {
    return sequences().reader().get(ID).problem();
  }

  @Test
  void aProblemNamesTaskAndClassAsSoonAsItIsAdded() {
    runWithoutClass();
    String log = logOf(() -> sequences().add(sequence(DAILY, "A", "B")));
    assertThat(log).contains("WARN", ID, "task 'B'", MISSING);
    assertThat(problem()).contains("task 'B'", MISSING);
    assertThat(status()).isEqualTo(SequenceStatus.NOT_STARTED);
    assertThat(sequences().reader().unrunnable())
        .extracting(SequenceEntry::sequenceId)
        .containsExactly(ID);
  }

  @Test
  void aSequenceThatCanBeRunHasNoProblem() {
    runTasks("A");
    sequences().add(sequence(DAILY, "A"));
    assertThat(problem()).isNull();
    assertThat(sequences().reader().unrunnable()).isEmpty();
  }

  @Test
  void itsExecutionHasATaskThatCannotBeInitializedUntilTheClassComes() {
    runWithoutClass();
    sequences().add(sequence(DAILY, "A", "B"));
    engine.advance(DAY);
    engine.advance(Duration.ofMinutes(1));
    assertThat(status()).isEqualTo(SequenceStatus.TASK_INITIALIZE_ERROR);
    assertThat(problem()).contains("task 'B'", MISSING);

    arrived.set(true);
    engine.advance(Duration.ofMinutes(1));
    assertThat(status()).isEqualTo(SequenceStatus.COMPLETED);
    assertThat(problem()).isNull();
    assertThat(sequences().reader().unrunnable()).isEmpty();
  }

  @Test
  void anExecutionOfAClassThatWasCorrectedSaysThatItStillWaits() {
    runWithoutClass();
    sequences().add(sequence(DAILY, "A", "B"));
    engine.advance(DAY);
    engine.advance(Duration.ofMinutes(1));
    sequences().tasks().save(Task.of("B", TYPE).component(Late.class));
    assertThat(status()).isEqualTo(SequenceStatus.TASK_INITIALIZE_ERROR);
    assertThat(problem()).contains("Execution " + execution(), "task 'B'", MISSING);
    assertThat(sequences().reader().unrunnable())
        .extracting(SequenceEntry::sequenceId)
        .containsExactly(ID);
  }

  @Test
  void aChangeThatNamesAnUnknownClassIsWarnedOfToo() {
    runWithoutClass();
    sequences().add(sequence(DAILY, "A"));
    TaskSequence changed = sequence(DAILY, "A", "B");
    String log = logOf(() -> sequences().update(changed, null));
    assertThat(log).contains("WARN", ID, "task 'B'", MISSING);
    assertThat(problem()).contains("task 'B'", MISSING);
  }
}
