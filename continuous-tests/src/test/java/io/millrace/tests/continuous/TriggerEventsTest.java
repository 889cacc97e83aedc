package io.millrace.tests.continuous;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.codec.JsonLimits;
import io.millrace.continuous.ContinuousSettings;
import io.millrace.continuous.ContinuousStartMode;
import io.millrace.continuous.ContinuousWorkflow;
import io.millrace.continuous.ContinuousWorkflowService;
import io.millrace.continuous.PollResult;
import io.millrace.continuous.StartInformation;
import io.millrace.continuous.TooManyOfferedEventsException;
import io.millrace.continuous.Trigger;
import io.millrace.continuous.TriggerEvent;
import io.millrace.continuous.Triggers;
import io.millrace.continuous.UnknownContinuousWorkflowException;
import io.millrace.definition.Next;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.fixtures.FaultyStore.Fault;
import io.millrace.instance.InstanceQuery;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.InvalidRequestException;
import io.millrace.instance.OperatorAction;
import io.millrace.instance.StartRequest;
import io.millrace.instance.TooLargeException;
import io.millrace.instance.WorkflowInstance;
import io.millrace.store.ContinuousStore;
import io.millrace.store.ContinuousStore.OfferResult;
import io.millrace.testing.ManualEngine;
import io.millrace.testing.MemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests of the events of a trigger. */
class TriggerEventsTest extends ContinuousFixture {

  private List<WorkflowInstance> executions() {
    return engine.client().search(InstanceQuery.all().type(NAME)).items();
  }

  @Test
  void eachEventIsAnExecutionAndTheNextComesWhenItHasEnded() {
    run(workflow());
    feed.addEvent("a");
    feed.addEvent("b");
    engine.runUntilIdle();
    assertThat(handled).containsExactly("a", "b");
    assertThat(executions())
        .hasSize(2)
        .allMatch(one -> one.status() == InstanceStatus.FINISHED)
        .extracting(one -> one.origin().externalId())
        .containsExactlyInAnyOrder("feed|event 0", "feed|event 1");
    assertThat(row().activity().iterations()).isEqualTo(2);
    assertThat(row().position()).isEqualTo("2");
    assertThat(feed.log).containsExactly("open -", "accepted a", "accepted b");
  }

  @Test
  void noEventIsReadWhileAnExecutionRuns() {
    WorkflowDefinition slow =
        WorkflowDefinition.of("slow")
            .start("begin", context -> Next.moveAfter("go", Duration.ofMinutes(10), "later"))
            .state("go", context -> Next.done("done"))
            .build();
    run(ContinuousWorkflow.of(NAME, feed).runs(slow));
    feed.addEvent("a");
    feed.addEvent("b");
    advance(Duration.ofMinutes(9));
    assertThat(feed.polls).isEqualTo(2);
    assertThat(row().activity().executionId()).isNotNull();
    advance(Duration.ofMinutes(2));
    assertThat(feed.polls).isEqualTo(3);
    advance(Duration.ofMinutes(11));
    assertThat(row().activity().fires()).isEqualTo(2);
    assertThat(row().activity().executionId()).isNull();
  }

  @Test
  void anEventThatComesAgainStartsNothingAgain() {
    feed.savesNoPosition = true;
    run(workflow());
    feed.addEvent("a");
    engine.runUntilIdle();
    workflows().restart(NAME, ANN);
    awaitScan();
    feed.addEvent("b");
    awaitScan();
    assertThat(feed.log)
        .containsExactly("open -", "accepted a", "close", "open -", "accepted a", "accepted b");
    assertThat(handled).containsExactly("a", "b");
    assertThat(row().run().reason()).isEqualTo("MANUAL");
    assertThat(row().activity().fires()).isEqualTo(2);
  }

  @Test
  void anEventWhoseReplyIsLostIsWrittenOnce() {
    run(workflow());
    store.failNext("fire", Fault.LOST_REPLY);
    feed.addEvent("a");
    awaitScan();
    awaitScan();
    assertThat(handled).containsExactly("a");
    assertThat(executions()).hasSize(1);
    assertThat(feed.log).startsWith("open -", "close", "open 1");
  }

  @Test
  void anEventWithoutIdWhoseReplyIsLostIsWrittenOnce() {
    feed.eventsHaveIds = false;
    run(workflow());
    store.failNext("fire", Fault.LOST_REPLY);
    feed.addEvent("a");
    awaitScan();
    feed.addEvent("b");
    awaitScan();
    assertThat(handled).containsExactly("a", "b");
  }

