package io.millrace.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.millrace.event.EngineEvent;
import io.millrace.event.EngineView;
import io.millrace.instance.HistoryEntryType;
import io.millrace.instance.InstanceStatus;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MillraceMetersTest {

  private final MeterRegistry registry = new SimpleMeterRegistry();
  private final MillraceMeters meters = MillraceMeters.to(registry);

  @ParameterizedTest
  @CsvSource({
    "STATE_EXECUTION, pay, IN_PROGRESS, ok",
    "STATE_EXECUTION, reserve, FINISHED, ok",
    "STATE_EXECUTION, reserve, IN_PROGRESS, stayed",
    "STATE_EXECUTION_FAILED, reserve, IN_PROGRESS, retry",
    "STATE_EXECUTION_FAILED, undo, IN_PROGRESS, failed",
    "STATE_EXECUTION_FAILED, reserve, FAILED, failed",
    "STATE_EXECUTION_FAILED, reserve, MANUAL, failed"
  })
  void aStepIsTimedByItsOutcome(
      HistoryEntryType action, String to, InstanceStatus status, String outcome) {
    meters.onEvent(saved(action, to, status));

    assertThat(registry.get("millrace.attempts").timers()).hasSize(1);
    var timer =
        registry
            .get("millrace.attempts")
            .tags("type", "order", "state", "reserve", "outcome", outcome)
            .timer();
    assertThat(timer.count()).isEqualTo(1);
    assertThat(timer.totalTime(TimeUnit.MILLISECONDS)).isEqualTo(40, within(0.01));
  }

  @Test
  void theFirstAttemptOfATypeOnAnExecutorIsColdAndSetupIsTimed() {
    meters.onEvent(new EngineEvent.ExecutorReady(1, false, Duration.ofSeconds(2)));
    for (int executor = 1; executor <= 2; executor++) {
      meters.onEvent(new EngineEvent.ExecutorStarted(executor, "group"));
      meters.onEvent(saved(HistoryEntryType.STATE_EXECUTION, "pay", InstanceStatus.IN_PROGRESS));
      meters.onEvent(saved(HistoryEntryType.STATE_EXECUTION, "pay", InstanceStatus.IN_PROGRESS));
    }

    assertThat(registry.get("millrace.cold.starts").timer().count()).isEqualTo(2);
    var setup = registry.get("millrace.setup");
    assertThat(setup.tag("warm", "false").timer().totalTime(TimeUnit.SECONDS))
        .isEqualTo(2, within(0.01));
    assertThat(registry.get("millrace.setup").tag("warm", "true").timer().count()).isZero();
  }

  @Test
  void aPauseIsNoStep() {
    meters.onEvent(saved(HistoryEntryType.PAUSE, "reserve", InstanceStatus.PAUSED));
    assertThat(registry.find("millrace.attempts").timers()).isEmpty();
  }

  @Test
  void endsAreCountedByStatus() {
    meters.onEvent(saved(HistoryEntryType.STATE_EXECUTION, "done", InstanceStatus.FINISHED));
    meters.onEvent(saved(HistoryEntryType.STATE_EXECUTION, "pay", InstanceStatus.IN_PROGRESS));
    assertThat(registry.get("millrace.instances.ended").counters()).hasSize(1);
    assertThat(
            registry
                .get("millrace.instances.ended")
                .tags("type", "order", "status", "finished")
                .counter()
                .count())
        .isEqualTo(1);
  }

  @Test
  void claimsAndSavesAreTimedAndSized() {
    meters.onEvent(new EngineEvent.BatchClaimed(7, Duration.ofMillis(3), Duration.ofMillis(250)));
    meters.onEvent(new EngineEvent.BatchSaved(5, Duration.ofMillis(2)));
    meters.onEvent(new EngineEvent.SaveDelayed(5, 1, new IllegalStateException("away")));

    assertThat(registry.get("millrace.claims").timer().totalTime(TimeUnit.MILLISECONDS))
        .isEqualTo(3, within(0.01));
    assertThat(registry.get("millrace.claim.size").summary().totalAmount()).isEqualTo(7);
    assertThat(registry.get("millrace.claim.lag").timer().max(TimeUnit.MILLISECONDS))
        .isEqualTo(250, within(0.01));
    assertThat(registry.get("millrace.saves").timer().count()).isEqualTo(1);
    assertThat(registry.get("millrace.save.size").summary().totalAmount()).isEqualTo(5);
    assertThat(registry.get("millrace.saves.delayed").counter().count()).isEqualTo(1);
  }

  @Test
  void troubleIsCounted() {
    meters.onEvent(new EngineEvent.InstanceRecovered(1, 9, false));
    meters.onEvent(new EngineEvent.InstanceRecovered(2, 9, true));
    meters.onEvent(new EngineEvent.ResultFenced(1, "order", 3));
    meters.onEvent(
        new EngineEvent.HandlerStuck(1, "order", "ship", Duration.ofMinutes(2), List.of()));
    meters.onEvent(new EngineEvent.LeaseLost(4, 12));

    assertThat(registry.get("millrace.recoveries").tag("parked", "false").counter().count())
        .isEqualTo(1);
    assertThat(registry.get("millrace.recoveries").tag("parked", "true").counter().count())
        .isEqualTo(1);
    assertThat(registry.get("millrace.fenced").tag("type", "order").counter().count()).isEqualTo(1);
    assertThat(
            registry
                .get("millrace.stuck.reports")
                .tags("type", "order", "state", "ship")
                .counter()
                .count())
        .isEqualTo(1);
    assertThat(registry.get("millrace.leases.lost").counter().count()).isEqualTo(1);
  }

  @Test
  void gaugesAddUpTheRunningEngines() {
    meters.onStart(view(1, 10, Duration.ofSeconds(1)));
    meters.onStart(view(2, 5, Duration.ofSeconds(3)));

    assertThat(gauge("millrace.instances.held")).isEqualTo(15);
    assertThat(gauge("millrace.handlers.limit")).isEqualTo(128);
    assertThat(gauge("millrace.lease.age")).isEqualTo(3);
    assertThat(gauge("millrace.lease.left")).isEqualTo(5);

    meters.onEvent(new EngineEvent.ExecutorStopped(2, 0));
    assertThat(gauge("millrace.instances.held")).isEqualTo(10);
    assertThat(gauge("millrace.lease.left")).isEqualTo(7);
  }

  @Test
  void namesMadeAtRunTimeDoNotFillTheRegistry() {
    MeterRegistry small = new SimpleMeterRegistry();
    MillraceMeters capped = MillraceMeters.to(small, 3);
    for (int i = 0; i < 10; i++) {
      capped.onEvent(
          new EngineEvent.TransitionSaved(
              1, "type" + i, step(HistoryEntryType.STATE_EXECUTION, "pay")));
    }
    assertThat(small.get("millrace.attempts").timers()).hasSize(4);
    assertThat(small.get("millrace.attempts").tag("type", "other").timer().count()).isEqualTo(7);
  }

  @Test
  void enginesOfOneProcessAreToldApartByTags() {
    MillraceMeters a = MillraceMeters.to(registry, Tags.of("engine", "a"));
    MillraceMeters b = MillraceMeters.to(registry, Tags.of("engine", "b"));
    a.onStart(view(1, 1, Duration.ZERO));
    b.onStart(view(2, 2, Duration.ZERO));
    assertThat(registry.get("millrace.instances.held").tag("engine", "a").gauge().value())
        .isEqualTo(1);
    assertThat(registry.get("millrace.instances.held").tag("engine", "b").gauge().value())
        .isEqualTo(2);
  }

  @Test
  void noMeterNamesAnInstanceOrAnExecutor() {
    meters.onStart(view(17, 1, Duration.ZERO));
    meters.onEvent(saved(HistoryEntryType.STATE_EXECUTION, "done", InstanceStatus.FINISHED));
    meters.onEvent(new EngineEvent.InstanceRecovered(1, 9, false));
    meters.onEvent(new EngineEvent.ResultFenced(1, "order", 3));
    meters.onEvent(
        new EngineEvent.HandlerStuck(1, "order", "ship", Duration.ofMinutes(2), List.of()));
    assertThat(registry.getMeters())
        .hasSizeGreaterThan(15)
        .allSatisfy(meter ->
            assertThat(meter.getId().getTags())
                .extracting(Tag::getKey)
                .isSubsetOf("type", "state", "status", "outcome", "parked", "warm"));
  }

  private double gauge(String name) {
    return registry.get(name).gauge().value();
  }

  private static EngineEvent.TransitionSaved saved(
      HistoryEntryType type, String to, InstanceStatus status) {
    return new EngineEvent.TransitionSaved(
        1,
        "order",
        new EngineEvent.Transition(type, "reserve", to, status, Duration.ofMillis(40), null));
  }

  private static EngineEvent.Transition step(HistoryEntryType type, String to) {
    return new EngineEvent.Transition(
        type, "reserve", to, InstanceStatus.IN_PROGRESS, Duration.ofMillis(40), null);
  }

  private static EngineView view(long executorId, int held, Duration age) {
    return new EngineView() {
      @Override
      public long executorId() {
        return executorId;
      }

      @Override
      public String executorGroup() {
        return "millrace";
      }

      @Override
      public Load load() {
        return new Load(held, 1, 0, new Handlers(2, 64, 0), age, Duration.ofSeconds(8).minus(age));
      }
    };
  }
}
