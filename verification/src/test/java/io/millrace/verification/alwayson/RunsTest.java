package io.millrace.verification.alwayson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.continuous.Conditions.Condition;
import io.millrace.continuous.Conditions.Unmet;
import io.millrace.continuous.Continuation;
import io.millrace.continuous.ContinuationRefusedException;
import io.millrace.continuous.ContinuousWorkflow;
import io.millrace.continuous.Poll;
import io.millrace.continuous.StartInformation;
import io.millrace.continuous.StartMode;
import io.millrace.continuous.Trigger;
import io.millrace.continuous.TriggerScope;
import io.millrace.definition.Next;
import io.millrace.instance.DrainRequest;
import io.millrace.instance.StopReason;
import io.millrace.lifecycle.EngineState;
import io.millrace.store.AlwaysOn;
import io.millrace.store.AlwaysOnStore.Event;
import io.millrace.store.AlwaysOnStore.EventType;
import io.millrace.testing.ManualEngine;
import io.millrace.testing.MemoryStore;
import io.millrace.verification.support.FaultyStore;
import io.millrace.verification.support.FaultyStore.Fault;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How runs begin, are continued, and end. */
class RunsTest extends ContinuousFixture {

  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration DAY = Duration.ofDays(1);

  private final List<StartMode> modes = new ArrayList<>();

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
    feed.bring("a");
    pass(HOUR.plusMinutes(2));
    AlwaysOn row = row();
    assertThat(row.run().generation()).isEqualTo(2);
    assertThat(row.run().mode()).isEqualTo("AutoStart (Continuation)");
    assertThat(row.run().reason()).isEqualTo("HOURLY");
    assertThat(row.ownership().epoch()).isEqualTo(1);
    assertThat(row.position()).isEqualTo("1");
    assertThat(feed.log).containsExactly("open -", "accepted a", "close", "open 1");
    feed.bring("b");
    engine.runUntilIdle();
    assertThat(modes).containsExactly(StartMode.AUTO_START, StartMode.CONTINUATION);
    assertThat(happened())
        .containsExactly(EventType.SWITCHED_ON, EventType.STARTED, EventType.CONTINUED);
    assertThat(workflows().downtime(NAME, DAY)).isZero();
  }

  @Test
  void aContinuationStaysOnItsNodeAndFetchesNothing() {
    run(telling());
    feed.bring("a");
    look();
    Long node = row().ownership().executorId();
    List<String> called = new ArrayList<>();
    for (String method : List.of("release", "find", "latest", "register")) {
      store.watch(method, arguments -> called.add(method));
    }
    pass(HOUR.plusMinutes(2));
    assertThat(called).isEmpty();
    assertThat(row().run().generation()).isEqualTo(2);
    assertThat(row().ownership().executorId()).isEqualTo(node);
    assertThat(row().ownership().epoch()).isEqualTo(1);
    assertThat(row().health().restarts()).isZero();
    assertThat(feed.log).containsExactly("open -", "accepted a", "close", "open 1");
  }

  @Test
  void everyRunOfAChainKnowsWhenTheWorkflowWasSwitchedOn() {
    List<Instant> since = new ArrayList<>();
    Trigger telling =
        new Trigger() {
          @Override
          public String describe() {
            return "tells since when it is wanted";
          }

          @Override
          public Source open(TriggerScope scope) {
            since.add(scope.since().orElseThrow());
            return Poll::untilWoken;
          }
        };
    run(ContinuousWorkflow.of(NAME, telling).handler(handler));
    Instant first = row().run().chainStarted();
    pass(HOUR);
    workflows().restart(NAME, ANN);
    look();
    assertThat(since).containsExactly(first, first);
    workflows().switchOff(NAME, ANN);
    look();
    workflows().switchOn(NAME, ANN);
    look();
    assertThat(since).hasSize(3).last().isEqualTo(row().run().chainStarted()).isNotEqualTo(first);
  }

  @Test
  void aRunThatHasDoneNothingIsNotContinued() {
    run(telling());
    feed.bring("a");
    pass(HOUR.multipliedBy(5));
    assertThat(row().run().generation()).as("the second run has done nothing").isEqualTo(2);
  }

  @Test
  void continuationCanBeOff() {
    run(telling().continuation(Continuation.OFF));
    feed.bring("a");
    pass(HOUR.multipliedBy(3));
    assertThat(row().run().generation()).isEqualTo(1);
  }

  @Test
  void aContinuationThatSomebodyAsksForTellsWhatStandsAgainstIt() {
    run(telling());
    workflows().debug(NAME, ANN);
    assertThatThrownBy(() -> workflows().continueNow(NAME, ANN))
        .isInstanceOfSatisfying(
            ContinuationRefusedException.class,
            e ->
                assertThat(e.unmet())
                    .extracting(Unmet::condition)
                    .containsExactly(
                        Condition.NOT_DEBUGGED, Condition.ITERATED, Condition.OLD_ENOUGH))
        .hasMessageContaining("ann");
    feed.bring("a");
    pass(HOUR.minusMinutes(5));
    workflows().debug(NAME, ANN);
    pass(Duration.ofMinutes(1));
    workflows().debug(NAME, ANN);
    assertThat(row().run().generation()).isEqualTo(1);
    workflows().endDebug(NAME, ANN);
    pass(Duration.ofMinutes(10));
    assertThat(row().run().generation()).as("the lease of the session has ended").isEqualTo(2);
  }

  @Test
  void aDebugSessionHoldsUpContinuationUntilItsLeaseEnds() {
    run(telling());
    feed.bring("a");
    pass(HOUR.minusMinutes(1));
    for (int i = 0; i < 10; i++) {
      workflows().debug(NAME, ANN);
      pass(Duration.ofMinutes(1));
    }
    assertThat(row().run().generation()).isEqualTo(1);
    pass(Duration.ofMinutes(4));
    assertThat(row().run().generation()).isEqualTo(2);
  }

  @Test
  void aRequestedContinuationHappensAtOnce() {
    run(telling().continuation(new Continuation(false, Duration.ofMinutes(5), Duration.ofDays(1))));
    feed.bring("a");
    pass(Duration.ofMinutes(6));
    workflows().continueNow(NAME, ANN);
    engine.runUntilIdle();
    assertThat(row().run().generation()).isEqualTo(2);
    assertThat(row().run().reason()).isEqualTo("MANUAL");
    assertThat(row().wish().request()).isNull();
  }

  @Test
  void anEngineWithoutTheCodeJudgesByTheSettingsOfTheRow() {
    for (Continuation five :
        List.of(
            Continuation.after(Duration.ofMinutes(5)),
            new Continuation(false, Duration.ofMinutes(5), Duration.ofDays(1)))) {
      AtomicBoolean withCode = new AtomicBoolean(true);
      engine =
          ManualEngine.with(
              ManualEngine.defaultSettings(),
              clock -> store = new FaultyStore(new MemoryStore(clock)),
              builder ->
                  withCode.get() ? builder.continuous(telling().continuation(five)) : builder);
      engine.runUntilIdle();
      feed.bring("a");
      pass(Duration.ofMinutes(3));
      withCode.set(false);
      engine.killExecutor();
      assertThat(workflows().unmet(NAME))
          .extracting(Unmet::text)
          .singleElement()
          .asString()
          .endsWith("less than PT5M ago");
      pass(Duration.ofMinutes(3).minusSeconds(10));
      assertThat(workflows().unmet(NAME)).isEmpty();
      workflows().continueNow(NAME, ANN);
      assertThat(row().wish().request()).isEqualTo(AlwaysOn.Request.CONTINUE);
      engine.close();
      feed.log.clear();
    }
  }

  @Test
  void aContinuationWhoseReplyIsLostIsFoundOut() {
    run(telling());
    feed.bring("a");
    store.failNext("continueAsNew", Fault.LOST_REPLY);
    pass(HOUR.plusMinutes(5));
    feed.bring("b");
    look();
    assertThat(row().run().generation()).isEqualTo(2);
    assertThat(modes).containsExactly(StartMode.AUTO_START, StartMode.CONTINUATION);
  }

  @Test
  void aClaimWhoseReplyIsLostIsFoundOut() {
    run(telling().startsOff());
    assertThat(feed.opened).isZero();
    store.failNext("claim", Fault.LOST_REPLY);
    workflows().switchOn(NAME, ANN);
    pass(Duration.ofSeconds(5));
    feed.bring("a");
    look();
    assertThat(modes).containsExactly(StartMode.MANUAL_START);
    assertThat(row().ownership().epoch()).isEqualTo(1);
  }

  @Test
  void itIsSwitchedOffAndOn() {
    run(telling());
    workflows().switchOff(NAME, ANN);
    engine.runUntilIdle();
    assertThat(row().ownership().executorId()).isNull();
    assertThat(feed.closed).isEqualTo(1);
    feed.bring("a");
    pass(HOUR);
    assertThat(modes).isEmpty();
    assertThat(workflows().downtime(NAME, DAY)).isZero();
    workflows().switchOn(NAME, ANN);
    engine.runUntilIdle();
    assertThat(modes).containsExactly(StartMode.MANUAL_START);
    assertThat(row().run().chain()).isEqualTo(2);
    assertThat(row().run().generation()).isEqualTo(1);
  }

  @Test
  void anotherExecutorTakesOverWhereTheDeadOneWas() {
    run(telling());
    feed.bring("a");
    look();
    Long dead = row().ownership().executorId();
    engine.killExecutor();
    feed.bring("b");
    pass(Duration.ofMinutes(1));
    assertThat(row().ownership().executorId()).as("the lease still runs").isEqualTo(dead);
    pass(engine.leaseTime());
    assertThat(row().ownership().executorId()).isNotEqualTo(dead).isNotNull();
    assertThat(row().run().reason()).isEqualTo("FAILOVER");
    assertThat(row().ownership().epoch()).isEqualTo(2);
    assertThat(feed.log).containsExactly("open -", "accepted a", "open 1", "accepted b");
    assertThat(workflows().downtime(NAME, DAY)).isLessThan(engine.leaseTime());
  }

  @Test
  void nothingFiresWithoutTheLease() {
    run(telling());
    store.down(true);
    pass(Duration.ofMinutes(5));
    assertThat(feed.closed).as("closed as soon as the lease is given up").isEqualTo(1);
    feed.bring("a");
    pass(Duration.ofMinutes(5));
    assertThat(modes).isEmpty();
    store.down(false);
    pass(Duration.ofMinutes(2));
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
    feed.bring("a");
    look();

    assertThat(row().run().reason()).isEqualTo(reason);
    assertThat(starts).extracting(StartInformation::reason).containsExactly(reason);
    assertThat(starts).extracting(StartInformation::mode).containsExactly(StartMode.AUTO_START);
    assertThat(happened())
        .containsExactly(
            EventType.SWITCHED_ON, EventType.STARTED, EventType.GIVEN_BACK, EventType.STARTED);
    assertThat(workflows().events(NAME, null, 2)).extracting(Event::reason).containsOnly(reason);
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
    engine.engine().nodes().drain(id, new DrainRequest(why, null), ANN);
    pass(Duration.ofMinutes(2));
    assertThat(engine.engine().state()).isEqualTo(EngineState.DRAINED);
  }

  @Test
  void aClosedEngineOwnsNothing() {
    run(telling());
    feed.bring("a");
    look();
    engine.engine().close();
    assertThat(feed.closed).isEqualTo(1);
    AlwaysOn row = store.alwaysOn().find(NAME).orElseThrow();
    assertThat(row.ownership().executorId()).isNull();
    assertThat(store.alwaysOn().events(NAME, null, 1).getFirst())
        .satisfies(e -> assertThat(e.type()).isEqualTo(EventType.GIVEN_BACK))
        .satisfies(e -> assertThat(e.reason()).isEqualTo("HAND_OVER"));
    engine = null;
  }
}
