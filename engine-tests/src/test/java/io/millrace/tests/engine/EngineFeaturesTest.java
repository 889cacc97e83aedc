package io.millrace.tests.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.Engine;
import io.millrace.continuous.Continuous;
import io.millrace.definition.Next;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.extension.EngineExtension;
import io.millrace.fixtures.TestDatabase;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.StartRequest;
import io.millrace.lifecycle.EngineSettings.Retention;
import io.millrace.sequence.Sequences;
import io.millrace.sequence.Task;
import io.millrace.sequence.TaskHandler;
import io.millrace.testing.ManualEngine;
import io.millrace.testing.MemorySequences;
import io.millrace.testing.MemoryStore;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** Tests of engines that have some features only. */
class EngineFeaturesTest {

  private static final Duration HOUR = Duration.ofHours(1);

  private static final WorkflowDefinition JOB =
      WorkflowDefinition.of("job").start("work", ctx -> Next.done("done")).end("end").build();

  /** A store without tables of features refuses a call of each of them. */
  @Test
  void theCoreAloneRunsInstancesAndItsLoops() {
    try (ManualEngine manual =
        ManualEngine.with(
            ManualEngine.defaultSettings().retention(new Retention(HOUR, null, HOUR, HOUR)),
            clock -> MemoryStore.with(clock),
            builder -> builder.with().workflows(JOB))) {
      Engine engine = manual.engine();
      long id = manual.client().start(StartRequest.of("job").after(HOUR)).id();
      assertThat(manual.client().statusReason(id).sentence()).startsWith("It continues at");
      manual.advance(HOUR);
      assertThat(manual.client().get(id).status()).isEqualTo(InstanceStatus.FINISHED);
      manual.advance(HOUR.multipliedBy(2));
      assertThat(manual.client().find(id)).isEmpty();

      assertThatThrownBy(engine::sequences)
          .isInstanceOf(IllegalStateException.class)
          .hasMessage(
              "This engine has no SequenceService. Add the feature that has it to the builder with"
                  + " with(...).");
      assertThatThrownBy(engine::continuous).isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(engine.admin()::rollouts).isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(engine::keyValues)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("This store has no KeyValueStore");
      assertThat(engine.channels()).isEmpty();
    }
  }

  @Test
  void aFeatureRunsWithoutTheOthers() {
    try (ManualEngine manual =
        ManualEngine.with(
            ManualEngine.defaultSettings(),
            clock -> MemoryStore.with(clock, MemorySequences.tables()),
            builder ->
                builder
                    .with(Sequences.of().task(Task.of("KPI", "report"), task -> {}))
                    .with(Sequences.of()))) {
      assertThat(manual.engine().sequences().tasks().find("KPI")).isPresent();
      assertThatThrownBy(manual.engine()::continuous).isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void aDatabaseGetsTheTablesOfTaskSequencesAlone() {
    TaskHandler kpi = task -> {};
    try (TestDatabase database = TestDatabase.emptyH2()) {
      DataSource pool = database.pool();
      // docs:with
      Engine engine =
          Engine.builder()
              .dataSource(pool)
              .workflows(JOB)
              .with(Sequences.of().task(Task.of("KPI", "report"), kpi))
              .start();
      // docs:end
      engine.close();
      assertThat(components(database)).containsExactly("engine", "engine.sequences");
    }
  }

  @Test
  void aDatabaseGetsTheTablesOfTheFeaturesThatAreAdded() {
    try (TestDatabase database = TestDatabase.emptyH2()) {
      start(database);
      assertThat(components(database)).containsExactly("engine");
      start(database, Continuous.of());
      assertThat(components(database))
          .containsExactly("engine", "engine.continuous", "engine.data");
    }
  }

  private static void start(TestDatabase database, EngineExtension... extensions) {
    Engine.builder()
        .dataSource(database.pool())
        .settings(settings -> settings.runsInstances(false))
        .with(extensions)
        .start()
        .close();
  }

  private static List<String> components(TestDatabase database) {
    return database.lines("SELECT component FROM millrace_schema ORDER BY component");
  }
}
