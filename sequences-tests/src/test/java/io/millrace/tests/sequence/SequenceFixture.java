package io.millrace.tests.sequence;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.EngineBuilder;
import io.millrace.instance.InstanceQuery;
import io.millrace.instance.OperatorAction;
import io.millrace.instance.WorkflowInstance;
import io.millrace.lifecycle.EngineSettings;
import io.millrace.schedule.Frequency;
import io.millrace.schedule.Schedule;
import io.millrace.sequence.ScheduledSequence;
import io.millrace.sequence.SequenceService;
import io.millrace.sequence.SequenceStatus;
import io.millrace.sequence.Task;
import io.millrace.sequence.TaskHandler;
import io.millrace.sequence.TaskSequence;
import io.millrace.store.SequenceStore.TaskVisit;
import io.millrace.store.Store;
import io.millrace.testing.ManualEngine;
import io.millrace.testing.MemoryStore;
import io.millrace.testing.SettableClock;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;

/**
 * A fixture with an engine for task sequences on a settable clock, which starts on Monday, 5
 * January 2026.
 */
abstract class SequenceFixture {

  static final OperatorAction BY_ANN = OperatorAction.by("ann", "because");
  static final String TYPE = "Report";
  static final String ID = "Report_1602842568";
  static final Schedule DAILY = Schedule.of(Frequency.DAILY);
  static final Duration DAY = Duration.ofDays(1);

  /** Returns settings for tests that advance by weeks in which most hours have nothing due. */
  static EngineSettings forWeeks() {
    return ManualEngine.defaultSettings()
        .lease(Duration.ofHours(5), Duration.ofHours(1))
        .maxSleep(Duration.ofHours(1));
  }

  final List<String> log = new ArrayList<>();
  ManualEngine engine;

  void run(UnaryOperator<EngineBuilder> more) {
    run(ManualEngine.defaultSettings(), more);
  }

  void run(EngineSettings settings, UnaryOperator<EngineBuilder> more) {
    run(settings, MemoryStore::new, more);
  }

  void run(
      EngineSettings settings,
      Function<SettableClock, Store> store,
      UnaryOperator<EngineBuilder> more) {
    engine = ManualEngine.with(settings, store, more);
  }

  /** Runs an engine with tasks of these names, which log their runs. */
  void runTasks(String... names) {
    run(
        forWeeks(),
        builder -> {
          for (String name : names) {
            builder.task(Task.of(name, TYPE), logging(name));
          }
          return builder;
        });
  }

  TaskHandler logging(String name) {
    return task -> log.add(name + " " + task.window().from() + " " + task.window().to());
  }

  static TaskSequence sequence(Schedule schedule, String... tasks) {
    return sequence(ID, schedule, tasks);
  }

  static TaskSequence sequence(String id, Schedule schedule, String... tasks) {
    TaskSequence sequence = TaskSequence.of(id, TYPE, schedule);
    for (String task : tasks) {
      sequence = sequence.task(task);
    }
    return sequence;
  }

  SequenceService sequences() {
    return engine.engine().sequences();
  }

  ScheduledSequence get() {
    return sequences().get(ID);
  }

  SequenceStatus status() {
    return get().status();
  }

  long execution() {
    return get().last().executionId();
  }

  List<TaskVisit> history() {
    return sequences().history(ID, null, 100).items();
  }

  List<WorkflowInstance> executions() {
    return engine.client().search(InstanceQuery.all()).items();
  }

  /** Advances the clock to the instant. */
  void advanceTo(String instant) {
    engine.advance(Duration.between(engine.clock().instant(), Instant.parse(instant)));
    assertThat(engine.clock().instant()).isEqualTo(instant);
  }

  @AfterEach
  void close() {
    if (engine != null) {
      engine.close();
    }
  }

  /**
   * Returns the log lines of an action; the logger of the tests writes to the current error stream.
   */
  static String logOf(Runnable action) {
    PrintStream before = System.err;
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    System.setErr(new PrintStream(bytes, true, StandardCharsets.UTF_8));
    try {
      action.run();
    } finally {
      System.setErr(before);
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }
}
