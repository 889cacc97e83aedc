package io.millrace.tests.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.continuous.RecycleSettings;
import io.millrace.continuous.RecycleSettingsService;
import io.millrace.continuous.Rollout;
import io.millrace.continuous.RolloutRequest;
import io.millrace.definition.Next;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.instance.InvalidRequestException;
import io.millrace.instance.OperatorAction;
import io.millrace.instance.StopReason;
import io.millrace.lifecycle.EngineSettings;
import io.millrace.lifecycle.EngineState;
import io.millrace.testing.ManualEngine;
import io.millrace.testing.MemoryStore;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests that a node recycles itself once per local date, and that its process is notified. */
class RecycleTest {

  private static final OperatorAction ANN = OperatorAction.by("ann", "quiet then");
  private static final Duration NO_WINDOW = Duration.ZERO;
  private static final LocalTime NOON = LocalTime.of(12, 0);

  /** Length of the lease; the tests advance by days, in steps of a minute. */
  private static final Duration LEASE = Duration.ofMinutes(1);

  private static final Duration HEARTBEAT = Duration.ofSeconds(15);

  private final List<StopReason> retired = new ArrayList<>();
  private final WorkflowDefinition job =
      WorkflowDefinition.of("job").start("work", ctx -> Next.done("done")).build();

  private ManualEngine engine(RecycleSettings settings) {
    return ManualEngine.with(
        ManualEngine.defaultSettings().lease(LEASE, HEARTBEAT).nodeName("left"),
        MemoryStore::new,
        builder -> builder.workflows(job).recycle(settings).onExecutorStopped(retired::add));
  }

  private static RecycleSettings dailyAt(int hour, int minute, Duration window) {
    return RecycleSettings.daily(ZoneOffset.UTC)
        .at(LocalTime.of(hour, minute), ZoneOffset.UTC, window)
        .maxAge(null)
        .memory(null)
        .request(RolloutRequest.all().minReady(Duration.ofMinutes(1)));
  }

  private static void passUntil(ManualEngine engine, String then) {
    pass(engine, Duration.between(engine.clock().instant(), Instant.parse(then)));
  }

  /** Advances the clock by minutes, and replaces a drained executor as a supervisor does. */
  private static void pass(ManualEngine engine, Duration time) {
    for (Duration left = time; left.isPositive(); left = left.minusMinutes(1)) {
      engine.advance(Duration.ofMinutes(1));
      if (engine.engine().state() == EngineState.DRAINED) {
        engine.killExecutor();
      }
    }
  }

  @Test
  void itHappensOnceADay() {
    RecycleSettings daily =
        RecycleSettings.daily(ZoneOffset.UTC)
            .at(LocalTime.of(9, 0), ZoneOffset.UTC, Duration.ofMinutes(30))
            .request(RolloutRequest.all().minReady(Duration.ofMinutes(1)));
    try (ManualEngine engine = engine(daily)) {
      pass(engine, Duration.ofMinutes(59));
      assertThat(retired).isEmpty();

      pass(engine, Duration.ofMinutes(40));
      assertThat(retired).containsExactly(StopReason.RECYCLE);
      List<Rollout> all = engine.engine().admin().rollouts().list(10);
      assertThat(all).hasSize(1);
      assertThat(all.getFirst().phase()).isEqualTo(Rollout.Phase.COMPLETED);
      assertThat(all.getFirst().reason()).isEqualTo(StopReason.RECYCLE);

      pass(engine, Duration.ofHours(22));
      assertThat(retired).hasSize(1);
      pass(engine, Duration.ofHours(2));
      assertThat(retired).hasSize(2);
    }
  }

