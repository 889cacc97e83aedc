package io.millrace.verification.sequence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.instance.InvalidRequestException;
import io.millrace.instance.WhyHere;
import io.millrace.sequence.SequenceStatus;
import io.millrace.sequence.Task;
import io.millrace.sequence.TaskSequence;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Tasks and workflows as they are registered, changed and refused. */
class SequenceBookTest extends SequenceFixture {

  @Test
  void aChangedTaskCountsForTheNextExecution() {
    run(builder ->
        builder
            .task(Task.of("KPI", TYPE), logging("old"))
            .task(Task.of("NEW", TYPE), logging("new")));
    sequences().add(sequence(DAILY, "KPI"));
    engine.advance(DAY);
    var task = sequences().tasks().find("KPI").orElseThrow();

    sequences().tasks().update(task.id(), task.revision(), task.task().component("NEW"));
    engine.advance(DAY);

    assertThat(log).extracting(line -> line.substring(0, 3)).containsExactly("old", "new");
  }

  @Test
  void oneThatCannotRunKeepsNobodyElseFromRunning() {
    runTasks("KPI");
    sequences().tasks().add(Task.of("LOST", TYPE).component("com.example.Missing"));
    sequences().add(sequence("A_lost", DAILY, "LOST"));
    sequences().add(sequence("Z_fine", DAILY, "KPI"));

    engine.advance(DAY);

    assertThat(log).hasSize(1);
    assertThat(sequences().get("A_lost").status()).isEqualTo(SequenceStatus.IN_PROGRESS);
    long waiting = sequences().get("A_lost").last().executionId();
    assertThat(engine.client().whyHere(waiting)).isInstanceOf(WhyHere.UnknownType.class);
  }

  @Test
  void manyWorkflowsOfTheSameTasksAreOneDefinition() {
    runTasks("KPI", "PDF");
    for (int i = 0; i < 20; i++) {
      sequences().add(sequence("Report_" + i, DAILY, "KPI", "PDF"));
    }

    engine.advance(DAY);

    assertThat(log).hasSize(40);
    assertThat(engine.client().definitions()).hasSize(1);
    assertThat(executions()).extracting(one -> one.id()).doesNotHaveDuplicates();
  }

  @Test
  void aRunningWorkflowIsNotRemoved() {
    run(builder ->
        builder.task(
            Task.of("KPI", TYPE),
            task -> {
              throw new IllegalStateException("again later");
            }));
    sequences().add(sequence(DAILY, "KPI"));
    until("2026-01-06T00:00:02Z");

    assertThatThrownBy(() -> sequences().remove(ID))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("cannot be removed");

    engine.client().cancel(execution(), BY_ANN);
    engine.advance(Duration.ofMinutes(1));
    sequences().remove(ID);
    assertThat(sequences().find(ID)).isEmpty();
  }

  @Test
  void whatIsWrongIsRefusedWithItsName() {
    runTasks("KPI");
    assertRefused(() -> sequences().add(sequence(DAILY)), "'" + ID + "' has no tasks");
    assertRefused(() -> sequences().add(sequence(DAILY, "PDF")), "'PDF', which is not registered");
    assertRefused(
        () -> sequences().add(sequence("x".repeat(300), DAILY, "KPI")), "at most 149 letters");
    assertRefused(
        () -> sequences().add(TaskSequence.of(ID, "Other", DAILY).task("KPI")),
        "is of type 'Other', but its task 'KPI' is of type 'Report'");
    assertRefused(
        () -> TaskSequence.of(ID, TYPE, DAILY).tasks(Map.of(1, step("KPI"), 3, step("KPI"))),
        "places [1, 3], expected 1 to 2 without gaps");
    sequences().add(sequence(DAILY, "KPI"));
    assertRefused(() -> sequences().add(sequence(DAILY, "KPI")), "already");
    assertRefused(() -> sequences().get("Nobody"), "no workflow 'Nobody'");
    int id = sequences().tasks().find("KPI").orElseThrow().id();
    assertRefused(() -> sequences().tasks().remove(id), "in use by [" + ID + "]");
    assertRefused(() -> sequences().tasks().removeType(TYPE), "in use");
    assertRefused(() -> sequences().tasks().add(Task.of("KPI", TYPE)), "a task 'KPI' already");
  }

  @Test
  void twoTasksShareAChannelOnlyWhenBothSaySo() {
    runTasks();
    Task.Options shared = new Task.Options(null, null, null, true, 0, Map.of());
    sequences().tasks().add(Task.of("A", TYPE).channel("a.channel"));
    assertRefused(
        () -> sequences().tasks().add(Task.of("B", TYPE).channel("a.channel").options(shared)),
        "has the channel 'a.channel' of task 'A'");
    sequences().tasks().add(Task.of("C", TYPE).channel("c").options(shared));
    sequences().tasks().add(Task.of("D", TYPE).channel("c").options(shared));
    assertThat(sequences().tasks().list()).hasSize(3);
  }

  @Test
  void aChangeThatIsBasedOnAnOldWorkflowIsRefused() {
    runTasks("KPI", "PDF");
    String tag = sequences().add(sequence(DAILY, "KPI")).tag();
    engine.advance(DAY);
    assertThat(get().tag()).isEqualTo(tag);
    sequences().update(sequence(DAILY, "KPI", "PDF"), tag);

    assertThatThrownBy(() -> sequences().update(sequence(DAILY, "PDF"), tag))
        .hasMessageContaining("was changed by somebody else");
  }

  @Test
  void theSameFromCodeChangesNothing() {
    runTasks("KPI");
    var first = sequences().save(sequence(DAILY, "KPI"));
    Instant next = first.times().nextRun();
    engine.advance(Duration.ofHours(1));

    sequences().pause(ID, BY_ANN);
    assertThat(sequences().save(sequence(DAILY, "KPI")).times().nextRun()).isEqualTo(next);
    assertThat(get().flags().pausedBy()).isEqualTo("ann");
    sequences().activate(ID, false);
    assertThat(sequences().save(sequence(DAILY, "KPI")).flags().active()).isTrue();
    assertThat(List.of(sequences().tasks().types())).containsExactly(List.of(TYPE));
  }

  private static TaskSequence.Step step(String task) {
    return new TaskSequence.Step(task, Map.of());
  }

  private static void assertRefused(ThrowingCallable call, String words) {
    assertThatThrownBy(call)
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining(words);
  }
}
