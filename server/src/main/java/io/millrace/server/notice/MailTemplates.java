package io.millrace.server.notice;

import java.net.URI;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/**
 * The texts of mails.
 *
 * @param home address of the server as browsers see it, with a slash at the end
 */
record MailTemplates(URI home) {

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("d MMMM yyyy, HH:mm 'UTC'", Locale.ENGLISH)
          .withZone(ZoneOffset.UTC);

  /** A text with its subject. */
  record MailText(String subject, String text) {}

  static String time(Instant at) {
    return TIME.format(at);
  }

  MailText confirm(long subscriptionId, String token) {
    return new MailText(
        "Confirm your subscription",
        """
        A visitor, probably you, asked us to notify this address of planned maintenance.

        To confirm, open this page within a day and press the button:
        %s

        If it was not you, do nothing.
        """
            .formatted(link("confirm", subscriptionId, token)));
  }

  MailText notice(MaintenanceNotification notification, String token) {
    MaintenancePlan plan = notification.plan();
    return new MailText(
        notification.stage().label() + ": " + plan.title(),
        """
        %s

        %s
        Status:    %s
        From:      %s
        Until:     %s
        Affected:  %s

        %s

        No more of these: %s
        """
            .formatted(
                plan.title(),
                plan.text().isBlank() ? "" : plan.text() + "\n",
                notification.revision() == 1
                    ? notification.stage().label()
                    : notification.stage().label() + " (the plan was changed)",
                time(plan.from()),
                time(plan.until()),
                plan.affected().isEmpty() ? "everything" : String.join(", ", plan.affected()),
                home.resolve("status-page"),
                unsubscribe(notification.subscriptionId(), token)));
  }

  String unsubscribe(long subscriptionId, String token) {
    return link("unsubscribe", subscriptionId, token);
  }

  private String link(String page, long subscriptionId, String token) {
    return home.resolve("status-page/" + page + "?id=" + subscriptionId + "&token=" + token)
        .toString();
  }
}
