package io.millrace.server.notice;

import io.millrace.continuous.RecycleSettingsService;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.function.Predicate;

/**
 * The public page of planned maintenance, which needs no script, and the same content as a feed and
 * a calendar.
 *
 * @param home address of this server as browsers see it, with a slash at the end; only a path if
 *     the address is not configured
 * @param subscribable whether the public may subscribe by mail
 * @param recycles the next windows in which servers restart
 */
public record StatusPage(
    URI home, boolean subscribable, List<RecycleSettingsService.Window> recycles) {

  public StatusPage {
    recycles = List.copyOf(recycles);
  }

  /** Creates the page of servers that do not restart automatically. */
  public StatusPage(URI home, boolean subscribable) {
    this(home, subscribable, List.of());
  }

  /** The name in place of the host, which must not be taken from a request. */
  private static final String NO_HOST = "millrace";

  /** The style sheet of all its pages. */
  public static final String STYLE =
      """
      :root { color-scheme: light dark; }
      body { font: 1rem/1.5 system-ui, sans-serif; margin: 0; }
      main { max-width: 44rem; margin: 0 auto; padding: 2rem 1rem; }
      h2 { margin-top: 2.5rem; font-size: 1.1rem; }
      article { border: 1px solid GrayText; border-radius: .5rem; padding: 0 1rem; margin: 1rem 0; }
      input, button { font: inherit; padding: .3rem .6rem; }
      a, button { outline-offset: 2px; }
      """;

  /** Returns the page. */
  public String html(List<Maintenance> all) {
    StringBuilder body = new StringBuilder("<h1>Planned maintenance</h1>\n");
    section(
        body, "Now", all, one -> one.stage() == MaintenanceStage.IN_PROGRESS || isVerifying(one));
    section(body, "Planned", recycling(), all, one -> one.stage() == MaintenanceStage.SCHEDULED);
    section(body, "Past", all, one -> !one.stage().isOpen());
    if (subscribable) {
      body.append(
          """
          <h2>Be told by mail</h2>
          <form method="post" action="%sstatus-page/subscribe">
          <p><label>Mail address <input type="email" name="mail" required maxlength="200"></label>
          <button>Subscribe</button></p>
          </form>
          """
              .formatted(escaped(path())));
    }
    body.append("<p><a href=\"")
        .append(escaped(home + "status-page/feed.atom"))
        .append("\">Feed</a> · <a href=\"")
        .append(escaped(home + "status-page/calendar.ics"))
        .append("\">Calendar</a></p>\n");
    return page("Planned maintenance", body.toString());
  }

  /**
   * Returns the path for forms, which then go to the server that has sent the page, whatever name
   * the browser knows it by.
   */
  private String path() {
    return home.getRawPath();
  }

  /** Returns the Atom feed (RFC 4287). */
  public String atom(List<Maintenance> all, Instant now) {
    return AtomFeed.of(all, home + "status-page", id(), now);
  }

  /** Returns the calendar (RFC 5545). */
  public String ical(List<Maintenance> all, Instant now) {
    return IcalFeed.of(all, recycles, home.getHost() == null ? NO_HOST : home.getHost(), now);
  }

  /** Returns the identifier of the feed, which is absolute even if the address is not known. */
  private String id() {
    return home.isAbsolute() ? home + "status-page" : "urn:" + NO_HOST + ":status-page";
  }

  /**
   * Returns a page that asks for confirmation, because programs follow links too.
   *
   * @param action the action of the button: {@code confirm} or {@code unsubscribe}
   */
  public String ask(String action, long id, String token) {
    String title = action.equals("confirm") ? "Confirm the subscription" : "Unsubscribe";
    return page(
        title,
        """
        <h1>%s</h1>
        <form method="post" action="%s">
        <input type="hidden" name="id" value="%s">
        <input type="hidden" name="token" value="%s">
        <p><button>%s</button></p>
        </form>
        """
            .formatted(
                title,
                escaped(path() + "status-page/" + action),
                id,
                escaped(token),
                escaped(title)));
  }

  /** Returns a page with one sentence and a link back. */
  public String say(String title, String sentence) {
    return page(
        title,
        "<h1>%s</h1>\n<p>%s</p>\n<p><a href=\"%s\">Planned maintenance</a></p>\n"
            .formatted(escaped(title), escaped(sentence), escaped(home + "status-page")));
  }

  private static boolean isVerifying(Maintenance one) {
    return one.stage() == MaintenanceStage.VERIFYING;
  }

  private static void section(
      StringBuilder body, String title, List<Maintenance> all, Predicate<Maintenance> which) {
    section(body, title, "", all, which);
  }

  private static void section(
      StringBuilder body,
      String title,
      String first,
      List<Maintenance> all,
      Predicate<Maintenance> which) {
    List<Maintenance> some = all.stream().filter(which).toList();
    body.append("<h2>").append(title).append("</h2>\n").append(first);
    if (some.isEmpty() && first.isEmpty()) {
      body.append("<p>None.</p>\n");
    }
    some.forEach(one -> article(body, one));
  }

  private String recycling() {
    if (recycles.isEmpty()) {
      return "";
    }
    RecycleSettingsService.Window next = recycles.getFirst();
    return """
    <article id="recycles">
    <h3>%s</h3>
    <p><strong>Daily</strong>, next <time datetime="%s">%s</time> to <time datetime="%s">%s</time></p>
    <p>Affected: everything. Expect: nothing to be noticed.</p>
    <p>%s</p>
    </article>
    """
        .formatted(
            IcalFeed.RECYCLE,
            next.from(),
            MailTemplates.time(next.from()),
            next.until(),
            MailTemplates.time(next.until()),
            escaped(IcalFeed.recycling(next)));
  }

  private static void article(StringBuilder body, Maintenance one) {
    MaintenancePlan plan = one.plan();
    body.append(
        """
        <article id="maintenance-%s">
        <h3>%s</h3>
        <p><strong>%s</strong>, <time datetime="%s">%s</time> to <time datetime="%s">%s</time></p>
        <p>Affected: %s. Expect: %s.</p>
        <p>%s</p>
        </article>
        """
            .formatted(
                one.id(),
                escaped(plan.title()),
                one.stage().label(),
                plan.from(),
                MailTemplates.time(plan.from()),
                plan.until(),
                MailTemplates.time(plan.until()),
                plan.affected().isEmpty()
                    ? "everything"
                    : escaped(String.join(", ", plan.affected())),
                expectation(plan.impact()),
                escaped(plan.text())));
  }

  private static String expectation(MaintenancePlan.Impact impact) {
    return switch (impact) {
      case NONE -> "nothing to be noticed";
      case DELAYS -> "delays";
      case OUTAGE -> "an outage";
    };
  }

  private String page(String title, String body) {
    return """
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <meta name="color-scheme" content="light dark">
    <title>%s</title>
    <link rel="stylesheet" href="%sstatus-page/style.css">
    </head>
    <body>
    <main>
    %s</main>
    </body>
    </html>
    """
        .formatted(title, escaped(home.toString()), body);
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;")
        .replace("'", "&#39;");
  }
}
