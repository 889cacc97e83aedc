package io.millrace.server.observe;

import io.millrace.definition.StateContext;
import io.millrace.server.config.ObservabilityConfig;
import io.millrace.server.deliver.NotificationMailer;
import io.millrace.server.deliver.WebhookSender;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * A sender of one message to all targets of its rule. A repeated attempt skips the targets that
 * have already received it.
 *
 * @param mailer null if no mail server is configured
 */
record AlertSender(WebhookSender webhook, @Nullable NotificationMailer mailer) {

  void send(StateContext ctx, ObservabilityConfig.Target target, AlertMessage message)
      throws Exception {
    URI url = target.webhook();
    if (url != null) {
      ctx.once(
          "webhook",
          () ->
              webhook.post(
                  url,
                  target.secret(),
                  new WebhookSender.Message(
                      "alert '" + message.alert().rule() + "'",
                      message,
                      message.at(),
                      ctx.idempotencyKey())));
    }
    NotificationMailer mail = mailer;
    if (mail != null && !target.mail().isEmpty()) {
      ctx.once(
          "mail",
          () ->
              mail.send(
                  target.mail(), "[Millrace] " + message.title(), text(message), message.at()));
    }
  }

  private static String text(AlertMessage message) {
    Alert alert = message.alert();
    return """
    %s

    %s

    Since:  %s
    Rule:   %s, from %s on
    Alert:  instance %s of workflow %s
    """
        .formatted(
            message.title(),
            alert.detail(),
            alert.since(),
            alert.when(),
            alert.threshold(),
            message.instanceId(),
            AlertWorkflow.TYPE);
  }
}
