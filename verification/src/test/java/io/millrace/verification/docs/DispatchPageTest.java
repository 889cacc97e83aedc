package io.millrace.verification.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Engine;
import io.millrace.definition.Next;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.event.EngineEvent;
import io.millrace.fixtures.FaultyStore;
import io.millrace.instance.Due;
import io.millrace.instance.HistoryEntry;
import io.millrace.instance.HistoryEntryType;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.Origin;
import io.millrace.instance.StartRequest;
import io.millrace.lifecycle.EngineRuntime;
import io.millrace.lifecycle.EngineSettings;
import io.millrace.lifecycle.SettingsReader;
import io.millrace.store.NewInstance;
import io.millrace.store.StartResult;
import io.millrace.testing.ManualEngine;
import io.millrace.testing.MemoryStore;
import io.millrace.testing.SettableClock;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests of requirements of the dispatcher in {@code verification/REQUIREMENTS.md} about single
 * rounds of the engine's loops: each test says which loop of which node makes its next round.
 */
class DispatchPageTest {

  private static final String DISPATCHER = "millrace-dispatcher";
  private static final String HEARTBEAT = "millrace-heartbeat";
  private static final String RECOVERY = "millrace-recovery";
  private static final String COMMITTER = "millrace-committer";

  private static final Duration SLEEP = Duration.ofSeconds(1);
  private static final Duration LEASE = Duration.ofSeconds(10);

  private final SettableClock clock = SettableClock.at(ManualEngine.START);
  private final MemoryStore store = new MemoryStore(clock);
  private final List<EngineEvent> events = new ArrayList<>();
  private int calls;

  private final WorkflowDefinition job =
      WorkflowDefinition.of("job")
          .start(
              "work",
              ctx -> {
                calls++;
                return Next.done("worked");
              })
          .build();

  /** A process whose loops run only when the test runs them. */
  private record Node(SteppedRunner runner, FaultyStore store, Engine engine) {
    Duration turn(String loop) {
      return runner.turn(loop);
    }
  }

  private Node node(EngineSettings settings) {
    SteppedRunner runner = new SteppedRunner();
    FaultyStore faulty = new FaultyStore(store);
    Engine engine =
        Engine.builder()
            .store(faulty)
            .workflows(job)
            .settings(settings.maxSleep(SLEEP))
            .runtime(new EngineRuntime(clock, runner, new Random(7)))
            .listener(events::add)
            .start();
    return new Node(runner, faulty, engine);
  }

  private Node node() {
    return node(EngineSettings.defaults());
  }

  private long insert() {
    int definition = store.definitions().latest("job").orElseThrow().id();
    Origin origin = new Origin("job", 1, "millrace", 4, null, null, null);
    NewInstance instance =
        new NewInstance(origin, definition, "work", null, Map.of(), Due.NOW, null);
    StartResult result = store.instances().start(List.of(instance)).getFirst();
    return result.id();
  }

  private long batches() {
    return events.stream().filter(EngineEvent.BatchClaimed.class::isInstance).count();
  }

  @Test
  void oneLoopDispatchesAndNoneIfTheEngineRunsNoInstances() {
    assertThat(node().runner().loops(DISPATCHER)).isEqualTo(1);
    assertThat(node(EngineSettings.defaults().runsInstances(false)).runner().loops(DISPATCHER))
        .isZero();
  }

  @Test
  void anIdleDispatcherRestsForARandomTimeUpToItsSetting() {
    assertThat(rests(node(), 300))
        .allMatch(rest -> rest.compareTo(SLEEP) <= 0)
        .anyMatch(rest -> rest.compareTo(SLEEP.dividedBy(10)) < 0)
        .anyMatch(rest -> rest.compareTo(SLEEP.multipliedBy(9).dividedBy(10)) > 0);
  }

  @Test
  void aDispatcherWithoutRoomClaimsNothingAndRestsAsLong() {
    Node node = node(EngineSettings.defaults().concurrency(1).queueSize(0));
    insert();
    insert();
    node.turn(DISPATCHER);
    assertThat(batches()).isEqualTo(1);
    assertThat(node.engine().leasedInstanceCount()).isEqualTo(1);
    assertThat(rests(node, 300))
        .allMatch(rest -> rest.compareTo(SLEEP) <= 0)
        .anyMatch(rest -> rest.compareTo(SLEEP.multipliedBy(9).dividedBy(10)) > 0);
    assertThat(batches()).isEqualTo(1);
  }

  private List<Duration> rests(Node node, int rounds) {
    List<Duration> rests = new ArrayList<>();
    for (int i = 0; i < rounds; i++) {
      Duration rest = node.turn(DISPATCHER);
      rests.add(rest);
      clock.advance(rest);
    }
    return rests;
  }

  @Test
  void aHintToARunningDispatcherMakesItLookOnceMoreAndThatIsAll() {
    Node node = node();
    insert();
    node.store().before("claim", node.engine()::poll);
    assertThat(node.turn(DISPATCHER)).isZero();
    assertThat(node.turn(DISPATCHER)).isPositive();
    assertThat(batches()).isEqualTo(1);
  }

