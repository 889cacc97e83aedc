package io.millrace.server.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.definition.Next;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.instance.HistoryEntry;
import io.millrace.instance.InstanceQuery;
import io.millrace.instance.OperatorAction;
import io.millrace.instance.StartRequest;
import io.millrace.instance.WorkflowInstance;
import io.millrace.lifecycle.EngineClock;
import io.millrace.lifecycle.EngineRuntime;
import io.millrace.lifecycle.EngineSettings.Retention;
import io.millrace.server.config.ObservabilityConfig;
import io.millrace.server.config.ObservabilityConfig.AlertCondition;
import io.millrace.server.config.QuietTime;
import io.millrace.server.deliver.WebhookSender;
import io.millrace.server.deliver.WebhookServer;
import io.millrace.server.security.OutboundClient;
import io.millrace.store.Store;
import io.millrace.testing.ManualEngine;
import io.millrace.testing.MemoryStore;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests alerts with a settable clock and a real webhook receiver. */
class AlertMonitorTest {

  private static final Duration MUTE = Duration.ofMinutes(30);
  private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(15);

  @AutoClose private final WebhookServer hook;

  private final AtomicReference<Store> opened = new AtomicReference<>();
  private final Store store = later(opened);
  private AlertMonitor alertMonitor;
  private ManualEngine engine;

  AlertMonitorTest() throws IOException {
    hook = new WebhookServer();
  }

  @BeforeEach
  void start() {
    start(rule("failures", AlertCondition.FAILED, 2, Duration.ofMinutes(5)));
  }

  private void start(ObservabilityConfig.Alert... rules) {
    if (engine != null) {
      engine.close();
    }
    alertMonitor =
        new AlertMonitor(
            new ObservabilityConfig(
                true,
                new ObservabilityConfig.Logs(1, 100, 100),
                List.of(rules),
                null,
                List.of("127.0.0.1"),
                ObservabilityConfig.Status.DEFAULT),
            store,
            "millrace",
            Retention.NONE,
            OutboundClient.allowing(Set.of("127.0.0.1"), EngineClock.system()),
            EngineRuntime.system());
    WorkflowDefinition broken =
        WorkflowDefinition.of("broken").start("work", ctx -> Next.fail("no stock")).build();
    engine =
        ManualEngine.with(
            ManualEngine.defaultSettings(),
            clock -> {
              opened.set(new MemoryStore(clock));
              return opened.get();
            },
            broken,
            alertMonitor.workflows().getFirst());
  }

  @AfterEach
  void stop() {
    engine.close();
  }

  @Test
  void anAlertIsToldOnceThenRemindedOfThenResolved() {
    fail(1);
    look();
    assertThat(hook.received()).isEmpty();

    fail(1);
    look();
    look();
    assertThat(hook.received()).hasSize(1);
    var first = hook.received().getFirst().json();
    assertThat(first.get("event").asString()).isEqualTo("raised");
    assertThat(first.get("alert").get("rule").asString()).isEqualTo("failures");
    assertThat(first.get("alert").get("when").asString()).isEqualTo("failed");
    assertThat(first.get("alert").get("count").asLong()).isEqualTo(2);
    assertThat(first.get("alert").get("threshold").asLong()).isEqualTo(2);
    assertThat(first.get("alert").get("detail").asString())
        .isEqualTo("2 instances failed within 5m: [broken]");

    failEveryMinute(31);
    assertThat(events()).containsExactly("raised", "reminder");
    assertThat(hook.received().getLast().json().get("alert").get("count").asLong()).isEqualTo(4);

    engine.advance(Duration.ofMinutes(10));
    look();
    assertThat(events()).containsExactly("raised", "reminder", "resolved");
    look();
    engine.advance(MUTE.multipliedBy(3));
    assertThat(hook.received()).hasSize(3);
    assertThat(alertMonitor.activeAlerts()).isEmpty();
  }

  @Test
  void whatIsOnIsListed() {
    fail(3);
    look();
    assertThat(alertMonitor.activeAlerts())
        .singleElement()
        .satisfies(alert -> {
          assertThat(alert.rule()).isEqualTo("failures");
          assertThat(alert.detail()).isEqualTo("3 instances failed within 5m: [broken]");
          assertThat(alert.since()).isEqualTo(ManualEngine.START.plus(BETWEEN_LOOKS));
          assertThat(alert.quiet()).isFalse();
        });
  }

