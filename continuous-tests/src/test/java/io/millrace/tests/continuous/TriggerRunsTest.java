package io.millrace.tests.continuous;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.continuous.ContinuationConditions.Condition;
import io.millrace.continuous.ContinuationConditions.Unmet;
import io.millrace.continuous.ContinuationPolicy;
import io.millrace.continuous.ContinuationRejectedException;
import io.millrace.continuous.ContinuousStartMode;
import io.millrace.continuous.ContinuousWorkflow;
import io.millrace.continuous.PollResult;
import io.millrace.continuous.StartInformation;
import io.millrace.continuous.Trigger;
import io.millrace.continuous.TriggerContext;
import io.millrace.definition.Next;
import io.millrace.fixtures.FaultyStore;
import io.millrace.fixtures.FaultyStore.Fault;
import io.millrace.instance.DrainRequest;
import io.millrace.instance.StopReason;
import io.millrace.lifecycle.EngineState;
import io.millrace.store.ContinuousStore;
import io.millrace.store.ContinuousStore.LogEntry;
import io.millrace.store.ContinuousStore.LogEntryType;
import io.millrace.store.StoredContinuousWorkflow;
import io.millrace.testing.ManualEngine;
import io.millrace.testing.MemoryStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests of the start, the continuation and the end of runs. */
class TriggerRunsTest extends ContinuousFixture {

  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration DAY = Duration.ofDays(1);

  private final List<ContinuousStartMode> modes = new ArrayList<>();

  private ContinuousWorkflow telling() {
    return ContinuousWorkflow.of(NAME, feed)
        .handler((context, event) -> {
          modes.add(event.start().mode());
          return Next.done("handled");
        });
  }

  @Test
  void aRunIsContinuedAfterAnHourWhenAnExecutionHasEnded() {
    run(telling());
    feed.addEvent("a");
    advance(HOUR.plusMinutes(2));
    StoredContinuousWorkflow row = row();
    assertThat(row.run().generation()).isEqualTo(2);
    assertThat(row.run().mode()).isEqualTo("AutoStart (Continuation)");
    assertThat(row.run().reason()).isEqualTo("HOURLY");
    assertThat(row.ownership().epoch()).isEqualTo(1);
    assertThat(row.position()).isEqualTo("1");
    assertThat(feed.log).containsExactly("open -", "accepted a", "close", "open 1");
    feed.addEvent("b");
    engine.runUntilIdle();
    assertThat(modes)
        .containsExactly(ContinuousStartMode.AUTO_START, ContinuousStartMode.CONTINUATION);
    assertThat(logTypes())
        .containsExactly(LogEntryType.ENABLED, LogEntryType.STARTED, LogEntryType.CONTINUED);
    assertThat(workflows().downtime(NAME, DAY)).isZero();
  }

  @Test
  void aContinuationStaysOnItsNodeAndFetchesNothing() {
    run(telling());
    feed.addEvent("a");
    awaitScan();
    Long node = row().ownership().executorId();
    List<String> called = new ArrayList<>();
    for (String method : List.of("release", "find", "latest", "register")) {
      store.watch(method, arguments -> called.add(method));
    }
    advance(HOUR.plusMinutes(2));
    assertThat(called).isEmpty();
    assertThat(row().run().generation()).isEqualTo(2);
    assertThat(row().ownership().executorId()).isEqualTo(node);
    assertThat(row().ownership().epoch()).isEqualTo(1);
    assertThat(row().health().failures()).isZero();
    assertThat(feed.log).containsExactly("open -", "accepted a", "close", "open 1");
  }

  @Test
  void everyRunOfASeriesKnowsWhenTheWorkflowWasEnabled() {
    List<Instant> since = new ArrayList<>();
    Trigger telling =
        new Trigger() {
          @Override
          public String describe() {
            return "tells since when it is wanted";
          }

          @Override
          public Source open(TriggerContext scope) {
            since.add(scope.enabledSince().orElseThrow());
            return PollResult::untilWoken;
          }
        };
    run(ContinuousWorkflow.of(NAME, telling).handler(handler));
    Instant first = row().run().seriesStarted();
    advance(HOUR);
    workflows().restart(NAME, ANN);
    awaitScan();
    assertThat(since).containsExactly(first, first);
    workflows().disable(NAME, ANN);
    awaitScan();
    workflows().enable(NAME, ANN);
    awaitScan();
    assertThat(since).hasSize(3).last().isEqualTo(row().run().seriesStarted()).isNotEqualTo(first);
  }

  @Test
  void aRunThatHasDoneNothingIsNotContinued() {
    run(telling());
    feed.addEvent("a");
    advance(HOUR.multipliedBy(5));
    assertThat(row().run().generation()).as("the second run has done nothing").isEqualTo(2);
  }

