package io.millrace.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class EngineSettingsTest {

  private static final EngineSettings DEFAULTS = EngineSettings.defaults();
  private static final Duration SECOND = Duration.ofSeconds(1);

  private static void assertRefused(UnaryOperator<EngineSettings> change, String... texts) {
    assertThatThrownBy(() -> change.apply(DEFAULTS))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll(texts);
  }

  @Test
  void leasesCountAsLostBeforeOthersMayRecover() {
    assertThat(DEFAULTS.leasing().lostAfter())
        .isLessThan(DEFAULTS.leasing().ttl())
        .isGreaterThan(DEFAULTS.leasing().renewEvery());
  }

  @Test
  void boundsAreInclusive() {
    EngineSettings edge =
        DEFAULTS
            .concurrency(1)
            .queueSize(0)
            .maxSleep(Duration.ofNanos(1))
            .lease(SECOND.multipliedBy(2), SECOND)
            .maxRecoveries(1)
            .busyLoopGuard(1, Duration.ZERO)
            .drainGrace(Duration.ZERO)
            .executorGroup("x".repeat(100));
    assertThat(edge.dispatching().queueSize()).isZero();
    assertThat(edge.executorGroup()).hasSize(100);
  }

  @Test
  void everyBoundIsRefusedByName() {
    Map<String, UnaryOperator<EngineSettings>> changes =
        Map.of(
            "concurrency is 0, expected 1 or more", s -> s.concurrency(0),
            "queue size is -1, expected 0 or more", s -> s.queueSize(-1),
            "dispatcher sleep is PT0S, expected more than zero", s -> s.maxSleep(Duration.ZERO),
            "keep-alive interval is PT0S", s -> s.lease(SECOND, Duration.ZERO),
            "lease time is PT1S, expected at least twice", s -> s.lease(SECOND, SECOND),
            "most recoveries is 0", s -> s.maxRecoveries(0),
            "stuck threshold is PT0S", s -> s.stuckAfter(Duration.ZERO),
            "most visits is 0", s -> s.busyLoopGuard(0, SECOND),
            "busy loop delay is PT-1S", s -> s.busyLoopGuard(1, SECOND.negated()),
            "drain grace is PT-1S", s -> s.drainGrace(SECOND.negated()));
    changes.forEach((message, change) -> assertRefused(change, "Engine setting: ", message));
  }

  @Test
  void groupsHaveOneToAHundredCharacters() {
    assertRefused(s -> s.executorGroup(" "), "executor group is ' '", "not blank");
    assertRefused(s -> s.executorGroup("g\uD83D"), "executor group", "surrogate");
    assertRefused(s -> s.nodeName("n\uD83D"), "node name", "surrogate");
    assertRefused(s -> s.executorGroup("x".repeat(101)), "1 to 100 characters");
  }

  @Test
  void aChangeLeavesTheRestAlone() {
    EngineSettings changed = DEFAULTS.stuckAfter(SECOND).concurrency(3).runsInstances(false);
    assertThat(changed.guards().maxVisits()).isEqualTo(DEFAULTS.guards().maxVisits());
    assertThat(changed.leasing()).isEqualTo(DEFAULTS.leasing());
    assertThat(changed.dispatching().queueSize()).isEqualTo(DEFAULTS.dispatching().queueSize());
    assertThat(changed.runsInstances()).isFalse();
  }
}