  @Test
  void anEventWhoseRequestIsLostComesAgain() {
    run(workflow());
    store.failNext("fire", Fault.LOST_REQUEST);
    feed.addEvent("a");
    awaitScan();
    assertThat(handled).containsExactly("a");
    assertThat(feed.log).containsExactly("open -", "close", "open -", "accepted a");
  }

  @Test
  void theEndOfAnExecutionIsLearntOfAlthoughTheAnswerWasLost() {
    run(workflow());
    store.failNext("acknowledgeEnded", Fault.LOST_REPLY);
    feed.addEvent("a");
    feed.addEvent("b");
    awaitScan();
    awaitScan();
    assertThat(handled).containsExactly("a", "b");
  }

  @Test
  void anIdleSourceIsNotAsked() {
    run(workflow());
    advance(Duration.ofHours(3));
    assertThat(feed.polls).isEqualTo(1);
    feed.idle = () -> PollResult.waitFor(Duration.ofMinutes(10));
    feed.last.wake();
    advance(Duration.ofHours(1));
    assertThat(feed.polls).isBetween(7, 8);
  }

  @Test
  void aSourceThatRestsForNothingIsNotAskedAllTheTime() {
    feed.idle = () -> PollResult.waitFor(Duration.ZERO);
    run(workflow());
    advance(Duration.ofSeconds(1));
    assertThat(feed.polls).isLessThan(150);
  }

  @Test
  void aHandlerLearnsHowTheRunBegan() {
    List<TriggerEvent> events = new ArrayList<>();
    List<Map<?, ?>> inputs = new ArrayList<>();
    run(
        ContinuousWorkflow.of(NAME, feed)
            .handler((context, event) -> {
              events.add(event);
              inputs.add(context.input(Map.class));
              return Next.done("handled");
            }));
    feed.addEvent("a");
    engine.runUntilIdle();
    StartInformation start = events.getFirst().start();
    assertThat(start.xml())
        .isEqualTo(
            "<Initialisation><Mode>AutoStart</Mode><Reason>DEPLOY</Reason><ChainId>feed/1</ChainId>"
                + "<RunId>feed/1/1</RunId><PreviousRunId></PreviousRunId><Generation>1</Generation>"
                + "<Node>"
                + engine.engine().executorId()
                + "</Node><Epoch>1</Epoch><Environment>millrace</Environment>"
                + "<StartedAtUtc>2026-01-05T08:00:00Z</StartedAtUtc></Initialisation>");
    assertThat(inputs.getFirst().get("InitilisationXml")).isEqualTo(start.xml());
    assertThat(inputs.getFirst().get("InitializationXml")).isEqualTo(start.xml());
    assertThat(((Map<?, ?>) inputs.getFirst().get("start")).get("Mode")).isEqualTo("AutoStart");
  }

  @Test
  void anExecutionKnowsHowItWasStarted() {
    List<ContinuousStartMode> modes = new ArrayList<>();
    List<String> payloads = new ArrayList<>();
    run(
        ContinuousWorkflow.of(NAME, feed)
            .handler((context, event) -> {
              modes.add(event.start().mode());
              payloads.add(event.payload(String.class));
              return Next.done("handled");
            }));
    workflows().runNow(NAME, "now", ANN);
    engine.runUntilIdle();
    workflows().runToDebug(NAME, "debug", ANN);
    engine.runUntilIdle();
    engine.client().start(StartRequest.of(NAME, "api"));
    engine.runUntilIdle();
    assertThat(modes)
        .containsExactly(
            ContinuousStartMode.RUN_NOW, ContinuousStartMode.DEBUG, ContinuousStartMode.API_INVOKE);
    assertThat(payloads).containsExactly("now", "debug", "api");
    assertThat(row().activity().iterations()).isZero();
    assertThat(ContinuousStartMode.values())
        .extracting(ContinuousStartMode::code)
        .containsExactly(
            "AutoStart", "AutoStart (Continuation)", "ManualStart", "RunNow", "ApiInvoke", "Debug");
  }

