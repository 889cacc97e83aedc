package io.millrace.verification.alwayson;

import io.millrace.continuous.ContinuousSettings;
import io.millrace.continuous.ContinuousWorkflow;
import io.millrace.continuous.ContinuousWorkflows;
import io.millrace.continuous.EventHandler;
import io.millrace.definition.Next;
import io.millrace.instance.Deed;
import io.millrace.store.AlwaysOn;
import io.millrace.store.AlwaysOnStore.Event;
import io.millrace.store.AlwaysOnStore.EventType;
import io.millrace.testing.ManualEngine;
import io.millrace.testing.MemoryStore;
import io.millrace.verification.support.FaultyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;

/** One engine with continuous workflows on a settable clock. */
abstract class ContinuousFixture {

  static final Deed ANN = Deed.by("ann", "because");
  static final String NAME = "feed";

  final Feed feed = new Feed();
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
    engine =
        ManualEngine.with(
            ManualEngine.defaultSettings(),
            clock -> store = new FaultyStore(new MemoryStore(clock)),
            builder -> builder.continuous(settings).continuous(workflows));
    engine.runUntilIdle();
  }

  /** Long enough for a look. */
  void look() {
    pass(Duration.ofSeconds(3));
  }

  void pass(Duration time) {
    engine.advance(time);
  }

  ContinuousWorkflows workflows() {
    return engine.engine().continuous();
  }

  AlwaysOn row() {
    return row(NAME);
  }

  AlwaysOn row(String name) {
    return workflows().get(name);
  }

  List<EventType> happened() {
    return workflows().events(NAME, null, 100).reversed().stream().map(Event::type).toList();
  }

  @AfterEach
  void close() {
    if (engine != null) {
      engine.close();
    }
  }
}
