package io.millrace.server.api;

import io.millrace.instance.OperatorAction;
import io.millrace.instance.Page;
import io.millrace.server.http.ApiRequest;
import io.millrace.server.http.ApiResponse;
import io.millrace.server.http.JsonFields;
import io.millrace.server.http.ProblemException;
import io.millrace.server.notice.MailAddress;
import io.millrace.server.notice.MaintenanceService;
import io.millrace.server.notice.Subscription;
import io.millrace.server.notice.Subscriptions;
import io.millrace.server.notice.Subscriptions.Subscribed;
import io.millrace.server.security.RejectedUrlException;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The subscriptions to maintenance messages, as operators see them. */
final class SubscriptionResource {

  private final MaintenanceService maintenanceService;
  private final AuditRecorder auditRecorder;

  SubscriptionResource(ApiContext context, MaintenanceService maintenanceService) {
    this.maintenanceService = maintenanceService;
    this.auditRecorder = new AuditRecorder(context);
  }

  /** Schema Subscription. */
  record SubscriptionView(
      long id,
      @Nullable String mail,
      @Nullable String webhook,
      List<String> affected,
      @Nullable String by,
      Instant created) {

    /**
     * Returns the view of a subscription.
     *
     * @param whole true to show the path of a webhook, which may be a secret that grants access to
     *     it
     */
    static SubscriptionView of(Subscribed one, boolean whole) {
      Subscription subscription = one.subscription();
      return new SubscriptionView(
          one.id(),
          subscription.mail(),
          webhook(subscription.webhook(), whole),
          subscription.affected(),
          subscription.by(),
          one.created());
    }

    private static @Nullable String webhook(@Nullable URI url, boolean whole) {
      return url == null || whole
          ? Objects.toString(url, null)
          : url.getScheme() + "://" + url.getRawAuthority() + "/***";
    }
  }

  /** Schema SubscriptionPage. */
  record SubscriptionPage(List<SubscriptionView> items, @Nullable String next) {}

  ApiResponse list(ApiRequest request) {
    Page<Subscribed> page =
        maintenanceService
            .subscriptions()
            .page(request.find(InstanceResource.CURSOR), request.get(InstanceResource.LIMIT));
    boolean whole = InstanceAccess.reads(request, Subscriptions.TYPE);
    return ApiResponse.json(
        new SubscriptionPage(
            page.items().stream().map(one -> SubscriptionView.of(one, whole)).toList(),
            page.next()));
  }

  ApiResponse add(ApiRequest request) throws IOException {
    JsonFields body = request.body("mail", "webhook", "affected");
    String mail = body.optionalText("mail", Subscriptions.MAX_ADDRESS);
    String webhook = body.optionalText("webhook", Subscriptions.MAX_ADDRESS);
    if ((mail == null) == (webhook == null)) {
      throw ProblemException.invalid("mail", "or webhook is expected, one of them.");
    }
    if (mail != null && !maintenanceService.canSendMail()) {
      throw ProblemException.of(
          409,
          "Nobody can be told by mail: set observe.mail.host and observe.status.address in the"
              + " configuration, or use a webhook.");
    }
    OperatorAction action = OperatorAction.by(request.caller().actor());
    Subscription subscription =
        new Subscription(
            mail == null ? null : address(mail),
            webhook == null ? null : url(webhook),
            body.texts("affected", MaintenanceResource.MAX_AFFECTED, InstanceFilterReader.NAME),
            action.actor());
    long id = added(subscription);
    auditRecorder.record(action, "addSubscription", host(subscription), id, null);
    return new ApiResponse.Json(201, new Added(id));
  }

  record Added(long id) {}

  private long added(Subscription subscription) {
    try {
      return maintenanceService.subscriptions().add(subscription);
    } catch (RejectedUrlException e) {
      throw ProblemException.invalid("webhook", "is not called: " + e.getMessage());
    } catch (IOException e) {
      throw ProblemException.invalid("webhook", "names a host that is not known.");
    }
  }

  /**
   * Returns the host of a subscription's address. Viewers read the audit, while the path of a
   * webhook may be a secret, and a mail address is personal data.
   */
  private static String host(Subscription subscription) {
    URI url = subscription.webhook();
    String mail = String.valueOf(subscription.mail());
    return url == null ? mail.substring(mail.lastIndexOf('@')) : String.valueOf(url.getHost());
  }

  static String address(String mail) {
    return MailAddress.parse(mail)
        .orElseThrow(() ->
            ProblemException.invalid(
                "mail", "is no mail address; expected one such as ann@example.org."));
  }

  private static URI url(String text) {
    try {
      return new URI(text);
    } catch (URISyntaxException e) {
      throw ProblemException.invalid("webhook", "is no URL; expected https://...");
    }
  }

  ApiResponse remove(ApiRequest request) {
    OperatorAction action = OperatorAction.by(request.caller().actor());
    maintenanceService.subscriptions().unsubscribe(request.id(), action);
    auditRecorder.record(
        action, "removeSubscription", Long.toString(request.id()), request.id(), null);
    return ApiResponse.empty();
  }
}
