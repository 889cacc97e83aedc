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
import io.millrace.server.notice.Subscriptions;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
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

  private final Sources sources;
  private final Notices notices;
  private final Cached<List<Maintenance>> all;
  private final Cached<List<Recycles.Window>> recycles;

  StatusPages(Sources sources, Notices notices) {
    this.sources = sources;
    this.notices = notices;
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
    return html(200, pageOf(call).html(all.get()));
  }

  Answer style(Call call) {
    cacheable(call);
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
    String given = form(call, "mail", Subscriptions.LONGEST_ADDRESS);
    Optional<String> mail = MailAddress.parse(given);
    if (!notices.hasMail()) {
      return html(409, page.say("Not possible", "This server sends no mail."));
    }
    if (mail.isEmpty()) {
      return html(
          400, page.say("Not subscribed", "That is no mail address. Go back and try again."));
    }
    return notices.subscriptions().ask(mail.get(), List.of())
        ? html(200, page.say("Look into your mail", ASKED))
        : html(
            429, page.say("Not now", "Too many addresses wait for an answer. Try again tomorrow."));
  }

  Answer askToConfirm(Call call) {
    return html(200, pageOf(call).ask("confirm", call.get(ID), call.get(TOKEN)));
  }

  Answer askToUnsubscribe(Call call) {
    return html(200, pageOf(call).ask("unsubscribe", call.get(ID), call.get(TOKEN)));
  }

  Answer confirm(Call call) {
    boolean done = notices.subscriptions().confirm(formId(call), form(call, "token", 100));
    return html(
        done ? 200 : 404,
        done
            ? pageOf(call).say("Subscribed", "You will be told of planned maintenance.")
            : pageOf(call).say("Not subscribed", "This link has ended. Subscribe again."));
  }

  Answer unsubscribe(Call call) {
    boolean done = notices.subscriptions().unsubscribe(formId(call), form(call, "token", 100));
    return html(
        done ? 200 : 404,
        done
            ? pageOf(call).say("Unsubscribed", "There will be no more mails.")
            : pageOf(call).say("Nothing to do", "There is no such subscription any more."));
  }

  private static String form(Call call, String name, int max) {
    String text = call.context().formParam(name);
    if (text == null || text.length() > max) {
      throw ProblemException.invalid(
          name, "is missing or too long; expected at most " + max + " characters in a form.");
    }
    return text;
  }

  private static long formId(Call call) {
    try {
      return Long.parseLong(form(call, "id", 19));
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

  private StatusPage pageOf(Call call) {
    URI configured = notices.address();
    return new StatusPage(
        configured != null ? configured : home(call), notices.hasMail(), recycles.get());
  }

  /** Where the caller has found this server. */
  private static URI home(Call call) {
    String url = call.context().url();
    int status = url.lastIndexOf("/status-page");
    try {
      return new URI(status < 0 ? "/" : url.substring(0, status + 1));
    } catch (URISyntaxException e) {
      return URI.create("/");
    }
  }

  private static Answer html(int status, String text) {
    return new Answer.Text(status, HTML, text);
  }

  /** Many may look at it at once, just when something is wrong. */
  private static void cacheable(Call call) {
    call.context().header("Cache-Control", "public, max-age=10");
  }
}