  @Test
  void continuationCanBeOff() {
    run(telling().continuation(ContinuationPolicy.OFF));
    feed.addEvent("a");
    advance(HOUR.multipliedBy(3));
    assertThat(row().run().generation()).isEqualTo(1);
  }

  @Test
  void aRequestedContinuationNamesItsUnmetConditions() {
    run(telling());
    workflows().debug(NAME, ANN);
    assertThatThrownBy(() -> workflows().continueNow(NAME, ANN))
        .isInstanceOfSatisfying(
            ContinuationRejectedException.class,
            e ->
                assertThat(e.unmet())
                    .extracting(Unmet::condition)
                    .containsExactly(
                        Condition.NOT_DEBUGGED, Condition.ITERATED, Condition.OLD_ENOUGH))
        .hasMessageContaining("ann");
    feed.addEvent("a");
    advance(HOUR.minusMinutes(5));
    workflows().debug(NAME, ANN);
    advance(Duration.ofMinutes(1));
    workflows().debug(NAME, ANN);
    assertThat(row().run().generation()).isEqualTo(1);
    workflows().endDebug(NAME, ANN);
    advance(Duration.ofMinutes(10));
    assertThat(row().run().generation()).as("the lease of the session has ended").isEqualTo(2);
  }

  @Test
  void aDebugSessionHoldsUpContinuationUntilItsLeaseEnds() {
    run(telling());
    feed.addEvent("a");
    advance(HOUR.minusMinutes(1));
    for (int i = 0; i < 10; i++) {
      workflows().debug(NAME, ANN);
      advance(Duration.ofMinutes(1));
    }
    assertThat(row().run().generation()).isEqualTo(1);
    advance(Duration.ofMinutes(4));
    assertThat(row().run().generation()).isEqualTo(2);
  }

  @Test
  void aRequestedContinuationHappensAtOnce() {
    run(
        telling()
            .continuation(
                new ContinuationPolicy(false, Duration.ofMinutes(5), Duration.ofDays(1))));
    feed.addEvent("a");
    advance(Duration.ofMinutes(6));
    workflows().continueNow(NAME, ANN);
    engine.runUntilIdle();
    assertThat(row().run().generation()).isEqualTo(2);
    assertThat(row().run().reason()).isEqualTo("MANUAL");
    assertThat(row().requested().request()).isNull();
  }

  @Test
  void anEngineWithoutTheCodeJudgesByTheSettingsOfTheRow() {
    for (ContinuationPolicy five :
        List.of(
            ContinuationPolicy.after(Duration.ofMinutes(5)),
            new ContinuationPolicy(false, Duration.ofMinutes(5), Duration.ofDays(1)))) {
      AtomicBoolean withCode = new AtomicBoolean(true);
      engine =
          ManualEngine.with(
              ManualEngine.defaultSettings(),
              clock -> store = new FaultyStore(new MemoryStore(clock)),
              builder ->
                  withCode.get() ? builder.continuous(telling().continuation(five)) : builder);
      engine.runUntilIdle();
      feed.addEvent("a");
      advance(Duration.ofMinutes(3));
      withCode.set(false);
      engine.killExecutor();
      assertThat(workflows().unmet(NAME))
          .extracting(Unmet::text)
          .singleElement()
          .asString()
          .endsWith("less than PT5M ago");
      advance(Duration.ofMinutes(3).minusSeconds(10));
      assertThat(workflows().unmet(NAME)).isEmpty();
      workflows().continueNow(NAME, ANN);
      assertThat(row().requested().request())
          .isEqualTo(StoredContinuousWorkflow.OwnerRequest.CONTINUE);
      engine.close();
      feed.log.clear();
    }
  }

  @Test
  void aContinuationWhoseReplyIsLostIsFoundOut() {
    run(telling());
    feed.addEvent("a");
    store.failNext("continueAsNew", Fault.LOST_REPLY);
    advance(HOUR.plusMinutes(5));
    feed.addEvent("b");
    awaitScan();
    assertThat(row().run().generation()).isEqualTo(2);
    assertThat(modes)
        .containsExactly(ContinuousStartMode.AUTO_START, ContinuousStartMode.CONTINUATION);
  }

  @Test
  void aClaimWhoseReplyIsLostIsFoundOut() {
    run(telling().initiallyDisabled());
    assertThat(feed.opened).isZero();
    store.failNext("claim", Fault.LOST_REPLY);
    workflows().enable(NAME, ANN);
    advance(Duration.ofSeconds(5));
    feed.addEvent("a");
    awaitScan();
    assertThat(modes).containsExactly(ContinuousStartMode.MANUAL_START);
    assertThat(row().ownership().epoch()).isEqualTo(1);
  }

