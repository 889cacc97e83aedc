package io.millrace.server.observe;

import java.time.Instant;

/**
 * What is sent; to webhooks as JSON, whose names are part of the interface.
 *
 * @param event {@code raised}, {@code reminder} or {@code resolved}
 * @param instanceId the instance of workflow {@code millrace-alert} that sends it
 * @param at when this message was made
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
