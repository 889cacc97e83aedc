package io.millrace.server.api;

import io.millrace.continuous.Recycles;
import io.millrace.instance.InvalidRequestException;
import io.millrace.server.http.Answer;
import io.millrace.server.http.Call;
import io.millrace.server.http.Param;
import io.millrace.server.http.ProblemException;
import io.millrace.server.notice.MailAddress;
import io.millrace.server.notice.Maintenance;
import io.millrace.server.notice.Notices;
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

/** What strangers may know of maintenance, and how they subscribe. Answers while a node drains. */
final class StatusPages {

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

  private final Sources sources;
  private final Notices notices;
  private final Guard guard;
  private final SubscriptionLimits limits;
  private final Cached<List<Maintenance>> all;
  private final Cached<List<Recycles.Window>> recycles;

  StatusPages(Sources sources, Notices notices, Guard guard) {
    this.sources = sources;
    this.notices = notices;
    this.guard = guard;
    this.limits = new SubscriptionLimits(sources.clock());
    this.all = new Cached<>(sources.clock(), AGE, notices::list);
    this.recycles = new Cached<>(sources.clock(), AGE, this::windows);
  }

  /** Schema Status. */
  record StatusView(
      Instant now, List<Maintenances.MaintenanceView> maintenances, List<WindowView> recycles) {}

  /** Schema RecycleWindow. */
  record WindowView(Instant from, Instant until) {}

  Answer status(Call call) {
    cacheable(call);
    return Answer.json(
        new StatusView(
            sources.clock().instant(),
            all.get().stream().map(Maintenances.MaintenanceView::of).toList(),
            recycles.get().stream().map(one -> new WindowView(one.from(), one.until())).toList()));
  }

  Answer page(Call call) {
    cacheable(call);
    return html(call, 200, pageOf(call).html(all.get()));
  }

  Answer style(Call call) {
    cacheableStyle(call);
    return new Answer.Text(200, "text/css; charset=utf-8", StatusPage.STYLE);
  }

  Answer feed(Call call) {
    cacheable(call);
    String text = pageOf(call).atom(all.get(), sources.clock().instant());
    return new Answer.Text(200, "application/atom+xml; charset=utf-8", text);
  }

  Answer calendar(Call call) {
    cacheable(call);
    String text = pageOf(call).ical(all.get(), sources.clock().instant());
    return new Answer.Text(200, "text/calendar; charset=utf-8", text);
  }

  Answer subscribe(Call call) {
    StatusPage page = pageOf(call);
    String given = field(call.form(), "mail", Subscriptions.LONGEST_ADDRESS);
    Optional<String> mail = MailAddress.parse(given);
    if (!notices.hasMail()) {
      return html(call, 409, page.say("Not possible", "This server sends no mail."));
    }
    if (mail.isEmpty()) {
      return html(
          call, 400, page.say("Not subscribed", "That is no mail address. Go back and try again."));
    }
    return switch (limits.admit(guard.network(call.facts()))) {
      case SubscriptionLimits.Admitted admitted -> {
        notices.subscriptions().ask(mail.get(), List.of(), admitted.lane());
        yield html(call, 200, page.say("Look into your mail", ASKED));
      }
      case SubscriptionLimits.Refused refused -> {
        call.context().header("Retry-After", Long.toString(seconds(refused.retryAfter())));
        yield html(call, 429, page.say("Not now", OFTEN));
      }
    };
  }

  /** Rounds up to whole seconds. */
  private static long seconds(Duration time) {
    return time.plusMillis(999).toSeconds();
  }

  Answer askToConfirm(Call call) {
    return html(call, 200, pageOf(call).ask("confirm", call.get(ID), call.get(TOKEN)));
  }

  Answer askToUnsubscribe(Call call) {
    return html(call, 200, pageOf(call).ask("unsubscribe", call.get(ID), call.get(TOKEN)));
  }

  Answer confirm(Call call) {
    Map<String, String> form = call.form();
    boolean done = notices.subscriptions().confirm(id(form), field(form, "token", 100));
    return html(
        call,
        done ? 200 : 404,
        done
            ? pageOf(call).say("Subscribed", "You will be told of planned maintenance.")
            : pageOf(call).say("Not subscribed", "This link has ended. Subscribe again."));
  }

  Answer unsubscribe(Call call) {
    Map<String, String> form = call.form();
    boolean done = notices.subscriptions().unsubscribe(id(form), field(form, "token", 100));
    return html(
        call,
        done ? 200 : 404,
        done
            ? pageOf(call).say("Unsubscribed", "There will be no more mails.")
            : pageOf(call).say("Nothing to do", "There is no such subscription any more."));
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

  private List<Recycles.Window> windows() {
    try {
      return sources
          .engine()
          .nodes()
          .recycles()
          .inForce()
          .windows(sources.operations().now())
          .limit(WINDOWS)
          .toList();
    } catch (InvalidRequestException e) {
      // What cannot be read recycles nothing; its own page says so.
      return List.of();
    }
  }

  /** A plain form has no CSRF token, so that it works only where nobody has to log in. */
  private StatusPage pageOf(Call call) {
    URI configured = notices.address();
    return new StatusPage(
        configured != null ? configured : home(call),
        notices.hasMail() && notices.isPublic(),
        recycles.get());
  }

  /** Without the host, which a request could invent. */
  private static URI home(Call call) {
    return URI.create(call.context().contextPath() + "/");
  }

  /**
   * Without a referrer policy that permits it, browsers send {@code Origin: null} with a form,
   * which looks as if another site had sent it.
   */
  private static Answer html(Call call, int status, String text) {
    call.context().header("Referrer-Policy", "same-origin");
    return new Answer.Text(status, HTML, text);
  }

  /**
   * Many may look at it at once, just when something is wrong; a shared cache asks for no login.
   */
  private void cacheable(Call call) {
    if (notices.isPublic()) {
      call.context().header("Cache-Control", "public, max-age=10");
    }
  }

  private static void cacheableStyle(Call call) {
    call.context().header("Cache-Control", "public, max-age=10");
  }
}
