package io.millrace.server.notice;

import io.millrace.definition.Next;
import io.millrace.definition.StateContext;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.retry.RetryPolicy;
import java.time.Duration;

/**
 * The workflow that delivers one message to one subscriber. It retries for about three hours, then
 * fails.
 */
final class NotificationWorkflow {

  static final String TYPE = "millrace-notice";

  private enum State {
    SEND,
    SENT,
    NOT_WANTED,
    UNDELIVERED
  }

  private final Sender sender;

  /** A sender of messages. */
  @FunctionalInterface
  interface Sender {
    /**
     * Sends a message once.
     *
     * @param delivery id that is the same for every attempt
     * @return false if the subscription has ended
     */
    boolean send(MaintenanceNotification notification, String delivery) throws Exception;
  }

  NotificationWorkflow(Sender sender) {
    this.sender = sender;
  }

  WorkflowDefinition definition() {
    return WorkflowDefinition.of(TYPE, State.class)
        .description("One message on a maintenance to one subscriber.")
        .start(State.SEND, this::send)
        .end(State.SENT)
        .end(State.NOT_WANTED)
        .end(State.UNDELIVERED)
        .retry(
            RetryPolicy.exponential(Duration.ofSeconds(5), Duration.ofMinutes(15)).maxAttempts(20))
        .onFailure(State.SEND, State.UNDELIVERED)
        .build();
  }

  private Next send(StateContext ctx) throws Exception {
    MaintenanceNotification notification = ctx.input(MaintenanceNotification.class);
    return sender.send(notification, ctx.idempotencyKey())
        ? Next.moveTo(State.SENT, "sent")
        : Next.moveTo(State.NOT_WANTED, "the subscription has ended");
  }
}