  @Test
  void aDispatcherThatReservesNothingRunsNothingAndRests() {
    Node full = node();
    Node free = node();
    long id = insert();
    full.turn(DISPATCHER);
    assertThat(free.turn(DISPATCHER)).isPositive();
    assertThat(free.engine().leasedInstanceCount()).isZero();
    assertThat(store.queries().find(id).orElseThrow().lease().executorId())
        .isEqualTo(full.engine().executorId());
  }

  @Test
  void everyHeartbeatIntervalTheDeadAreLookedFor() {
    EngineSettings settings = EngineSettings.defaults();
    Node node = node(settings.lease(LEASE, Duration.ofSeconds(3)));
    assertThat(node.turn(HEARTBEAT)).isEqualTo(Duration.ofSeconds(3));
    assertThat(node.turn(RECOVERY)).isEqualTo(Duration.ofSeconds(3));
  }

  @Test
  void theTimesOfTheSourceSystemCanBeSet() {
    EngineSettings settings =
        SettingsReader.read(
            Map.of(
                "nflow.executor.timeout.seconds", "900",
                "nflow.executor.keepalive.seconds", "60"));
    assertThat(settings.leasing().ttl()).isEqualTo(Duration.ofMinutes(15));
    assertThat(settings.leasing().renewEvery()).isEqualTo(Duration.ofMinutes(1));
  }

  @Test
  void theOthersRecoverWhatANodeHoldsThatAloneLosesTheDatabase() {
    Node cut = node();
    Node other = node();
    long id = insert();
    cut.turn(DISPATCHER);
    cut.store().setDown(true);
    pass(LEASE.plusSeconds(1), other);
    other.turn(RECOVERY);
    other.turn(DISPATCHER);
    assertThat(store.queries().find(id).orElseThrow().lease().executorId())
        .isEqualTo(other.engine().executorId());
    assertThat(store.queries().history(id, 0, 10))
        .extracting(HistoryEntry::type)
        .containsExactly(HistoryEntryType.RECOVERY);
  }

  /** Advances the time while only these nodes send heartbeats. */
  private void pass(Duration time, Node... beating) {
    for (long second = 0; second < time.toSeconds(); second++) {
      clock.advance(Duration.ofSeconds(1));
      for (Node node : beating) {
        node.turn(HEARTBEAT);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void afterAnOutageOfAllEitherTheSaveOrTheRecoveryWinsAndTheStateIsRunAtLeastOnce(
      boolean saveFirst) {
    Node first = node();
    Node second = node();
    long id = insert();
    first.turn(DISPATCHER);
    first.runner().runTasks();
    first.store().setDown(true);
    second.store().setDown(true);
    first.turn(COMMITTER);
    clock.advance(LEASE.plusSeconds(1));
    first.store().setDown(false);
    second.store().setDown(false);
    second.turn(HEARTBEAT);
    if (saveFirst) {
      first.turn(COMMITTER);
    }
    second.turn(RECOVERY);
    second.turn(DISPATCHER);
    second.runner().runTasks();
    second.turn(COMMITTER);
    if (!saveFirst) {
      first.turn(COMMITTER);
    }
    assertThat(store.queries().find(id).orElseThrow().status()).isEqualTo(InstanceStatus.FINISHED);
    assertThat(calls).isEqualTo(saveFirst ? 1 : 2);
    assertThat(store.queries().history(id, 0, 10))
        .filteredOn(historyEntry -> historyEntry.type() == HistoryEntryType.STATE_EXECUTION)
        .hasSize(1);
    assertThat(events.stream().anyMatch(EngineEvent.ResultFenced.class::isInstance))
        .isEqualTo(!saveFirst);
  }

  @Test
  void aRestartedExecutorIsANewOneAndTheOldOnesWorkIsRecovered() {
    try (ManualEngine engine = ManualEngine.with(job)) {
      long id = engine.client().start(StartRequest.of("job")).id();
      Long before = engine.engine().executorId();
      engine.killExecutor();
      assertThat(engine.engine().executorId()).isNotNull().isNotEqualTo(before);
      engine.advance(engine.leaseTime());
      assertThat(engine.client().history(id))
          .extracting(HistoryEntry::type)
          .containsExactly(HistoryEntryType.RECOVERY, HistoryEntryType.STATE_EXECUTION);
    }
  }

  @Test
  void aLateAnswerIsIgnoredWithAWarning() {
    Node late = node();
    Node other = node();
    insert();
    late.turn(DISPATCHER);
    late.runner().runTasks();
    pass(LEASE.plusSeconds(1), other);
    other.turn(RECOVERY);
    String log = logOf(() -> late.turn(COMMITTER));
    assertThat(log).contains("WARN").contains("The lease").containsOnlyOnce("has passed on");
  }

  /**
   * Returns the log lines of an action; the logger of the tests writes to the current error stream.
   */
  private static String logOf(Runnable action) {
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