  @Test
  void itIsDisabledAndEnabled() {
    run(telling());
    workflows().disable(NAME, ANN);
    engine.runUntilIdle();
    assertThat(row().ownership().executorId()).isNull();
    assertThat(feed.closed).isEqualTo(1);
    feed.addEvent("a");
    advance(HOUR);
    assertThat(modes).isEmpty();
    assertThat(workflows().downtime(NAME, DAY)).isZero();
    workflows().enable(NAME, ANN);
    engine.runUntilIdle();
    assertThat(modes).containsExactly(ContinuousStartMode.MANUAL_START);
    assertThat(row().run().series()).isEqualTo(2);
    assertThat(row().run().generation()).isEqualTo(1);
  }

  @Test
  void anotherExecutorTakesOverWhereTheDeadOneWas() {
    run(telling());
    feed.addEvent("a");
    awaitScan();
    Long dead = row().ownership().executorId();
    engine.killExecutor();
    feed.addEvent("b");
    advance(Duration.ofMinutes(1));
    assertThat(row().ownership().executorId()).as("the lease still runs").isEqualTo(dead);
    advance(engine.leaseTime());
    assertThat(row().ownership().executorId()).isNotEqualTo(dead).isNotNull();
    assertThat(row().run().reason()).isEqualTo("FAILOVER");
    assertThat(row().ownership().epoch()).isEqualTo(2);
    assertThat(feed.log).containsExactly("open -", "accepted a", "open 1", "accepted b");
    assertThat(workflows().downtime(NAME, DAY)).isLessThan(engine.leaseTime());
  }

  @Test
  void nothingFiresWithoutTheLease() {
    run(telling());
    store.setDown(true);
    advance(Duration.ofMinutes(5));
    assertThat(feed.closed).as("closed as soon as the lease counts as lost").isEqualTo(1);
    feed.addEvent("a");
    advance(Duration.ofMinutes(5));
    assertThat(modes).isEmpty();
    store.setDown(false);
    advance(Duration.ofMinutes(2));
    assertThat(modes).hasSize(1);
    assertThat(row().ownership().executorId()).isEqualTo(engine.engine().executorId());
  }

  @ParameterizedTest
  @CsvSource({"RECYCLE, RECYCLE", "ROLLOUT, DEPLOY", "DRAIN, HAND_OVER"})
  void theNextRunTellsWhyTheNodeBeforeHasStopped(StopReason why, String reason) {
    List<StartInformation> starts = new ArrayList<>();
    run(
        ContinuousWorkflow.of(NAME, feed)
            .handler((context, event) -> {
              starts.add(event.start());
              return Next.done("handled");
            }));
    drain(why);
    engine.killExecutor();
    feed.addEvent("a");
    awaitScan();

    assertThat(row().run().reason()).isEqualTo(reason);
    assertThat(starts).extracting(StartInformation::reason).containsExactly(reason);
    assertThat(starts)
        .extracting(StartInformation::mode)
        .containsExactly(ContinuousStartMode.AUTO_START);
    assertThat(logTypes())
        .containsExactly(
            LogEntryType.ENABLED,
            LogEntryType.STARTED,
            LogEntryType.RELEASED,
            LogEntryType.STARTED);
    assertThat(workflows().log(NAME, null, 2)).extracting(LogEntry::reason).containsOnly(reason);
  }

  @Test
  void aTriggerIsClosedBeforeADrainedNodeGivesItBack() {
    run(telling());
    List<Long> owners = new ArrayList<>();
    feed.closing = () -> owners.add(row().ownership().executorId());
    drain(StopReason.DRAIN);
    assertThat(owners).containsExactly(engine.engine().executorId());
    assertThat(row().ownership().executorId()).isNull();
  }

  private void drain(StopReason why) {
    long id = Objects.requireNonNull(engine.engine().executorId());
    engine.engine().admin().drain(id, new DrainRequest(why, null), ANN);
    advance(Duration.ofMinutes(2));
    assertThat(engine.engine().state()).isEqualTo(EngineState.DRAINED);
  }

  @Test
  void aClosedEngineOwnsNothing() {
    run(telling());
    feed.addEvent("a");
    awaitScan();
    engine.engine().close();
    assertThat(feed.closed).isEqualTo(1);
    StoredContinuousWorkflow row = store.role(ContinuousStore.class).find(NAME).orElseThrow();
    assertThat(row.ownership().executorId()).isNull();
    assertThat(store.role(ContinuousStore.class).log(NAME, null, 1).getFirst())
        .satisfies(e -> assertThat(e.type()).isEqualTo(LogEntryType.RELEASED))
        .satisfies(e -> assertThat(e.reason()).isEqualTo("HAND_OVER"));
    engine = null;
  }
}
