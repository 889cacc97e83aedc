package io.millrace.tests.sequence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.instance.ConflictException;
import io.millrace.instance.InvalidRequestException;
import io.millrace.instance.StatusReason;
import io.millrace.jackson3.Jackson3Codec;
import io.millrace.schedule.DataWindow;
import io.millrace.sequence.ExecutionInput;
import io.millrace.sequence.SequenceStatus;
import io.millrace.sequence.Task;
import io.millrace.sequence.TaskSequence;
import io.millrace.store.SequenceStore;
import io.millrace.store.SequenceStore.SequenceSpec;
import io.millrace.store.SequenceStore.StoredSequence;
import io.millrace.store.Store;
import io.millrace.store.TaskStore;
import io.millrace.testing.ManualEngine;
import io.millrace.testing.MemoryStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Tests of tasks and sequences as they are registered, changed and rejected. */
class SequenceServiceTest extends SequenceFixture {

  @Test
  void aSequenceWhoseExecutionsWouldBeTooLargeIsRefused() {
    runTasks("A");
    String value = "x".repeat(600_000);
    TaskSequence small = sequence(DAILY, "A").parameter("p", value);
    TaskSequence large =
        TaskSequence.of(ID, TYPE, DAILY).parameter("p", value).task("A", Map.of("q", value));
    String[] expected = {
      "sequence '" + ID + "'", "1200", "expected at most 1048576", "store a reference to it"
    };

    assertThatThrownBy(() -> sequences().add(large))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContainingAll(expected);
    assertThat(sequences().find(ID)).isEmpty();

    sequences().add(small);
    assertThatThrownBy(() -> sequences().update(large, null))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContainingAll(expected);
    assertThat(get().sequence()).isEqualTo(small);
  }

  @Test
  void theLargestSequenceThatIsAcceptedCanBeFiredForEveryCause() {
    runTasks("A");
    Instant latest = Instant.parse("9999-12-31T23:59:59.999999Z");
    ExecutionInput input =
        new ExecutionInput(
            ID,
            TYPE,
            new DataWindow(latest.minusSeconds(1), latest),
            new ExecutionInput.Fire(latest, "schedule", "DAILY"),
            Map.of("p", ""),
            Map.of());
    int room = 1_048_576 - new Jackson3Codec().encode(input).length();

    sequences().add(sequence(DAILY, "A").parameter("p", "x".repeat(room)));

    assertThatThrownBy(() ->
            sequences().update(sequence(DAILY, "A").parameter("p", "x".repeat(room + 1)), null))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("expected at most 1048576");
  }

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
  void aChangeOfATaskThatACrashHasCutOffIsFinishedByTheNextNode() {
    List<Store> stores = new ArrayList<>();
    run(
        ManualEngine.defaultSettings(),
        clock -> {
          stores.add(new MemoryStore(clock));
          return stores.getFirst();
        },
        builder ->
            builder
                .task(Task.of("KPI", TYPE), logging("old"))
                .task(Task.of("NEW", TYPE), logging("new")));
    sequences().add(sequence(DAILY, "KPI"));
    TaskStore.StoredTask before = stores.getFirst().role(TaskStore.class).tasks().getFirst();
    stores
        .getFirst()
        .role(TaskStore.class)
        .update(
            new TaskStore.StoredTask(
                before.id(),
                before.name(),
                before.type(),
                new TaskStore.HandlerReference(null, "NEW"),
                before.dependency(),
                before.options(),
                before.revision()));

    sequences().tasks().save(Task.of("KPI", TYPE).component("NEW"));
    int revision = stores.getFirst().role(SequenceStore.class).find(ID).orElseThrow().revision();
    sequences().tasks().save(Task.of("KPI", TYPE).component("NEW"));

    assertThat(stores.getFirst().role(SequenceStore.class).find(ID).orElseThrow().revision())
        .isEqualTo(revision);
    engine.advance(DAY);
    assertThat(log).singleElement().asString().startsWith("new");
  }

  @Test
  void oneThatCannotRunKeepsNobodyElseFromRunning() {
    runTasks("KPI");
    sequences().tasks().add(Task.of("LOST", TYPE).component("com.example.Missing"));
    sequences().add(sequence("A_lost", DAILY, "LOST"));
    sequences().add(sequence("Z_fine", DAILY, "KPI"));

    engine.advance(DAY);

    assertThat(log).hasSize(1);
    assertThat(sequences().get("A_lost").status()).isEqualTo(SequenceStatus.TASK_INITIALIZE_ERROR);
    long waiting = sequences().get("A_lost").last().executionId();
    assertThat(engine.client().statusReason(waiting))
        .isInstanceOf(StatusReason.NoMatchingExecutor.class);
  }

