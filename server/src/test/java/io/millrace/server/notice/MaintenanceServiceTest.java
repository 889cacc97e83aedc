package io.millrace.server.notice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.ServerSetup;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.instance.ConflictException;
import io.millrace.instance.InstanceNotFoundException;
import io.millrace.instance.InstanceQuery;
import io.millrace.instance.InvalidRequestException;
import io.millrace.instance.OperatorAction;
import io.millrace.instance.StartRequest;
import io.millrace.instance.WorkflowInstance;
import io.millrace.lifecycle.EngineClock;
import io.millrace.server.config.ObservabilityConfig;
import io.millrace.server.deliver.WebhookSender;
import io.millrace.server.deliver.WebhookServer;
import io.millrace.server.security.OutboundClient;
import io.millrace.server.security.RejectedUrlException;
import io.millrace.testing.ManualEngine;
import jakarta.mail.MessagingException;
import jakarta.mail.internet.MimeMessage;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests maintenance with a settable clock, a webhook receiver and a mail server. */
class MaintenanceServiceTest {

  private static final OperatorAction ANNA = OperatorAction.by("anna");
  private static final Instant FROM = ManualEngine.START.plus(Duration.ofHours(2));
  private static final Pattern LINK =
      Pattern.compile(
          "https://jobs\\.example\\.org/mill/status-page/(\\w+)\\?id=(\\d+)&token=(\\S+)");

  @AutoClose private final WebhookServer hook;

  private final GreenMail mail =
      new GreenMail(new ServerSetup(0, "127.0.0.1", ServerSetup.PROTOCOL_SMTP));
  private MaintenanceService maintenanceService;
  private ManualEngine engine;

  MaintenanceServiceTest() throws IOException {
    hook = new WebhookServer();
  }

  @BeforeEach
  void start() {
    mail.start();
    maintenanceService =
        new MaintenanceService(
            settings(),
            OutboundClient.allowing(Set.of("127.0.0.1"), EngineClock.system()),
            new SubscriptionTokens("key of the test"),
            () -> engine.clock().instant());
    engine = ManualEngine.with(maintenanceService.workflows().toArray(WorkflowDefinition[]::new));
    maintenanceService.connect(engine.client());
  }

  private ObservabilityConfig settings() {
    return new ObservabilityConfig(
        true,
        new ObservabilityConfig.Logs(1, 100, 100),
        List.of(),
        new ObservabilityConfig.Mail(
            "127.0.0.1",
            mail.getSmtp().getPort(),
            null,
            null,
            "millrace@example.org",
            ObservabilityConfig.MailTls.NONE),
        List.of("127.0.0.1"),
        new ObservabilityConfig.Status(true, URI.create("https://jobs.example.org/mill/"), "k3y"));
  }

  @AfterEach
  void stop() {
    engine.close();
    mail.stop();
  }

  @Test
  void aPlannedMaintenanceRunsThroughItsStagesByItself() {
    long id = plan(true);
    assertThat(stage(id)).isEqualTo(MaintenanceStage.SCHEDULED);

    engine.advance(Duration.ofHours(2));
    assertThat(stage(id)).isEqualTo(MaintenanceStage.IN_PROGRESS);
    assertThat(maintenanceService.get(id).since()).isEqualTo(FROM);

    engine.advance(Duration.ofHours(1));
    assertThat(stage(id)).isEqualTo(MaintenanceStage.COMPLETED);
    assertThat(maintenanceService.list()).extracting(Maintenance::id).containsExactly(id);
  }

  @Test
  void onePlannedByHandWaitsForPeople() {
    long id = plan(false);
    engine.advance(Duration.ofDays(2));
    assertThat(stage(id)).isEqualTo(MaintenanceStage.SCHEDULED);

    advance(id, MaintenanceStage.IN_PROGRESS);
    advance(id, MaintenanceStage.VERIFYING);
    advance(id, MaintenanceStage.IN_PROGRESS);
    advance(id, MaintenanceStage.COMPLETED);
    assertThat(stage(id)).isEqualTo(MaintenanceStage.COMPLETED);

    assertThatThrownBy(() -> maintenanceService.advance(id, MaintenanceStage.VERIFYING, ANNA))
        .isInstanceOf(ConflictException.class)
        .hasMessageContaining("is completed and cannot become verifying; plan another one");
    assertThatThrownBy(() -> maintenanceService.change(id, planOf(true), ANNA))
        .isInstanceOf(ConflictException.class)
        .hasMessageContaining("has ended");
  }

