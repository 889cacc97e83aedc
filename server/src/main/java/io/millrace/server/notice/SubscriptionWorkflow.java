package io.millrace.server.notice;

import io.millrace.definition.Next;
import io.millrace.definition.StateContext;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.retry.RetryPolicy;
import java.time.Duration;

/**
 * The workflow of a subscription, from its request to its end. The owner of a mail address must
 * confirm a public request with a token that only the owner receives.
 */
final class SubscriptionWorkflow {

  static final String TYPE = "millrace-subscription";
  static final String ACTIVE = "active";
  static final String UNCONFIRMED = "unconfirmed";
  static final String REQUESTED = "requested";

  /** The signal that confirms a subscription. */
  static final String CONFIRM = "confirm";

  static final String END = "end";

  /** The variable by which the public requests for one mailbox are counted. */
  static final String MAILBOX = "mailbox";

  /** Time within which a subscription must be confirmed. */
  static final Duration PATIENCE = Duration.ofDays(1);

  private static final String ENDED = "ended";
  private static final String EXPIRED = "expired";

  private final ConfirmationSender confirmationSender;

  /** A sender of confirmation requests. */
  @FunctionalInterface
  interface ConfirmationSender {
    void ask(long subscriptionId, Subscription subscription) throws Exception;
  }

  SubscriptionWorkflow(ConfirmationSender confirmationSender) {
    this.confirmationSender = confirmationSender;
  }

  WorkflowDefinition definition() {
    return WorkflowDefinition.of(TYPE)
        .description("A subscription to notices of maintenance.")
        .input(Subscription.class)
        .start(REQUESTED, this::request)
        .state(UNCONFIRMED, this::confirm)
        .state(ACTIVE, this::end)
        .end(ENDED)
        .end(EXPIRED)
        .retry(
            RetryPolicy.exponential(Duration.ofSeconds(5), Duration.ofMinutes(15)).maxAttempts(20))
        .onFailure(REQUESTED, EXPIRED)
        .build();
  }

  private Next request(StateContext ctx) throws Exception {
    Subscription wanted = ctx.input(Subscription.class);
    if (wanted.mail() == null || wanted.by() != null) {
      return Next.waitForSignal(ACTIVE, END, null, "subscribed by " + wanted.by());
    }
    confirmationSender.ask(ctx.instanceId(), wanted);
    return Next.waitForSignal(UNCONFIRMED, CONFIRM, PATIENCE, "the address was asked");
  }

  private Next confirm(StateContext ctx) {
    return ctx.signal(CONFIRM).isPresent()
        ? Next.waitForSignal(ACTIVE, END, null, "confirmed")
        : Next.moveTo(EXPIRED, "not confirmed in time");
  }

  private Next end(StateContext ctx) {
    return ctx.signal(END).isPresent()
        ? Next.moveTo(ENDED, "unsubscribed")
        : Next.waitForSignal(ACTIVE, END, null, "goes on");
  }
}
