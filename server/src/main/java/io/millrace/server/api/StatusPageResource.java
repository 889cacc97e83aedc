package io.millrace.server.api;

import io.millrace.continuous.RecycleSettingsService;
import io.millrace.instance.InvalidRequestException;
import io.millrace.server.http.ApiRequest;
import io.millrace.server.http.ApiResponse;
import io.millrace.server.http.Param;
import io.millrace.server.http.ProblemException;
import io.millrace.server.notice.MailAddress;
import io.millrace.server.notice.Maintenance;
import io.millrace.server.notice.MaintenanceService;
import io.millrace.server.notice.StatusPage;
import io.millrace.server.notice.SubscriptionLimits;
import io.millrace.server.notice.Subscriptions;
import io.millrace.server.security.Guard;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The public information about maintenance, and the public subscription forms. It also answers
 * while a node drains.
 */
final class StatusPageResource {

  static final Param<Long> ID = Param.id("id");
  static final Param<String> TOKEN = Param.text("token", 100);

  private static final int WINDOWS = 14;
  private static final Duration AGE = Duration.ofSeconds(2);
  private static final String HTML = "text/html; charset=utf-8";
  private static final String ASKED =
      "If this address is not told already, a mail is on its way to it. Open the link in it within a"
          + " day.";

  private static final String OFTEN =
      "Too many subscriptions came from your network. Try again later, or ask an operator to"
          + " subscribe your address.";

  private final ApiContext context;
  private final MaintenanceService maintenanceService;
  private final Guard guard;
  private final SubscriptionLimits limits;
  private final CachedSupplier<List<Maintenance>> all;
  private final CachedSupplier<List<RecycleSettingsService.Window>> recycles;

  StatusPageResource(ApiContext context, MaintenanceService maintenanceService, Guard guard) {
    this.context = context;
    this.maintenanceService = maintenanceService;
    this.guard = guard;
    this.limits = new SubscriptionLimits(context.clock());
    this.all = new CachedSupplier<>(context.clock(), AGE, maintenanceService::list);
    this.recycles = new CachedSupplier<>(context.clock(), AGE, this::windows);
  }

  /** Schema Status. */
  record StatusView(
      Instant now,
      List<MaintenanceResource.MaintenanceView> maintenances,
      List<WindowView> recycles) {}

  /** Schema RecycleWindow. */
  record WindowView(Instant from, Instant until) {}

  ApiResponse status(ApiRequest request) {
    cacheable(request);
    return ApiResponse.json(
        new StatusView(
            context.clock().instant(),
            all.get().stream().map(MaintenanceResource.MaintenanceView::of).toList(),
            recycles.get().stream().map(one -> new WindowView(one.from(), one.until())).toList()));
  }

  ApiResponse page(ApiRequest request) {
    cacheable(request);
    return html(request, 200, pageOf(request).html(all.get()));
  }

  ApiResponse style(ApiRequest request) {
    cacheableStyle(request);
    return new ApiResponse.Text(200, "text/css; charset=utf-8", StatusPage.STYLE);
  }

  ApiResponse feed(ApiRequest request) {
    cacheable(request);
    String text = pageOf(request).atom(all.get(), context.clock().instant());
    return new ApiResponse.Text(200, "application/atom+xml; charset=utf-8", text);
  }

  ApiResponse calendar(ApiRequest request) {
    cacheable(request);
    String text = pageOf(request).ical(all.get(), context.clock().instant());
    return new ApiResponse.Text(200, "text/calendar; charset=utf-8", text);
  }

  ApiResponse subscribe(ApiRequest request) {
    StatusPage page = pageOf(request);
    String given = field(request.form(), "mail", Subscriptions.MAX_ADDRESS);
    Optional<String> mail = MailAddress.parse(given);
    if (!maintenanceService.canSendMail()) {
      return html(request, 409, page.say("Not possible", "This server sends no mail."));
    }
    if (mail.isEmpty()) {
      return html(
          request,
          400,
          page.say("Not subscribed", "That is no mail address. Go back and try again."));
    }
    return switch (limits.admit(guard.network(request.requestInfo()))) {
      case SubscriptionLimits.Admitted admitted -> {
        maintenanceService
            .subscriptions()
            .requestConfirmation(mail.get(), List.of(), admitted.rateLimiter());
        yield html(request, 200, page.say("Look into your mail", ASKED));
      }
      case SubscriptionLimits.Refused refused -> {
        request.context().header("Retry-After", Long.toString(seconds(refused.retryAfter())));
        yield html(request, 429, page.say("Not now", OFTEN));
      }
    };
  }

