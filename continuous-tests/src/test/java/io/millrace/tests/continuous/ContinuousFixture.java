package io.millrace.tests.continuous;

import io.millrace.continuous.ContinuousSettings;
import io.millrace.continuous.ContinuousWorkflow;
import io.millrace.continuous.ContinuousWorkflowService;
import io.millrace.continuous.EventHandler;
import io.millrace.definition.Next;
import io.millrace.fixtures.FaultyStore;
import io.millrace.instance.OperatorAction;
import io.millrace.lifecycle.EngineSettings;
import io.millrace.store.ContinuousStore.LogEntry;
import io.millrace.store.ContinuousStore.LogEntryType;
import io.millrace.store.StoredContinuousWorkflow;
import io.millrace.testing.ManualEngine;
import io.millrace.testing.MemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;

/** A fixture with one engine that runs continuous workflows on a settable clock. */
abstract class ContinuousFixture {

  static final OperatorAction ANN = OperatorAction.by("ann", "because");
  static final String NAME = "feed";

  final TestTrigger feed = new TestTrigger();
  final List<String> handled = new ArrayList<>();
  FaultyStore store;
  ManualEngine engine;

  final EventHandler handler =
      (context, event) -> {
        handled.add(event.payload(String.class));
        return Next.done("handled");
      };

  ContinuousWorkflow workflow() {
    return ContinuousWorkflow.of(NAME, feed).handler(handler);
  }

  void run(ContinuousWorkflow... workflows) {
    run(ContinuousSettings.defaults(), workflows);
  }

  void run(ContinuousSettings settings, ContinuousWorkflow... workflows) {
    run(ManualEngine.defaultSettings(), settings, workflows);
  }

  void run(
      EngineSettings engineSettings, ContinuousSettings settings, ContinuousWorkflow... workflows) {
    engine =
        ManualEngine.with(
            engineSettings,
            clock -> store = new FaultyStore(new MemoryStore(clock)),
            builder -> builder.continuous(settings).continuous(workflows));
    engine.runUntilIdle();
  }

  /** Advances the clock by more than a scan interval. */
  void awaitScan() {
    advance(Duration.ofSeconds(3));
  }

  void advance(Duration time) {
    engine.advance(time);
  }

  ContinuousWorkflowService workflows() {
    return engine.engine().continuous();
  }

  StoredContinuousWorkflow row() {
    return row(NAME);
  }

  StoredContinuousWorkflow row(String name) {
    return workflows().get(name);
  }

  List<LogEntryType> logTypes() {
    return workflows().log(NAME, null, 100).reversed().stream().map(LogEntry::type).toList();
  }

  @AfterEach
  void close() {
    if (engine != null) {
      engine.close();
    }
  }
}