  @Test
  void aStageThatCannotFollowIsRefusedWithThoseThatCan() {
    long id = plan(false);
    assertThatThrownBy(() -> maintenanceService.advance(id, MaintenanceStage.VERIFYING, ANNA))
        .isInstanceOf(ConflictException.class)
        .hasMessageContaining("expected one of [cancelled, inProgress]");
  }

  @Test
  void everySubscriberIsToldOnceOfEachStageAndOfEachChange() throws Exception {
    maintenanceService.subscriptions().add(new Subscription(null, hook.url(), List.of(), "anna"));
    long id = plan(true);
    maintenanceService.change(id, planOf(true), ANNA);
    engine.runUntilIdle();
    engine.advance(Duration.ofHours(2));
    engine.advance(Duration.ofHours(1));

    assertThat(events())
        .containsExactly(
            "maintenance.scheduled 1",
            "maintenance.scheduled 2",
            "maintenance.inProgress 2",
            "maintenance.completed 2");
    WebhookServer.Received first = hook.received().getFirst();
    long at = Instant.parse(first.json().get("at").asString()).getEpochSecond();
    assertThat(first.headers().get(WebhookSender.SIGNATURE))
        .isEqualTo(WebhookSender.signature("k3y", at, first.body()));
    assertThat(first.json().get("maintenance").get("plan").get("title").asString())
        .isEqualTo("New disks");
  }

  @Test
  void aStageThatComesAgainIsToldAgain() throws Exception {
    maintenanceService.subscriptions().add(new Subscription(null, hook.url(), List.of(), "anna"));
    long id = plan(false);
    for (MaintenanceStage maintenanceStage :
        List.of(
            MaintenanceStage.IN_PROGRESS,
            MaintenanceStage.VERIFYING,
            MaintenanceStage.IN_PROGRESS)) {
      advance(id, maintenanceStage);
    }
    assertThat(events())
        .containsExactly(
            "maintenance.scheduled 1",
            "maintenance.inProgress 1",
            "maintenance.verifying 1",
            "maintenance.inProgress 1");
  }

  @Test
  void aMessageThatDoesNotArriveIsRepeatedAndMarkedAsTheSame() throws Exception {
    maintenanceService.subscriptions().add(new Subscription(null, hook.url(), List.of(), "anna"));
    hook.answerWith(500, 302);
    plan(true);
    engine.advance(Duration.ofMinutes(1));

    assertThat(events()).containsOnly("maintenance.scheduled 1").hasSize(3);
    assertThat(hook.received())
        .extracting(received -> received.headers().get(WebhookSender.DELIVERY))
        .containsOnly(hook.received().getFirst().headers().get(WebhookSender.DELIVERY));
  }

  @Test
  void onlyThoseAreToldWhomItConcerns() throws Exception {
    maintenanceService
        .subscriptions()
        .add(new Subscription(null, hook.url(), List.of("billing"), "anna"));
    plan(true);
    assertThat(hook.received()).isEmpty();

    MaintenancePlan plan = planOf(true);
    maintenanceService.plan(
        new MaintenancePlan(
            plan.title(),
            plan.text(),
            List.of("billing", "web"),
            plan.impact(),
            plan.from(),
            plan.until(),
            false),
        null);
    engine.runUntilIdle();
    assertThat(events()).containsExactly("maintenance.scheduled 1");
  }

