package io.millrace.server.notice;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.EngineBuilder;
import io.millrace.continuous.Rollout;
import io.millrace.continuous.RolloutRequest;
import io.millrace.continuous.RolloutService;
import io.millrace.instance.InstanceQuery;
import io.millrace.instance.OperatorAction;
import io.millrace.lifecycle.EngineClock;
import io.millrace.lifecycle.EngineState;
import io.millrace.server.config.ObservabilityConfig;
import io.millrace.server.security.OutboundClient;
import io.millrace.testing.ManualEngine;
import io.millrace.testing.MemoryStore;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests the public announcements of rollouts with a settable clock. */
class RolloutAnnouncerTest {

  private static final OperatorAction ANN = OperatorAction.by("ann", "version 1.2");
  private static final RolloutRequest REQUEST =
      RolloutRequest.all().minReady(Duration.ofMinutes(2));

  private final Queue<Runnable> beside = new ArrayDeque<>();
  private MaintenanceService maintenanceService;
  private RolloutAnnouncer told;
  private final ManualEngine engine =
      ManualEngine.with(
          ManualEngine.defaultSettings()
              .lease(Duration.ofSeconds(10), Duration.ofSeconds(2))
              .nodeName("left"),
          MemoryStore::new,
          this::withNotices);

  RolloutAnnouncerTest() {
    connect();
  }

  /** Creates the services of a process and adds them to the builder. */
  private EngineBuilder withNotices(EngineBuilder builder) {
    maintenanceService =
        new MaintenanceService(
            new ObservabilityConfig(
                true,
                new ObservabilityConfig.Logs(1, 100, 100),
                List.of(),
                null,
                List.of(),
                new ObservabilityConfig.Status(true, null, null)),
            OutboundClient.allowing(Set.of(), EngineClock.system()),
            new SubscriptionTokens("key of the test"),
            () -> ManualEngine.START);
    told = new RolloutAnnouncer(beside::add);
    return builder
        .workflows(maintenanceService.workflows())
        .workflows(told.workflow())
        .listener(told)
        .rollouts();
  }

  private void connect() {
    maintenanceService.connect(engine.client());
    told.connect(engine.client(), rollouts(), maintenanceService);
  }

  @AfterEach
  void close() {
    engine.close();
  }

  private RolloutService rollouts() {
    return engine.engine().admin().rollouts();
  }

  /**
   * Advances the clock and restarts a drained executor, like a supervisor that checks every five
   * seconds.
   */
  private void pass(Duration time) {
    for (Duration left = time; left.isPositive(); left = left.minusSeconds(5)) {
      engine.advance(Duration.ofSeconds(5));
      while (!beside.isEmpty()) {
        beside.remove().run();
      }
      if (engine.engine().state() == EngineState.DRAINED) {
        engine.killExecutor();
        connect();
      }
    }
  }

  private Maintenance only() {
    assertThat(maintenanceService.list()).hasSize(1);
    return maintenanceService.list().getFirst();
  }

  @Test
  void aRolloutIsToldFromItsBeginningToItsEndThoughItsNodeLeaves() {
    long id = rollouts().start(REQUEST, ANN);
    pass(Duration.ofSeconds(60));
    Maintenance under = only();
    assertThat(under.stage()).isEqualTo(MaintenanceStage.VERIFYING);
    assertThat(under.plan().impact()).isEqualTo(MaintenancePlan.Impact.NONE);
    assertThat(under.plan().title() + under.plan().text())
        .as("strangers learn neither names nor reasons")
        .doesNotContain("left", "ann", "1.2");

    pass(Duration.ofMinutes(4));
    assertThat(rollouts().get(id).phase()).isEqualTo(Rollout.Phase.COMPLETED);
    assertThat(only().stage()).isEqualTo(MaintenanceStage.COMPLETED);
    assertThat(only().id()).isEqualTo(under.id());
    assertThat(followers()).isOne();
  }

  @Test
  void oneThatIsAbortedIsCancelled() {
    long id = rollouts().start(REQUEST, ANN);
    pass(Duration.ofSeconds(60));
    rollouts().abort(id, ANN);
    pass(Duration.ofMinutes(1));
    assertThat(only().stage()).isEqualTo(MaintenanceStage.CANCELLED);
  }

  @Test
  void whatNeverBeganAndRecyclesAreNotTold() {
    rollouts().start(REQUEST.nodes("nowhere"), ANN);
    pass(Duration.ofMinutes(1));
    rollouts().start(REQUEST.recycle(), ANN);
    pass(Duration.ofMinutes(5));
    assertThat(maintenanceService.list()).isEmpty();
    assertThat(rollouts().list(10)).extracting(Rollout::phase).allMatch(Rollout.Phase::isTerminal);
  }

  private int followers() {
    return engine.client().search(InstanceQuery.all().type(RolloutAnnouncer.TYPE)).items().size();
  }
}
