package io.millrace.tests.sequence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.definition.DefinitionException;
import io.millrace.definition.Next;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.instance.ConflictException;
import io.millrace.instance.InvalidRequestException;
import io.millrace.instance.StartRequest;
import io.millrace.sequence.SequenceStatus;
import io.millrace.sequence.Task;
import io.millrace.sequence.TaskSequence;
import io.millrace.sequence.TaskService;
import io.millrace.store.SequenceStore;
import io.millrace.store.Store;
import io.millrace.store.TaskStore;
import io.millrace.store.TaskStore.CompiledState;
import io.millrace.store.TaskStore.StoredCompiledSequence;
import io.millrace.testing.ManualEngine;
import io.millrace.testing.MemoryStore;
import io.millrace.testing.SettableClock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that sequences of tasks and workflows defined in code never run each other's instances. */
class TaskTypesTest extends SequenceFixture {

  private static final String ORDER = "order";

  private Store store;

  private WorkflowDefinition order() {
    return WorkflowDefinition.of(ORDER)
        .start(
            "ship",
            ctx -> {
              log.add("shipped");
              return Next.done("shipped");
            })
        .build();
  }

  private void runWithOrder() {
    run(
        ManualEngine.defaultSettings(),
        this::opened,
        builder ->
            builder.workflows(order()).handler("PACK", logging("PACK")).task(Task.of("KPI", TYPE)));
  }

  private Store opened(SettableClock clock) {
    if (store == null) {
      store = new MemoryStore(clock);
    }
    return store;
  }

  private TaskService tasks() {
    return sequences().tasks();
  }

  @Test
  void tasksDoNotTakeTheTypeOfAnotherSequence() {
    runWithOrder();
    var kpi = tasks().find("KPI").orElseThrow();

    assertThatThrownBy(() -> tasks().addType(ORDER))
        .isInstanceOf(ConflictException.class)
        .hasMessageContaining("the type 'order'")
        .hasMessageContaining("workflow 'order' version 1")
        .hasMessageContaining("Choose another type");
    assertThatThrownBy(() -> tasks().add(Task.of("PACK", ORDER)))
        .isInstanceOf(ConflictException.class);
    assertThatThrownBy(() -> tasks().save(Task.of("PACK", ORDER)))
        .isInstanceOf(ConflictException.class);
    assertThatThrownBy(() -> tasks().update(kpi.id(), kpi.revision(), Task.of("KPI", ORDER)))
        .isInstanceOf(ConflictException.class);

    assertThat(tasks().types()).containsExactly(TYPE);
    assertThat(tasks().list()).containsExactly(kpi);
  }

  @Test
  void whatOnlyTheDatabaseKnowsIsRefusedToo() {
    runWithOrder();
    engine.close();

    run(ManualEngine.defaultSettings(), clock -> store, builder -> builder);

    assertThatThrownBy(() -> tasks().add(Task.of("PACK", ORDER)))
        .isInstanceOf(ConflictException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"millrace-backfill", "millrace-bulk", "millrace-anything"})
  void tasksDoNotTakeATypeOfMillraceItself(String type) {
    runTasks("KPI");

    assertThatThrownBy(() -> tasks().addType(type))
        .isExactlyInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("'" + type + "'")
        .hasMessageContaining("does not begin with 'millrace-'");
    assertThatThrownBy(() -> tasks().add(Task.of("PACK", type)))
        .isExactlyInstanceOf(InvalidRequestException.class);
    assertThat(tasks().types()).containsExactly(TYPE);
  }

  @Test
  void aTypeWithSequencesTakesMoreTasks() {
    runTasks("KPI");
    sequences().add(sequence(DAILY, "KPI"));

    tasks().addType(TYPE);
    tasks().add(Task.of("PDF", TYPE).component("KPI"));
    sequences().add(sequence("Other", DAILY, "KPI", "PDF"));

    engine.advance(DAY);
    assertThat(log).hasSize(3);
  }

  @Test
  void aDefinitionDoesNotTakeTheTypeOfSequences() {
    run(
        ManualEngine.defaultSettings(),
        clock -> store = new MemoryStore(clock),
        builder -> builder.task(Task.of("PACK", ORDER), logging("PACK")));
    sequences().add(TaskSequence.of(ID, ORDER, DAILY).task("PACK"));
    var before = store.definitions().latest(ORDER).orElseThrow();
    engine.close();

    assertThatThrownBy(this::runWithOrder)
        .isInstanceOf(DefinitionException.class)
        .hasMessageContaining("order version 1")
        .hasMessageContaining("task sequences of the type 'order'")
        .hasMessageContaining("another type");

    assertThat(store.definitions().latest(ORDER)).contains(before);
    engine = null;
  }

  @Test
  void tasksWhoseTypeADefinitionHasTakenMeanwhileMakeNoSequence() {
    run(
        ManualEngine.defaultSettings(),
        clock -> store = new MemoryStore(clock),
        builder -> builder.task(Task.of("PACK", ORDER), logging("PACK")));
    engine.close();
    runWithOrder();

    assertThatThrownBy(() -> sequences().add(TaskSequence.of(ID, ORDER, DAILY).task("PACK")))
        .isInstanceOf(ConflictException.class);
    assertThat(sequences().find(ID)).isEmpty();
  }

  /** Registers both, as two nodes may do at the same moment. */
  @Test
  void sequencesThatHaveTheTypeOfASequenceAllTheSameAreLeftOut() {
    run(
        ManualEngine.defaultSettings(),
        clock -> store = new MemoryStore(clock),
        builder -> builder.task(Task.of("PACK", ORDER), logging("PACK")));
    sequences().add(TaskSequence.of(ID, ORDER, DAILY).task("PACK"));
    StoredCompiledSequence compiledSequence =
        store.role(TaskStore.class).compiledSequencesAfter(0, 1).getFirst();
    var row = store.role(SequenceStore.class).find(ID).orElseThrow();
    engine.close();
    store = null;
    runWithOrder();
    List<CompiledState> states = List.of(new CompiledState("PACK", 1, 1, -1));
    store
        .role(TaskStore.class)
        .compiledSequence(
            ORDER, compiledSequence.fingerprint(), compiledSequence.document(), states);
    store
        .role(TaskStore.class)
        .compiledSequence(ORDER, "other", compiledSequence.document(), states);
    store.role(SequenceStore.class).add(row);

    engine.advance(DAY);

    assertThat(log).isEmpty();
    assertThat(sequences().get(ID).status()).isEqualTo(SequenceStatus.NOT_STARTED);
    assertThatThrownBy(() -> sequences().run(ID, Map.of(), BY_ANN))
        .isInstanceOf(ConflictException.class)
        .hasMessageContaining("another workflow of that type");
    engine.client().start(StartRequest.of(ORDER));
    engine.advance(Duration.ofMinutes(1));
    assertThat(log).containsExactly("shipped");
  }
}