  @Test
  void allThatLackTheSameComponentAreLeftToOtherNodes() {
    runTasks("KPI");
    sequences().tasks().add(Task.of("LOST", TYPE).component("com.example.Missing"));
    sequences().add(sequence("A_lost", DAILY, "LOST"));
    sequences().add(sequence("B_lost", DAILY, "KPI", "LOST"));

    engine.advance(DAY);

    assertThat(sequences().get("A_lost").status()).isEqualTo(SequenceStatus.TASK_INITIALIZE_ERROR);
    assertThat(sequences().get("B_lost").status()).isEqualTo(SequenceStatus.TASK_INITIALIZE_ERROR);
  }

  @Test
  void manySequencesOfTheSameTasksAreOneDefinition() {
    runTasks("KPI", "PDF");
    for (int i = 0; i < 20; i++) {
      sequences().add(sequence("Report_" + i, DAILY, "KPI", "PDF"));
    }

    engine.advance(DAY);

    assertThat(log).hasSize(40);
    assertThat(engine.client().definitions())
        .extracting(one -> one.type())
        .containsExactlyInAnyOrder(TYPE, "millrace-backfill");
    assertThat(executions()).extracting(one -> one.id()).doesNotHaveDuplicates();
  }

  @Test
  void aSequenceThatWasStoredWithoutItsDefinitionIsMadeRunnable() {
    SequenceStore store = runOnAStore();
    sequences().add(sequence(DAILY, "KPI"));
    store.update(stored(store, ID, store.find(ID).orElseThrow().sequenceTasks()));

    engine.advance(DAY);

    assertThat(log).containsExactly("KPI 2026-01-05T00:00:00Z 2026-01-06T00:00:00Z");
  }

  @Test
  void aSequenceThatWasStoredWithoutTasksKeepsNobodyElseFromRunning() {
    SequenceStore store = runOnAStore();
    sequences().add(sequence("A_empty", DAILY, "KPI"));
    store.update(stored(store, "A_empty", List.of()));
    sequences().add(sequence("Z_fine", DAILY, "KPI"));

    engine.advance(DAY);

    assertThat(log).hasSize(1);
    assertThat(sequences().get("A_empty").status()).isEqualTo(SequenceStatus.NOT_STARTED);
  }

  @Test
  void thatASequenceCannotBeRunIsSaidOnceUntilItCould() {
    SequenceStore store = runOnAStore();
    sequences().add(sequence(DAILY, "KPI"));
    List<SequenceStore.StoredSequenceTask> sequenceTasks =
        store.find(ID).orElseThrow().sequenceTasks();
    store.update(stored(store, ID, List.of()));
    assertThat(logOf(() -> engine.advance(DAY))).containsOnlyOnce("'" + ID + "' cannot be run");

    store.update(stored(store, ID, sequenceTasks));
    engine.advance(DAY);
    store.update(stored(store, ID, List.of()));
    assertThat(logOf(() -> engine.advance(DAY))).containsOnlyOnce("'" + ID + "' cannot be run");
  }

  private SequenceStore runOnAStore() {
    List<Store> stores = new ArrayList<>();
    run(
        ManualEngine.defaultSettings(),
        clock -> {
          stores.add(new MemoryStore(clock));
          return stores.getFirst();
        },
        builder -> builder.task(Task.of("KPI", TYPE), logging("KPI")));
    return stores.getFirst().role(SequenceStore.class);
  }

  /** Returns a sequence with other steps and without its definition, as a user writes it by SQL. */
  private static StoredSequence stored(
      SequenceStore store,
      String sequenceId,
      List<SequenceStore.StoredSequenceTask> sequenceTasks) {
    StoredSequence row = store.find(sequenceId).orElseThrow();
    SequenceSpec spec = row.spec();
    return new StoredSequence(
        sequenceId,
        TYPE,
        new SequenceSpec(
            sequenceTasks,
            spec.scheduleType(),
            spec.schedule(),
            spec.parameters(),
            null,
            row.executorGroup()),
        row.flags(),
        row.times(),
        null,
        row.revision());
  }