  @Test
  void aPausedAlertIsQuiet() {
    fail(2);
    look();
    long id = alertMonitor.activeAlerts().getFirst().instanceId();
    engine.client().pause(id, OperatorAction.by("anna", "known, mended tomorrow"));
    engine.advance(MUTE.multipliedBy(4));
    assertThat(hook.received()).hasSize(1);

    fail(2);
    look();
    assertThat(alertMonitor.activeAlerts().getFirst().quiet()).isTrue();
    assertThat(hook.received()).hasSize(1);
  }

  @Test
  void aSecondAlertOfARuleIsAnotherInstance() {
    fail(2);
    look();
    engine.advance(Duration.ofMinutes(10));
    look();
    fail(2);
    look();
    assertThat(events()).containsExactly("raised", "resolved", "raised");
    assertThat(instances()).hasSize(2);
  }

  @Test
  void twoNodesThatLookAtTheSameTimeRaiseOne() {
    fail(2);
    alertMonitor.checkRules(engine.client(), engine.engine().executorId());
    alertMonitor.checkRules(engine.client(), engine.engine().executorId());
    assertThat(instances()).hasSize(1);
  }

  @Test
  void aNodeLeavesItToTheEldest() {
    fail(2);
    long own = engine.engine().executorId();
    alertMonitor.checkRules(engine.client(), own + 1);
    alertMonitor.checkRules(engine.client(), null);
    assertThat(instances()).isEmpty();
    alertMonitor.checkRules(engine.client(), own);
    assertThat(instances()).hasSize(1);
  }

  @Test
  void anAlertSurvivesItsNode() {
    fail(2);
    look();
    engine.killExecutor();
    engine.advance(engine.leaseTime());
    engine.advance(MUTE);
    assertThat(events()).containsExactly("raised", "reminder");
  }

  @Test
  void aMessageThatWasNotTakenIsRepeatedAsTheSameDelivery() {
    hook.answerWith(500, 302);
    fail(2);
    look();
    engine.advance(Duration.ofMinutes(1));
    assertThat(events()).containsExactly("raised", "raised", "raised");
    assertThat(hook.received())
        .extracting(received -> received.headers().get(WebhookSender.DELIVERY))
        .containsOnly(hook.received().getFirst().headers().get(WebhookSender.DELIVERY));
    assertThat(history(alertMonitor.activeAlerts().getFirst().instanceId()))
        .anyMatch(line -> line.contains("answered 500, expected 200 to 299"))
        .anyMatch(line -> line.contains("redirects are not followed"));
  }

  @Test
  void whatIsPostedIsSigned() {
    fail(2);
    look();
    WebhookServer.Received received = hook.received().getFirst();
    long at = Instant.parse(received.json().get("at").asString()).getEpochSecond();
    assertThat(received.headers().get(WebhookSender.SIGNATURE))
        .isEqualTo(WebhookSender.signature("k3y", at, received.body()))
        .matches("t=\\d+,v1=[0-9a-f]{64}");
  }

  @Test
  void aRuleThatCannotBeRaisedKeepsNoOtherFromItsTurn() {
    start(
        rule("x".repeat(300), AlertCondition.FAILED, 1, Duration.ofMinutes(5)),
        rule("fitting", AlertCondition.FAILED, 1, Duration.ofMinutes(5)));
    fail(1);
    look();
    assertThat(alertMonitor.activeAlerts())
        .extracting(AlertMonitor.ActiveAlert::rule)
        .containsExactly("fitting");
  }

  @Test
  void anAddressInsideIsRefused() {
    start(
        new ObservabilityConfig.Alert(
            "inside",
            AlertCondition.FAILED,
            null,
            1,
            Duration.ofMinutes(5),
            new ObservabilityConfig.Target(URI.create("http://10.1.2.3/"), null, List.of()),
            MUTE));
    fail(1);
    look();
    assertThat(history(alertMonitor.activeAlerts().getFirst().instanceId()))
        .anyMatch(line -> line.contains("private address 10.1.2.3"));
  }

