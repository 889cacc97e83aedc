package io.millrace.server.notice;

import io.millrace.WorkflowClient;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.instance.InstanceConflictException;
import io.millrace.instance.InstanceNotFoundException;
import io.millrace.instance.InstanceQuery;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.OperatorAction;
import io.millrace.instance.StartRequest;
import io.millrace.instance.WorkflowInstance;
import io.millrace.server.config.ObservabilityConfig;
import io.millrace.server.deliver.NotificationMailer;
import io.millrace.server.deliver.WebhookSender;
import io.millrace.server.security.OutboundClient;
import java.net.URI;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A service that plans maintenance and notifies subscribers. It is created before the engine, which
 * runs its workflows, and is connected after the engine has started. Thread-safe.
 */
public final class MaintenanceService {

  /** Upper limit of the maintenances that are shown, the newest first. */
  private static final int SHOWN = 50;

  private static final int PATIENCE_SECONDS = 10;

  private final ObservabilityConfig.Status settings;
  private final InstantSource clock;
  private final Subscriptions subscriptions;
  private final WebhookSender webhookSender;
  private final @Nullable NotificationMailer notificationMailer;
  private final CompletableFuture<WorkflowClient> client = new CompletableFuture<>();

  /**
   * @param outside client that posts to webhooks
   * @param tokens tokens of subscriptions
   */
  public MaintenanceService(
      ObservabilityConfig config,
      OutboundClient outside,
      SubscriptionTokens tokens,
      InstantSource clock) {
    this.settings = config.status();
    this.clock = clock;
    this.subscriptions = new Subscriptions(this::client, outside, tokens, clock);
    this.webhookSender = new WebhookSender(outside);
    ObservabilityConfig.Mail mail = config.mail();
    this.notificationMailer = mail == null ? null : new NotificationMailer(mail);
  }

  /** Returns the workflows to register with the engine. */
  public List<WorkflowDefinition> workflows() {
    return List.of(
        new MaintenanceWorkflow(this::announce).definition(),
        new SubscriptionWorkflow(this::ask).definition(),
        new NotificationWorkflow(this::send).definition());
  }

  /**
   * Connects the service to its engine. The attempts of its workflows wait until this is called.
   */
  public void connect(WorkflowClient engineClient) {
    client.complete(engineClient);
  }

  /** True if the status page needs no login. */
  public boolean isPublic() {
    return settings.publicStatusPage();
  }

  /**
   * Returns the address of this server as browsers see it, with a slash at the end; null if it is
   * not configured.
   */
  public @Nullable URI address() {
    return settings.address();
  }

  /** Returns the subscriptions to maintenance messages. */
  public Subscriptions subscriptions() {
    return subscriptions;
  }

  /**
   * True if the public may subscribe by mail: there is a mail server, and an address for its links.
   */
  public boolean canSendMail() {
    return notificationMailer != null && settings.address() != null;
  }

  /** Plans a maintenance and returns its id. The subscribers are notified soon. */
  public long plan(MaintenancePlan plan, @Nullable String key) {
    StartRequest start = StartRequest.of(MaintenanceWorkflow.TYPE, plan);
    return client().start(key == null ? start : start.externalId(key)).id();
  }

  /**
   * Moves a maintenance to another stage.
   *
   * @throws InstanceConflictException if the stage is not reachable from the current one
   */
  public void advance(long id, MaintenanceStage to, OperatorAction action) {
    MaintenanceStage maintenanceStage = get(id).stage();
    if (!maintenanceStage.next().contains(to)) {
      throw new InstanceConflictException(
          id,
          "Maintenance "
              + id
              + " is "
              + maintenanceStage.code()
              + " and cannot become "
              + to.code()
              + (maintenanceStage.isOpen()
                  ? "; expected one of "
                      + maintenanceStage.next().stream()
                          .map(MaintenanceStage::code)
                          .sorted()
                          .toList()
                  : "; plan another one")
              + ".");
    }
    order(id, new MaintenanceWorkflow.ChangeRequest(to, null), action);
  }

  /**
   * Changes the plan of a maintenance that has not ended.
   *
   * @throws InstanceConflictException if it has ended
   */
  public void change(long id, MaintenancePlan plan, OperatorAction action) {
    if (!get(id).stage().isOpen()) {
      throw new InstanceConflictException(
          id, "Maintenance " + id + " has ended and cannot be changed; plan another one.");
    }
    order(id, new MaintenanceWorkflow.ChangeRequest(null, plan), action);
  }

