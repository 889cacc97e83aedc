package io.millrace.server.observe;

import java.time.Instant;

/**
 * A message about an alert. Webhooks receive it as JSON, and its field names are part of the public
 * interface.
 *
 * @param event {@code raised}, {@code reminder} or {@code resolved}
 * @param instanceId the instance of workflow {@code millrace-alert} that sends it
 * @param at time of this message
 */
record AlertMessage(String event, Alert alert, long instanceId, Instant at) {

  String title() {
    String word =
        switch (event) {
          case "resolved" -> "Resolved";
          case "reminder" -> "Still";
          default -> "Alert";
        };
    return word + ": " + alert.rule();
  }
}