  @Test
  void anAlertThatNobodyHearsIsNoFailureAndIsTriedAgain() {
    hook.answerWith(Collections.nCopies(20, 500).toArray(new Integer[0]));
    fail(2);
    look();
    engine.advance(Duration.ofHours(4));
    long id = instances().getFirst().id();
    assertThat(history(id)).contains("nobody could be told; the next try follows");
    assertThat(events()).hasSizeGreaterThan(20).endsWith("reminder");
  }

  @Test
  void inQuietTimeAnAlertNeitherBeginsNorReminds() {
    start(quietFrom(Duration.ofMinutes(20)));
    fail(1);
    look();
    assertThat(events()).containsExactly("raised");
    failEveryMinute(65);
    assertThat(events()).as("MUTE has passed twice, in quiet time").containsExactly("raised");
    failEveryMinute(30);
    assertThat(events()).containsExactly("raised", "reminder");

    engine.close();
    start(quietFrom(Duration.ZERO));
    fail(1);
    look();
    assertThat(hook.received()).hasSize(2);
    engine.advance(Duration.ofHours(1));
    fail(1);
    look();
    assertThat(events()).containsExactly("raised", "reminder", "raised");
  }

  private void failEveryMinute(int minutes) {
    for (int minute = 0; minute < minutes; minute++) {
      engine.advance(Duration.ofMinutes(1));
      fail(1);
      look();
    }
  }

  /**
   * Returns a rule with a quiet hour, which starts so long after the start of the engine's clock.
   */
  private ObservabilityConfig.Alert quietFrom(Duration later) {
    LocalTime from =
        LocalTime.ofInstant(ManualEngine.START.plus(later), ZoneOffset.UTC)
            .truncatedTo(ChronoUnit.MINUTES);
    QuietTime hour = new QuietTime(EnumSet.allOf(DayOfWeek.class), from, from.plusHours(1));
    return new ObservabilityConfig.Alert(
        "silent",
        AlertCondition.FAILED,
        null,
        1,
        Duration.ofMinutes(5),
        new ObservabilityConfig.Target(hook.url(), null, List.of()),
        new ObservabilityConfig.QuietPeriods(MUTE, List.of(hour), ZoneOffset.UTC));
  }

  @Test
  void aRuleOfOneTypeDoesNotSeeOthers() {
    start(
        new ObservabilityConfig.Alert(
            "others",
            AlertCondition.FAILED,
            "report",
            1,
            Duration.ofMinutes(5),
            new ObservabilityConfig.Target(hook.url(), null, List.of()),
            MUTE));
    fail(3);
    look();
    assertThat(hook.received()).isEmpty();
  }

  private void fail(int times) {
    for (int i = 0; i < times; i++) {
      engine.client().start(StartRequest.of("broken"));
    }
    engine.runUntilIdle();
  }

  /** Lets the monitor evaluate the rules once, and runs everything that follows at once. */
  private void look() {
    engine.advance(BETWEEN_LOOKS);
    alertMonitor.checkRules(engine.client(), engine.engine().executorId());
    engine.runUntilIdle();
  }

  private List<String> events() {
    return hook.received().stream().map(one -> one.json().get("event").asString()).toList();
  }

  private List<WorkflowInstance> instances() {
    return engine.client().search(InstanceQuery.all().type(AlertWorkflow.TYPE)).items();
  }

  private List<String> history(long id) {
    return engine.client().history(id).stream()
        .map(HistoryEntry::outcome)
        .map(outcome -> String.valueOf(outcome.reason()))
        .toList();
  }

  private ObservabilityConfig.Alert rule(
      String name, AlertCondition when, int threshold, Duration over) {
    return new ObservabilityConfig.Alert(
        name,
        when,
        null,
        threshold,
        over,
        new ObservabilityConfig.Target(hook.url(), "k3y", List.of()),
        MUTE);
  }

  /**
   * Returns a store that is opened later, because the engine opens its store after the workflow of
   * the alerts was created.
   */
  private static Store later(AtomicReference<Store> opened) {
    return (Store)
        Proxy.newProxyInstance(
            AlertMonitorTest.class.getClassLoader(),
            new Class<?>[] {Store.class},
            (proxy, method, arguments) -> {
              try {
                return method.invoke(opened.get(), arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