  private void order(
      long id, MaintenanceWorkflow.ChangeRequest changeRequest, OperatorAction action) {
    client().signal(id, MaintenanceWorkflow.ORDER, changeRequest, action.actor(), null);
  }

  /**
   * Returns a maintenance.
   *
   * @throws InstanceNotFoundException if there is none with this id
   */
  public Maintenance get(long id) {
    return of(instance(id, MaintenanceWorkflow.TYPE));
  }

  /** Returns the newest maintenances, the newest first. */
  public List<Maintenance> list() {
    InstanceQuery query = InstanceQuery.all().type(MaintenanceWorkflow.TYPE).limit(SHOWN);
    return client().search(query).items().stream().map(this::of).toList();
  }

  private Maintenance of(WorkflowInstance instance) {
    MaintenanceStage maintenanceStage =
        instance.status() == InstanceStatus.CANCELLED
            ? MaintenanceStage.CANCELLED
            : MaintenanceStage.ofCode(instance.state());
    return client()
        .variable(instance.id(), MaintenanceWorkflow.STANDING, MaintenanceWorkflow.Status.class)
        .map(s ->
            new Maintenance(instance.id(), maintenanceStage, s.plan(), s.revision(), s.since()))
        .orElseGet(() -> planned(instance, maintenanceStage));
  }

  /** Returns a maintenance whose first attempt has not run yet. */
  private Maintenance planned(WorkflowInstance instance, MaintenanceStage maintenanceStage) {
    MaintenancePlan plan =
        client()
            .input(instance.id(), MaintenancePlan.class)
            .orElseThrow(() -> new InstanceNotFoundException(instance.id()));
    return new Maintenance(instance.id(), maintenanceStage, plan, 1, instance.timing().created());
  }

  private WorkflowInstance instance(long id, String type) {
    return client()
        .find(id)
        .filter(found -> found.type().equals(type))
        .orElseThrow(() -> new InstanceNotFoundException(id));
  }

  private void announce(Maintenance maintenance, String news) {
    subscriptions.forEachPage(page -> {
      List<StartRequest> starts =
          page.stream()
              .filter(one -> maintenance.plan().concerns(one.subscription().affected()))
              .map(one -> start(one, maintenance, news))
              .toList();
      if (!starts.isEmpty()) {
        client().startAll(starts);
      }
    });
  }

  private static StartRequest start(
      Subscriptions.Subscribed to, Maintenance maintenance, String news) {
    MaintenanceNotification notification =
        new MaintenanceNotification(
            to.id(),
            maintenance.id(),
            maintenance.stage(),
            maintenance.plan(),
            maintenance.revision(),
            maintenance.since());
    return StartRequest.of(NotificationWorkflow.TYPE, notification)
        .businessKey(Long.toString(maintenance.id()))
        .externalId(to.id() + "|" + news);
  }

  private void ask(long subscriptionId, Subscription subscription) throws Exception {
    String token = subscriptions.token(subscriptionId, subscription);
    post(String.valueOf(subscription.mail()), letters().confirm(subscriptionId, token));
  }

  private boolean send(MaintenanceNotification notification, String delivery) throws Exception {
    Optional<Subscription> to = subscriptions.active(notification.subscriptionId());
    if (to.isEmpty()) {
      return false;
    }
    URI url = to.get().webhook();
    if (url != null) {
      webhookSender.post(
          url,
          settings.secret(),
          new WebhookSender.Message(
              "maintenance " + notification.maintenanceId(),
              notification.posted(),
              notification.at(),
              delivery));
    } else {
      String token = subscriptions.token(notification.subscriptionId(), to.get());
      post(String.valueOf(to.get().mail()), letters().notice(notification, token));
    }
    return true;
  }

  private void post(String mail, MailTemplates.MailText mailText) throws Exception {
    NotificationMailer present = notificationMailer;
    if (present == null) {
      throw new IllegalStateException(
          "No mail can be sent: the configuration has no observe.mail.host.");
    }
    present.send(List.of(mail), mailText.subject(), mailText.text(), clock.instant());
  }

  private MailTemplates letters() {
    URI home = settings.address();
    if (home == null) {
      throw new IllegalStateException(
          "Links cannot be made: the configuration has no observe.status.address.");
    }
    return new MailTemplates(home);
  }

  private WorkflowClient client() {
    try {
      return client.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while the engine starts", e);
    } catch (Exception e) {
      throw new IllegalStateException("The engine has not started in time", e);
    }
  }
}