  @Test
  void anEventFromOutsideWaitsForTheTrigger() {
    List<Map<?, ?>> payloads = new ArrayList<>();
    Trigger outside =
        new Trigger() {
          @Override
          public String describe() {
            return "offered events";
          }

          @Override
          public Source open(io.millrace.continuous.TriggerContext scope) {
            return () ->
                scope
                    .nextOfferedEvent()
                    .<PollResult>map(PollResult.Offered::new)
                    .orElse(PollResult.untilWoken());
          }
        };
    run(
        ContinuousWorkflow.of(NAME, outside)
            .handler((context, event) -> {
              payloads.add(event.payload(Map.class));
              return Next.done("handled");
            }));
    assertThat(workflows().offer(NAME, "k1", Map.of("n", 1))).isEqualTo(OfferResult.KEPT);
    assertThat(workflows().offer(NAME, "k1", Map.of("n", 1))).isEqualTo(OfferResult.KNOWN);
    workflows().offer(NAME, "k2", Map.of("n", 2));
    engine.runUntilIdle();
    assertThat(payloads)
        .extracting(one -> one.get("n"))
        .map(Object::toString)
        .containsExactly("1", "2");
    assertThatThrownBy(() -> workflows().offer("nobody", "k", "x"))
        .isInstanceOf(UnknownContinuousWorkflowException.class)
        .hasMessageContaining("nobody");
    assertThatThrownBy(() -> workflows().offer(NAME, "k".repeat(201), "x"))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("201 characters");
  }

  /** The payload alone is within the limits of a value; with the start of the run it is not. */
  @Test
  void anEventFromOutsideThatNoExecutionCouldHaveIsRefused() {
    run(ContinuousWorkflow.of(NAME, Triggers.webhook()).handler(handler));
    int most = JsonLimits.DEFAULT.maxBytes();
    assertThatThrownBy(() -> workflows().offer(NAME, "k1", "x".repeat(most - 10)))
        .isInstanceOf(TooLargeException.class)
        .hasMessageContaining("The input of an execution of 'feed' with this event")
        .hasMessageContaining("expected at most " + most);
    Object deep = "x";
    for (int i = 0; i < JsonLimits.DEFAULT.maxDepth(); i++) {
      deep = List.of(deep);
    }
    Object deepest = deep;
    assertThatThrownBy(() -> workflows().offer(NAME, "k2", deepest))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("The input of an execution of 'feed' with this event");
    workflows().offer(NAME, "k3", "a");
    engine.runUntilIdle();
    assertThat(handled).containsExactly("a");
    assertThat(row().health().error()).isNull();
  }

  @Test
  void offeredEventsAreRefusedWhenAsManyWaitAsMay() {
    run(
        ContinuousSettings.defaults().maxOfferedEvents(2),
        ContinuousWorkflow.of(NAME, Triggers.webhook()).handler(handler));
    workflows().disable(NAME, ANN);
    awaitScan();
    workflows().offer(NAME, "k1", "a");
    workflows().offer(NAME, "k2", "b");
    assertThat(workflows().offer(NAME, "k2", "b")).isEqualTo(OfferResult.KNOWN);
    assertThatThrownBy(() -> workflows().offer(NAME, "k3", "c"))
        .isInstanceOf(TooManyOfferedEventsException.class)
        .hasMessageStartingWith("2 offered events wait for the continuous workflow 'feed'")
        .hasMessageContaining("again later")
        .hasMessageContaining("maxOfferedEvents");
    workflows().enable(NAME, ANN);
    awaitScan();
    assertThat(workflows().offer(NAME, "k3", "c")).isEqualTo(OfferResult.KEPT);
    awaitScan();
    assertThat(handled).containsExactly("a", "b", "c");
    assertThatThrownBy(() -> ContinuousSettings.defaults().maxOfferedEvents(0))
        .hasMessageContaining("offered events is 0, expected 1 or more");
  }

  @Test
  void whatAnEngineHasIsKnownBeforeItsMonitorHasLooked() {
    try (ManualEngine fresh =
        ManualEngine.with(
            ManualEngine.defaultSettings(),
            MemoryStore::new,
            builder -> builder.continuous(ContinuousWorkflow.of("early", feed).handler(handler)))) {
      ContinuousWorkflowService early = fresh.engine().continuous();
      assertThat(early.list(ContinuousStore.Filter.ALL, null, 10)).isEmpty();
      assertThat(early.runNow("early", "x", OperatorAction.by("ann"))).isPositive();
      assertThat(early.find("none")).isEmpty();
    }
  }

  @Test
  void badWorkflowsAreRefused() {
    assertThatThrownBy(() -> run(workflow(), ContinuousWorkflow.of(NAME, feed).handler(handler)))
        .isInstanceOf(InvalidRequestException.class);
    assertThatThrownBy(() -> run(workflow(), workflow().runs(workflow().events())))
        .hasMessageContaining(NAME);
    assertThatThrownBy(() -> run(ContinuousWorkflow.of("idle", feed)))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("handler(...)");
    assertThatThrownBy(() -> ContinuousWorkflow.of("a|b", feed))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("a|b");
  }
}
