package io.millrace.tests.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.WorkflowClient;
import io.millrace.definition.StateHandler;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.definition.WorkflowDefinitionBuilder;
import io.millrace.instance.HistoryEntry;
import io.millrace.instance.InstanceQuery;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.OperatorAction;
import io.millrace.instance.StartRequest;
import io.millrace.instance.WorkflowInstance;
import io.millrace.lifecycle.EngineSettings;
import io.millrace.retry.RetryPolicy;
import io.millrace.store.Store;
import io.millrace.testing.ManualEngine;
import io.millrace.testing.MemoryStore;
import io.millrace.testing.SettableClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;

/** A fixture with an engine per test, shortcuts to it, and a check of every history afterwards. */
abstract class EngineFixture {

  static final OperatorAction BY_ANN = OperatorAction.by("ann", "because");

  /** Retry policy that starts at a second and doubles, without jitter. */
  static final RetryPolicy DOUBLING =
      RetryPolicy.exponential(Duration.ofSeconds(1), Duration.ofHours(1)).jitter(0);

  /** Returns settings for tests that advance by weeks in which most hours have nothing due. */
  static EngineSettings forWeeks() {
    return ManualEngine.defaultSettings()
        .lease(Duration.ofHours(5), Duration.ofHours(1))
        .maxSleep(Duration.ofHours(1));
  }

  final List<String> log = new ArrayList<>();
  ManualEngine engine;

  void run(WorkflowDefinition... definitions) {
    engine = ManualEngine.with(definitions);
  }

  void run(EngineSettings settings, WorkflowDefinition... definitions) {
    run(settings, MemoryStore::new, definitions);
  }

  void run(
      EngineSettings settings,
      Function<SettableClock, Store> store,
      WorkflowDefinition... definitions) {
    engine = ManualEngine.with(settings, store, definitions);
  }

  /**
   * Returns a workflow "job" with the state "work", which has this handler, and the end state
   * "end".
   */
  static WorkflowDefinitionBuilder<String> job(StateHandler handler) {
    return WorkflowDefinition.of("job").start("work", handler).end("end");
  }

  WorkflowClient client() {
    return engine.client();
  }

  long start(String type) {
    return start(StartRequest.of(type));
  }

  long start(StartRequest request) {
    return client().start(request).id();
  }

  /** Starts a "job" and runs everything that is due. */
  long startAndRun() {
    long id = start("job");
    engine.runUntilIdle();
    return id;
  }

  WorkflowInstance get(long id) {
    return client().get(id);
  }

  InstanceStatus status(long id) {
    return get(id).status();
  }

  List<HistoryEntry> history(long id) {
    return client().history(id);
  }

  HistoryEntry last(long id) {
    return history(id).getLast();
  }

  @AfterEach
  void everyHistoryIsOneChain() {
    if (engine == null) {
      return;
    }
    for (WorkflowInstance one : client().search(InstanceQuery.all()).items()) {
      List<HistoryEntry> actions = client().history(one.id());
      assertThat(actions)
          .extracting(HistoryEntry::seq)
          .isEqualTo(IntStream.rangeClosed(1, actions.size()).boxed().toList());
      for (int i = 1; i < actions.size(); i++) {
        assertThat(actions.get(i).move().from()).isEqualTo(actions.get(i - 1).move().to());
      }
      assertThat(one.seq()).isGreaterThanOrEqualTo(actions.size());
      if (!actions.isEmpty() && actions.size() < 1000) {
        assertThat(one.state()).isEqualTo(actions.getLast().move().to());
      }
    }
  }
}