  @Test
  void aTimeThatIsMovedOnItsDateMakesNoSecondRecycleThoughTheFirstIsDeleted() {
    ManualEngine started =
        ManualEngine.with(
            ManualEngine.defaultSettings()
                .lease(LEASE, HEARTBEAT)
                .nodeName("left")
                .retention(
                    new EngineSettings.Retention(
                        Duration.ofMinutes(10), null, Duration.ofDays(3), null)),
            MemoryStore::new,
            builder ->
                builder
                    .workflows(job)
                    .recycle(dailyAt(9, 0, NO_WINDOW))
                    .onExecutorStopped(retired::add));
    try (ManualEngine engine = started) {
      pass(engine, Duration.ofHours(3));
      assertThat(retired).hasSize(1);
      assertThat(engine.engine().admin().rollouts().list(10)).as("archived").isEmpty();

      engine.engine().admin().recycles().change(dailyAt(20, 0, NO_WINDOW), ANN);
      pass(engine, Duration.ofHours(13));
      assertThat(retired).hasSize(1);
      pass(engine, Duration.ofHours(24));
      assertThat(retired).as("at 20:00 of the next date").hasSize(2);
    }
  }

  @Test
  void aTimeThatIsMovedMakesNoSecondRecycleOnTheDateIntoWhichTheWindowBeforeReached() {
    try (ManualEngine engine = engine(dailyAt(23, 30, Duration.ofHours(12)))) {
      for (int minutes = 0; retired.isEmpty() && minutes < 48 * 60; minutes++) {
        pass(engine, Duration.ofMinutes(1));
      }
      LocalDate date = LocalDate.ofInstant(engine.clock().instant(), ZoneOffset.UTC);
      assertThat(date).as("after midnight").isEqualTo("2026-01-06");

      engine.engine().admin().recycles().change(dailyAt(20, 0, NO_WINDOW), ANN);
      passUntil(engine, "2026-01-06T23:00:00Z");
      assertThat(retired).hasSize(1);
      passUntil(engine, "2026-01-07T19:59:00Z");
      assertThat(retired).hasSize(1);
      passUntil(engine, "2026-01-07T21:00:00Z");
      assertThat(retired).hasSize(2);
    }
  }

  @Test
  void aWindowOverMidnightHasItsRecycleOnEachDateThoughNothingWasMoved() {
    try (ManualEngine engine = engine(dailyAt(23, 30, Duration.ofHours(12)))) {
      passUntil(engine, "2026-01-06T23:00:00Z");
      assertThat(retired).hasSize(1);
      passUntil(engine, "2026-01-09T23:00:00Z");
      assertThat(retired).hasSize(4);
    }
  }

  /**
   * The time is moved from half past four to noon before it has come, so that the process reaches
   * its maximum age first.
   */
  @Test
  void aRecycleByAgeStandsForThatOfTheDateThoughTheTimeIsMovedBehindIt() {
    RecycleSettings daily = dailyAt(4, 30, NO_WINDOW).maxAge(Duration.ofHours(22)).enabled(true);
    try (ManualEngine engine = engine(daily)) {
      passUntil(engine, "2026-01-06T04:00:00Z");
      engine.engine().admin().recycles().change(daily.at(NOON, ZoneOffset.UTC, NO_WINDOW), ANN);
      passUntil(engine, "2026-01-06T07:00:00Z");
      assertThat(retired).as("after 22 hours, at six").hasSize(1);
      passUntil(engine, "2026-01-07T00:00:00Z");
      assertThat(retired).as("no second one at noon").hasSize(1);
      passUntil(engine, "2026-01-08T00:00:00Z");
      assertThat(retired).as("by age again, and no second one").hasSize(2);
    }
  }

  @Test
  void aRecycleByHandStandsForThatOfTheDate() {
    try (ManualEngine engine = engine(dailyAt(12, 0, NO_WINDOW))) {
      passUntil(engine, "2026-01-05T10:00:00Z");
      RolloutRequest byHand =
          RolloutRequest.all().recycle().nodes("left").minReady(Duration.ofMinutes(1));
      engine.engine().admin().rollouts().start(byHand, ANN);
      passUntil(engine, "2026-01-06T00:00:00Z");
      assertThat(retired).hasSize(1);
      passUntil(engine, "2026-01-06T13:00:00Z");
      assertThat(retired).as("at noon of the next date").hasSize(2);
    }
  }

