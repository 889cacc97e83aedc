package io.millrace.server.notice;

import io.millrace.WorkflowClient;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.instance.ConflictException;
import io.millrace.instance.Deed;
import io.millrace.instance.InstanceNotFoundException;
import io.millrace.instance.InstanceQuery;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.StartRequest;
import io.millrace.instance.WorkflowInstance;
import io.millrace.server.config.Observe;
import io.millrace.server.deliver.Mailer;
import io.millrace.server.deliver.Webhook;
import io.millrace.server.security.OutboundUrls;
import java.net.URI;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Plans maintenance, and tells of it. To be made before the engine, which runs its workflows, and
 * connected after it. Thread-safe.
 */
public final class Notices {

  /** Most maintenances that are shown, the newest. */
  private static final int SHOWN = 50;

  private static final int PATIENCE_SECONDS = 10;

  private final Observe.Status settings;
  private final InstantSource clock;
  private final Subscriptions subscriptions;
  private final Webhook webhook;
  private final @Nullable Mailer mailer;
  private final CompletableFuture<WorkflowClient> client = new CompletableFuture<>();

  /**
   * @param outside what webhooks go through
   * @param tokens of subscriptions
   */
  public Notices(
      Observe config, OutboundUrls outside, SubscriptionTokens tokens, InstantSource clock) {
    this.settings = config.status();
    this.clock = clock;
    this.subscriptions = new Subscriptions(this::client, outside, tokens, clock);
    this.webhook = new Webhook(outside);
    Observe.Mail mail = config.mail();
    this.mailer = mail == null ? null : new Mailer(mail);
  }

  /** To be run by the server's engine. */
  public List<WorkflowDefinition> workflows() {
    return List.of(
        new MaintenanceWorkflow(this::announce).definition(),
        new SubscriptionWorkflow(this::ask).definition(),
        new NoticeWorkflow(this::send).definition());
  }

  /** The steps begin to work once this is called. */
  public void connect(WorkflowClient engineClient) {
    client.complete(engineClient);
  }

  /** Whether strangers may look at the status page. */
  public boolean isPublic() {
    return settings.open();
  }

  /** This server as browsers see it, with a slash at the end; null where that is not known. */
  public @Nullable URI address() {
    return settings.address();
  }

  /** Those who want to be told. */
  public Subscriptions subscriptions() {
    return subscriptions;
  }

  /** Whether strangers may subscribe: there is a mail server, and an address for its links. */
  public boolean hasMail() {
    return mailer != null && settings.address() != null;
  }

  /** Plans a maintenance; those who want to know are told soon. */
  public long plan(MaintenancePlan plan, @Nullable String key) {
    StartRequest start = StartRequest.of(MaintenanceWorkflow.TYPE, plan);
    return client().start(key == null ? start : start.externalId(key)).id();
  }

  /**
   * Brings a maintenance further.
   *
   * @throws ConflictException when it cannot go there from where it is
   */
  public void advance(long id, Stage to, Deed deed) {
    Stage stage = get(id).stage();
    if (!stage.next().contains(to)) {
      throw new ConflictException(
          id,
          "Maintenance "
              + id
              + " is "
              + stage.code()
              + " and cannot become "
              + to.code()
              + (stage.isOpen()
                  ? "; expected one of " + stage.next().stream().map(Stage::code).sorted().toList()
                  : "; plan another one")
              + ".");
    }
    order(id, new MaintenanceWorkflow.Order(to, null), deed);
  }

  /**
   * Changes the plan of a maintenance that has not ended.
   *
   * @throws ConflictException when it has ended
   */
  public void change(long id, MaintenancePlan plan, Deed deed) {
    if (!get(id).stage().isOpen()) {
      throw new ConflictException(
          id, "Maintenance " + id + " has ended and cannot be changed; plan another one.");
    }
    order(id, new MaintenanceWorkflow.Order(null, plan), deed);
  }

  private void order(long id, MaintenanceWorkflow.Order order, Deed deed) {
    client().signal(id, MaintenanceWorkflow.ORDER, order, deed.actor(), null);
  }

  /**
   * A maintenance.
   *
   * @throws InstanceNotFoundException when there is none of this number
   */
  public Maintenance get(long id) {
    return of(instance(id, MaintenanceWorkflow.TYPE));
  }

  /** The newest maintenances, the newest first. */
  public List<Maintenance> list() {
    InstanceQuery query = InstanceQuery.all().type(MaintenanceWorkflow.TYPE).limit(SHOWN);
    return client().search(query).items().stream().map(this::of).toList();
  }

  private Maintenance of(WorkflowInstance instance) {
    Stage stage =
        instance.status() == InstanceStatus.CANCELLED
            ? Stage.CANCELLED
            : Stage.ofCode(instance.state());
    return client()
        .variable(instance.id(), MaintenanceWorkflow.STANDING, MaintenanceWorkflow.Standing.class)
        .map(s -> new Maintenance(instance.id(), stage, s.plan(), s.revision(), s.since()))
        .orElseGet(() -> planned(instance, stage));
  }

  /** One whose first step has not been done. */
  private Maintenance planned(WorkflowInstance instance, Stage stage) {
    MaintenancePlan plan =
        client()
            .input(instance.id(), MaintenancePlan.class)
            .orElseThrow(() -> new InstanceNotFoundException(instance.id()));
    return new Maintenance(instance.id(), stage, plan, 1, instance.timing().created());
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
    Notice notice =
        new Notice(
            to.id(),
            maintenance.id(),
            maintenance.stage(),
            maintenance.plan(),
            maintenance.revision(),
            maintenance.since());
    return StartRequest.of(NoticeWorkflow.TYPE, notice)
        .businessKey(Long.toString(maintenance.id()))
        .externalId(to.id() + "|" + news);
  }

  private void ask(long subscriptionId, Subscription subscription) throws Exception {
    String token = subscriptions.token(subscriptionId, subscription);
    post(String.valueOf(subscription.mail()), letters().confirm(subscriptionId, token));
  }

  private boolean send(Notice notice, String delivery) throws Exception {
    Optional<Subscription> to = subscriptions.active(notice.subscriptionId());
    if (to.isEmpty()) {
      return false;
    }
    URI url = to.get().webhook();
    if (url != null) {
      webhook.post(
          url,
          settings.secret(),
          new Webhook.Message(
              "maintenance " + notice.maintenanceId(), notice.posted(), notice.at(), delivery));
    } else {
      String token = subscriptions.token(notice.subscriptionId(), to.get());
      post(String.valueOf(to.get().mail()), letters().notice(notice, token));
    }
    return true;
  }

  private void post(String mail, Letters.Letter letter) throws Exception {
    Mailer present = mailer;
    if (present == null) {
      throw new IllegalStateException(
          "No mail can be sent: the configuration has no observe.mail.host.");
    }
    present.send(List.of(mail), letter.subject(), letter.text(), clock.instant());
  }

  private Letters letters() {
    URI home = settings.address();
    if (home == null) {
      throw new IllegalStateException(
          "Links cannot be made: the configuration has no observe.status.address.");
    }
    return new Letters(home);
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