  /** Returns whole seconds, rounded up. */
  private static long seconds(Duration time) {
    return time.plusMillis(999).toSeconds();
  }

  ApiResponse askToConfirm(ApiRequest request) {
    return html(request, 200, pageOf(request).ask("confirm", request.get(ID), request.get(TOKEN)));
  }

  ApiResponse askToUnsubscribe(ApiRequest request) {
    return html(
        request, 200, pageOf(request).ask("unsubscribe", request.get(ID), request.get(TOKEN)));
  }

  ApiResponse confirm(ApiRequest request) {
    Map<String, String> form = request.form();
    boolean done = maintenanceService.subscriptions().confirm(id(form), field(form, "token", 100));
    return html(
        request,
        done ? 200 : 404,
        done
            ? pageOf(request).say("Subscribed", "You will be told of planned maintenance.")
            : pageOf(request).say("Not subscribed", "This link has ended. Subscribe again."));
  }

  ApiResponse unsubscribe(ApiRequest request) {
    Map<String, String> form = request.form();
    boolean done =
        maintenanceService.subscriptions().unsubscribe(id(form), field(form, "token", 100));
    return html(
        request,
        done ? 200 : 404,
        done
            ? pageOf(request).say("Unsubscribed", "There will be no more mails.")
            : pageOf(request).say("Nothing to do", "There is no such subscription any more."));
  }

  private static String field(Map<String, String> form, String name, int max) {
    String text = form.get(name);
    if (text == null || text.length() > max) {
      throw ProblemException.invalid(
          name, "is missing or too long; expected at most " + max + " characters in a form.");
    }
    return text;
  }

  private static long id(Map<String, String> form) {
    try {
      return Long.parseLong(field(form, "id", 19));
    } catch (NumberFormatException e) {
      throw ProblemException.invalid("id", "is no number.");
    }
  }

  private List<RecycleSettingsService.Window> windows() {
    try {
      return context
          .engine()
          .admin()
          .recycles()
          .effective()
          .windows(context.admin().now())
          .limit(WINDOWS)
          .toList();
    } catch (InvalidRequestException e) {
      // A policy that cannot be read recycles nothing; its own page reports the error.
      return List.of();
    }
  }

  /**
   * Returns the page. A plain form has no CSRF token, so forms are offered only where no login is
   * needed.
   */
  private StatusPage pageOf(ApiRequest request) {
    URI configured = maintenanceService.address();
    return new StatusPage(
        configured != null ? configured : home(request),
        maintenanceService.canSendMail() && maintenanceService.isPublic(),
        recycles.get());
  }

  /** Returns the address without the host, because a request could name any host. */
  private static URI home(ApiRequest request) {
    return URI.create(request.context().contextPath() + "/");
  }

  /**
   * Returns an HTML response. Without a referrer policy that permits it, browsers send {@code
   * Origin: null} with a form, which looks like a request of another site.
   */
  private static ApiResponse html(ApiRequest request, int status, String text) {
    request.context().header("Referrer-Policy", "same-origin");
    return new ApiResponse.Text(status, HTML, text);
  }

  /**
   * Allows caches to keep a public page, because many clients may request it at once while
   * something is wrong. A page that needs a login is not cached, because a shared cache does not
   * check logins.
   */
  private void cacheable(ApiRequest request) {
    if (maintenanceService.isPublic()) {
      request.context().header("Cache-Control", "public, max-age=10");
    }
  }

  private static void cacheableStyle(ApiRequest request) {
    request.context().header("Cache-Control", "public, max-age=10");
  }
}