  @Test
  void aStrangerIsToldOnlyAfterConfirmingAndUntilUnsubscribing() throws Exception {
    maintenanceService
        .subscriptions()
        .requestConfirmation("eve@example.org", List.of(), rateLimiter());
    engine.runUntilIdle();
    plan(true);
    assertThat(mail.getReceivedMessages()).hasSize(1);
    Matcher link = link(mail.getReceivedMessages()[0]);
    assertThat(link.group(1)).isEqualTo("confirm");
    long id = Long.parseLong(link.group(2));
    assertThat(maintenanceService.subscriptions().confirm(id, "guessed")).isFalse();
    assertThat(maintenanceService.subscriptions().confirm(id, link.group(3))).isTrue();
    engine.runUntilIdle();

    plan(true);
    MimeMessage[] told = mail.getReceivedMessages();
    assertThat(told).hasSize(2);
    assertThat(told[1].getSubject()).isEqualTo("Scheduled: New disks");
    assertThat(told[1].getContent().toString())
        .contains("5 January 2026, 10:00 UTC")
        .contains("https://jobs.example.org/mill/status-page");
    Matcher end = link(told[1]);
    assertThat(end.group(1)).isEqualTo("unsubscribe");
    assertThat(maintenanceService.subscriptions().unsubscribe(id, end.group(3))).isTrue();
    engine.runUntilIdle();
    assertThat(maintenanceService.subscriptions().unsubscribe(id, end.group(3))).isFalse();

    plan(true);
    assertThat(mail.getReceivedMessages()).hasSize(2);
  }

  @Test
  void anAddressThatDoesNotConfirmIsForgotten() {
    maintenanceService
        .subscriptions()
        .requestConfirmation("eve@example.org", List.of(), rateLimiter());
    engine.runUntilIdle();
    maintenanceService
        .subscriptions()
        .requestConfirmation("eve@example.org", List.of(), rateLimiter());
    engine.runUntilIdle();
    assertThat(mail.getReceivedMessages()).hasSize(1);

    engine.advance(SubscriptionWorkflow.PATIENCE);
    assertThat(maintenanceService.subscriptions().page(null, 10).items()).isEmpty();
    maintenanceService
        .subscriptions()
        .requestConfirmation("eve@example.org", List.of(), rateLimiter());
    engine.runUntilIdle();
    assertThat(mail.getReceivedMessages()).hasSize(2);
  }

  @Test
  void mailsOfAFloodWaitForOneAnotherAndForNothingElse() throws Exception {
    MailRateLimiter slow = new MailRateLimiter(engine.clock(), Duration.ofMinutes(1), 2);
    for (int i = 0; i < 20; i++) {
      maintenanceService
          .subscriptions()
          .requestConfirmation("eve" + i + "@example.org", List.of(), slow);
    }
    engine.runUntilIdle();
    assertThat(mail.getReceivedMessages()).hasSize(2);

    maintenanceService
        .subscriptions()
        .requestConfirmation("ann@example.org", List.of(), rateLimiter());
    engine.runUntilIdle();
    assertThat(recipients()).hasSize(3).contains("ann@example.org");
    engine.advance(Duration.ofMinutes(3));
    assertThat(recipients()).hasSize(6).contains("eve4@example.org");
    engine.advance(Duration.ofMinutes(15));
    assertThat(recipients()).hasSize(21);
  }

  @Test
  void anAddressThatAFloodNamedIsAskedAtOnceWhenItsOwnerWantsIt() throws Exception {
    MailRateLimiter slow = new MailRateLimiter(engine.clock(), Duration.ofHours(1), 1);
    maintenanceService.subscriptions().requestConfirmation("eve@example.org", List.of(), slow);
    maintenanceService.subscriptions().requestConfirmation("ann@example.org", List.of(), slow);
    maintenanceService.subscriptions().requestConfirmation("ann@example.org", List.of(), slow);
    engine.runUntilIdle();
    assertThat(recipients()).containsExactly("eve@example.org");

    maintenanceService
        .subscriptions()
        .requestConfirmation("ann@example.org", List.of(), rateLimiter());
    maintenanceService
        .subscriptions()
        .requestConfirmation("ann@example.org", List.of(), rateLimiter());
    engine.runUntilIdle();
    maintenanceService
        .subscriptions()
        .requestConfirmation("ann@example.org", List.of(), rateLimiter());
    engine.advance(Duration.ofHours(2));
    assertThat(recipients()).containsExactly("eve@example.org", "ann@example.org");
    assertThat(search(SubscriptionWorkflow.TYPE))
        .extracting(WorkflowInstance::state)
        .containsOnly(SubscriptionWorkflow.UNCONFIRMED);
  }

