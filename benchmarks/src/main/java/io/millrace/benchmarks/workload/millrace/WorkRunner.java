package io.millrace.benchmarks.workload.millrace;

import io.millrace.Engine;
import io.millrace.EngineBuilder;
import io.millrace.benchmarks.peer.WorkType;
import io.millrace.definition.Next;
import io.millrace.definition.StateHandler;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.definition.WorkflowDefinitionBuilder;
import io.millrace.instance.StartRequest;
import io.millrace.lifecycle.EngineSettings;
import java.util.Collections;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;

/**
 * A kind of work and an engine for it in any database.
 *
 * @param settings changes to the default settings
 * @param handler the body of each step
 */
record WorkRunner(
    DataSource pool, WorkType work, UnaryOperator<EngineSettings> settings, Handler handler) {

  private static final int CHUNK = 20_000;

  /** The body of a step. */
  @FunctionalInterface
  interface Handler {
    void handle() throws InterruptedException;
  }

  /** Returns a runner of steps that do nothing, at default settings. */
  static WorkRunner of(DataSource pool, WorkType workType) {
    return new WorkRunner(pool, workType, s -> s, () -> {});
  }

  WorkRunner with(UnaryOperator<EngineSettings> changed, Handler body) {
    return new WorkRunner(pool, work, changed, body);
  }

  /** Runs work so that classes are loaded and compiled, in a group that only this process uses. */
  void warmUp(int count) throws Exception {
    String group = "warm-up " + ProcessHandle.current().pid();
    WorkRunner others = with(s -> s.executorGroup(group), () -> {});
    others.enqueue(count);
    others.drain(count);
  }

  /** Creates the tables and stores the definition. */
  void install() {
    enqueue(0);
  }

  void enqueue(int count) {
    try (Engine engine = builder().settings(s -> s.runsInstances(false)).start()) {
      StartRequest request = StartRequest.of(work.name(), "");
      for (int left = count; left > 0; left -= CHUNK) {
        engine.client().startAll(Collections.nCopies(Math.min(left, CHUNK), request));
      }
    }
  }

  /** Runs until the given number of instances have ended durably. */
  DrainMonitor drain(int count) throws Exception {
    DrainMonitor drainMonitor = new DrainMonitor(count);
    try (Engine engine = start(drainMonitor)) {
      drainMonitor.await(engine);
    }
    return drainMonitor;
  }

  /** Starts an engine, which runs until it is closed. */
  Engine start(DrainMonitor drainMonitor) {
    return builder().listener(drainMonitor).start();
  }

  private EngineBuilder builder() {
    return Engine.builder().dataSource(pool).workflows(definition()).settings(settings);
  }

  private WorkflowDefinition definition() {
    WorkflowDefinitionBuilder<String> builder = WorkflowDefinition.of(work.name());
    builder.start("step1", step(1));
    for (int step = 2; step <= work.steps(); step++) {
      builder.state("step" + step, step(step));
    }
    return builder.build();
  }

  private StateHandler step(int step) {
    return ctx -> {
      handler.handle();
      return step == work.steps()
          ? Next.done("all steps done")
          : Next.moveTo("step" + (step + 1), "step done");
    };
  }
}