  @Test
  void aRunningSequenceIsNotRemoved() {
    run(builder ->
        builder.task(
            Task.of("KPI", TYPE),
            task -> {
              throw new IllegalStateException("again later");
            }));
    sequences().add(sequence(DAILY, "KPI"));
    advanceTo("2026-01-06T00:00:02Z");

    assertThatThrownBy(() -> sequences().remove(ID))
        .isInstanceOf(ConflictException.class)
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
        "positions [1, 3], expected 1 to 2 without gaps");
    sequences().add(sequence(DAILY, "KPI"));
    assertConflict(() -> sequences().add(sequence(DAILY, "KPI")), "already");
    assertRefused(() -> sequences().get("Nobody"), "no sequence 'Nobody'");
    int id = sequences().tasks().find("KPI").orElseThrow().id();
    assertConflict(() -> sequences().tasks().remove(id), "in use by [" + ID + "]");
    assertConflict(() -> sequences().tasks().removeType(TYPE), "in use");
    assertConflict(() -> sequences().tasks().add(Task.of("KPI", TYPE)), "a task 'KPI' already");
  }

  @Test
  void twoTasksShareAChannelOnlyWhenBothSaySo() {
    runTasks();
    Task.Options shared = new Task.Options(null, null, null, true, 0, Map.of());
    sequences().tasks().add(Task.of("A", TYPE).channel("a.channel"));
    assertConflict(
        () -> sequences().tasks().add(Task.of("B", TYPE).channel("a.channel").options(shared)),
        "has the channel 'a.channel' of task 'A'");
    sequences().tasks().add(Task.of("C", TYPE).channel("c").options(shared));
    sequences().tasks().add(Task.of("D", TYPE).channel("c").options(shared));
    assertThat(sequences().tasks().list()).hasSize(3);
  }

  @Test
  void channelsThatCannotHaveAQueueOfTheirOwnAreRefused() {
    runTasks();
    Task.Options shared = new Task.Options(null, null, null, true, 0, Map.of());
    var present = sequences().tasks().add(Task.of("A", TYPE).channel("A.B").options(shared));
    String words = "has the channel 'A_B', which would share a queue with the channel 'A.B'";

    assertConflict(
        () -> sequences().tasks().add(Task.of("B", TYPE).channel("A_B").options(shared)), words);
    assertConflict(
        () ->
            sequences()
                .tasks()
                .update(present.id(), present.revision(), present.task().channel("A_B")),
        words);
    assertRefused(
        () -> sequences().tasks().add(Task.of("C", TYPE).channel("amq.direct")),
        "'amq.direct', expected one that does not begin with 'amq.'");
    assertThat(sequences().tasks().list()).containsExactly(present);
  }

  @Test
  void aSequenceWithoutItsDefinitionIsRunAsItsTasksSay() {
    SequenceStore store = runOnAStore();
    sequences().tasks().add(Task.of("PDF", TYPE).component("KPI"));
    sequences().add(sequence(DAILY, "KPI"));
    sequences().add(sequence("Longer", DAILY, "PDF", "PDF"));
    store.update(stored(store, ID, store.find(ID).orElseThrow().sequenceTasks()));

    sequences().run(ID, Map.of(), BY_ANN);
    engine.advance(Duration.ofMinutes(1));

    assertThat(log).hasSize(1);
  }

  @Test
  void aChangeThatIsBasedOnAnOldSequenceIsRefused() {
    runTasks("KPI", "PDF");
    String tag = sequences().add(sequence(DAILY, "KPI")).tag();
    engine.advance(DAY);
    assertThat(get().tag()).isEqualTo(tag);
    sequences().update(sequence(DAILY, "KPI", "PDF"), tag);

    assertThatThrownBy(() -> sequences().update(sequence(DAILY, "PDF"), tag))
        .hasMessageContaining("was changed by another user or program");
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

  private static TaskSequence.SequenceTask step(String task) {
    return new TaskSequence.SequenceTask(task, Map.of());
  }

  private static void assertConflict(ThrowingCallable call, String words) {
    assertThatThrownBy(call).isInstanceOf(ConflictException.class).hasMessageContaining(words);
  }

  private static void assertRefused(ThrowingCallable call, String words) {
    assertThatThrownBy(call)
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining(words);
  }
}