  @Test
  void aMailboxGetsThreeMailsADayHoweverItsAddressIsSpelled() throws Exception {
    for (int i = 0; i < 5; i++) {
      maintenanceService
          .subscriptions()
          .requestConfirmation("Ann+" + i + "@example.org", List.of(), rateLimiter());
      maintenanceService
          .subscriptions()
          .requestConfirmation("ann+" + i + "@EXAMPLE.org", List.of(), rateLimiter());
    }
    maintenanceService
        .subscriptions()
        .requestConfirmation("ann@example.org", List.of(), rateLimiter());
    engine.runUntilIdle();
    assertThat(recipients()).hasSize(3);

    maintenanceService
        .subscriptions()
        .add(new Subscription("ann@example.org", null, List.of(), "anna"));
    engine.advance(Duration.ofDays(1).plusMinutes(1));
    maintenanceService
        .subscriptions()
        .requestConfirmation("ann+4@example.org", List.of(), rateLimiter());
    engine.runUntilIdle();
    assertThat(recipients()).hasSize(4).endsWith("ann+4@example.org");
  }

  @Test
  void aMailQueuedForASubscriberWhoUnsubscribesIsNotSent() throws Exception {
    long id =
        maintenanceService
            .subscriptions()
            .add(new Subscription(null, hook.url(), List.of(), "anna"));
    hook.answerWith(500);
    plan(true);
    assertThat(hook.received()).hasSize(1);
    maintenanceService.subscriptions().unsubscribe(id, ANNA);
    engine.advance(Duration.ofHours(1));
    assertThat(hook.received()).hasSize(1);
    assertThat(search(NotificationWorkflow.TYPE))
        .singleElement()
        .extracting(WorkflowInstance::state)
        .isEqualTo("NOT_WANTED");
  }

  @Test
  void aWebhookInsideOfTheHouseIsRefused() {
    Subscription inside =
        new Subscription(null, URI.create("http://10.0.0.7/hook"), List.of(), "anna");
    assertThatThrownBy(() -> maintenanceService.subscriptions().add(inside))
        .isInstanceOf(RejectedUrlException.class);
    assertThat(search(SubscriptionWorkflow.TYPE)).isEmpty();
  }

  @Test
  void whatIsNoMaintenanceIsNotTakenForOne() {
    long id =
        engine
            .client()
            .start(
                StartRequest.of(
                    SubscriptionWorkflow.TYPE,
                    new Subscription(null, hook.url(), List.of(), "anna")))
            .id();
    assertThatThrownBy(() -> maintenanceService.get(id))
        .isInstanceOf(InstanceNotFoundException.class);
    assertThatThrownBy(() -> maintenanceService.subscriptions().unsubscribe(plan(true), ANNA))
        .isInstanceOf(InstanceNotFoundException.class);
  }

  @Test
  void aPlanThatEndsBeforeItBeginsIsRefused() {
    assertThatThrownBy(() ->
            new MaintenancePlan("x", "", List.of(), MaintenancePlan.Impact.NONE, FROM, FROM, true))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("expected an end after the beginning");
  }

  private MailRateLimiter rateLimiter() {
    return new MailRateLimiter(engine.clock(), Duration.ofSeconds(1), 1);
  }

  private List<String> recipients() throws MessagingException {
    List<String> all = new ArrayList<>();
    for (MimeMessage one : mail.getReceivedMessages()) {
      all.add(one.getAllRecipients()[0].toString());
    }
    return all;
  }

  private long plan(boolean automatic) {
    long id = maintenanceService.plan(planOf(automatic), null);
    engine.runUntilIdle();
    return id;
  }

  private static MaintenancePlan planOf(boolean automatic) {
    return new MaintenancePlan(
        "New disks",
        "The old ones are full.",
        List.of("web"),
        MaintenancePlan.Impact.DELAYS,
        FROM,
        FROM.plus(Duration.ofHours(1)),
        automatic);
  }

  private void advance(long id, MaintenanceStage to) {
    maintenanceService.advance(id, to, ANNA);
    engine.runUntilIdle();
  }

  private MaintenanceStage stage(long id) {
    return maintenanceService.get(id).stage();
  }

  private List<String> events() {
    return hook.received().stream()
        .map(WebhookServer.Received::json)
        .map(json ->
            json.get("event").asString() + " " + json.get("maintenance").get("revision").asInt())
        .toList();
  }

  private List<WorkflowInstance> search(String type) {
    return engine.client().search(InstanceQuery.all().type(type)).items();
  }

  private static Matcher link(MimeMessage message) throws Exception {
    Matcher link = LINK.matcher(message.getContent().toString());
    assertThat(link.find()).isTrue();
    return link;
  }
}