  @Test
  void anAgeThatIsReachedAfterTheRecycleOfTheDateCountsAllTheSame() {
    try (ManualEngine engine = engine(dailyAt(9, 0, NO_WINDOW).maxAge(Duration.ofHours(6)))) {
      passUntil(engine, "2026-01-05T14:00:00Z");
      assertThat(retired).hasSize(1);
      passUntil(engine, "2026-01-05T16:00:00Z");
      assertThat(retired).as("six hours after nine").hasSize(2);
      // The recycle at about three replaces the one at nine, and blocks none by age.
      passUntil(engine, "2026-01-06T08:59:00Z");
      assertThat(retired).hasSize(4);
      passUntil(engine, "2026-01-06T10:00:00Z");
      assertThat(retired).hasSize(5);
    }
  }

  @Test
  void anOldNodeIsRecycledOnceHoweverLongThatTakes() {
    RecycleSettings byAge =
        new RecycleSettings(null, Duration.ofHours(3), null, RolloutRequest.all());
    try (ManualEngine engine = engine(byAge)) {
      pass(engine, Duration.ofHours(2));
      assertThat(retired).isEmpty();
      engine.advance(Duration.ofHours(2));
      assertThat(retired).containsExactly(StopReason.RECYCLE);
      assertThat(engine.engine().admin().rollouts().list(10)).hasSize(1);
    }
  }

  @Test
  void aSettingForTheGroupOverridesThatOfTheBuilder() {
    RecycleSettings off =
        RecycleSettings.daily(ZoneOffset.UTC)
            .maxAge(null)
            .memory(null)
            .request(RolloutRequest.all().minReady(Duration.ofMinutes(1)))
            .enabled(false);
    try (ManualEngine engine = engine(off)) {
      pass(engine, Duration.ofHours(30));
      assertThat(retired).isEmpty();
      RecycleSettingsService recycles = engine.engine().admin().recycles();
      assertThat(recycles.effective())
          .isEqualTo(new RecycleSettingsService.EffectiveSettings(off, null));
      assertThat(recycles.effective().windows(engine.clock().instant())).isEmpty();

      ZoneId zone = ZoneId.of("Africa/Johannesburg");
      RecycleSettings said =
          off.at(LocalTime.of(20, 0), zone, Duration.ofMinutes(10)).enabled(true);
      recycles.change(said, OperatorAction.by("ann", "quiet then"));
      RecycleSettingsService.EffectiveSettings effectiveSettings = recycles.effective();
      assertThat(effectiveSettings.settings()).isEqualTo(said);
      assertThat(effectiveSettings.since()).isEqualTo(engine.clock().instant());
      RecycleSettingsService.Window next =
          effectiveSettings.next(engine.clock().instant()).orElseThrow();
      assertThat(next.begins().toLocalTime()).isEqualTo(LocalTime.of(20, 0));
      assertThat(next.until()).isEqualTo(next.from().plusSeconds(600));
      assertThat(effectiveSettings.windows(next.from().plusSeconds(60)).findFirst()).contains(next);
      assertThat(effectiveSettings.next(next.from())).get().isNotEqualTo(next);

      pass(engine, Duration.between(engine.clock().instant(), next.from()).minusMinutes(1));
      assertThat(retired).isEmpty();
      pass(engine, Duration.ofMinutes(20));
      assertThat(retired).containsExactly(StopReason.RECYCLE);
    }
  }

  @Test
  void aPolicyThatCannotBeReadIsToldAndRecyclesNothing() {
    try (ManualEngine engine = engine(RecycleSettings.daily(ZoneOffset.UTC))) {
      engine
          .engine()
          .keyValues()
          .set(RecycleSettingsService.KEYS, "millrace", "{\"zone\":\"Mars/Olympus\"}");
      pass(engine, Duration.ofHours(30));
      assertThat(retired).isEmpty();
      assertThatThrownBy(() -> engine.engine().admin().recycles().effective())
          .isInstanceOf(InvalidRequestException.class)
          .hasMessageContaining("group 'millrace' cannot be read")
          .hasMessageContaining("Set it again");
    }
  }
}
