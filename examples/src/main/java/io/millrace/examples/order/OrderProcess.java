package io.millrace.examples.order;

import io.millrace.definition.Next;
import io.millrace.definition.ReceivedSignal;
import io.millrace.definition.StateContext;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.examples.order.OrderServices.UndeliverableException;
import io.millrace.retry.RetryPolicy;
import java.time.Duration;
import java.util.Optional;

/**
 * The workflow of an order: its goods are reserved, paid for, and sent. If it is not paid in time
 * or cannot be sent, all completed steps are undone.
 */
final class OrderProcess {

  static final String TYPE = "order";

  /** Name of the signal that the customer has paid, with a {@link Payment}. */
  static final String PAID = "paid";

  enum Step {
    RESERVE,
    AWAIT_PAYMENT,
    CHARGE,
    SHIP,
    UNDO,
    SHIPPED,
    CANCELLED
  }

  record Order(String id, String item, int quantity) {}

  record Payment(int cents) {}

  private static final String RESERVED = "reserved";
  private static final String CENTS = "cents";
  private static final String RECEIPT = "receipt";
  private static final String PARCEL = "parcel";

  private final OrderServices orderServices;
  private final Duration patience;
  private final RetryPolicy retry;

  /**
   * @param patience time that a customer has to pay
   */
  OrderProcess(OrderServices orderServices, Duration patience, RetryPolicy retry) {
    this.orderServices = orderServices;
    this.patience = patience;
    this.retry = retry;
  }

  WorkflowDefinition definition() {
    return WorkflowDefinition.of(TYPE, Step.class)
        .input(Order.class)
        .start(Step.RESERVE, this::reserve)
        .await(Step.AWAIT_PAYMENT, PAID, patience, this::paid)
        .state(Step.CHARGE, this::charge)
        .state(Step.SHIP, this::ship)
        .state(Step.UNDO, this::undo)
        .end(Step.SHIPPED)
        .end(Step.CANCELLED)
        .permit(Step.RESERVE, Step.AWAIT_PAYMENT)
        .permit(Step.AWAIT_PAYMENT, Step.CHARGE, Step.UNDO)
        .permit(Step.CHARGE, Step.SHIP)
        .permit(Step.SHIP, Step.SHIPPED)
        .permit(Step.UNDO, Step.CANCELLED)
        .onFailure(Step.UNDO)
        .retry(retry.neverOn(UndeliverableException.class))
        .build();
  }

  private Next reserve(StateContext ctx) throws Exception {
    ctx.once("reserve", () -> orderServices.reserve(order(ctx), ctx.idempotencyKey()));
    ctx.set(RESERVED, true);
    return Next.moveTo(Step.AWAIT_PAYMENT, "goods put aside");
  }

  private Next paid(StateContext ctx, Optional<ReceivedSignal> signal) {
    if (signal.isEmpty()) {
      return Next.moveTo(Step.UNDO, "not paid in time");
    }
    int cents = signal.get().payload(Payment.class).cents();
    ctx.set(CENTS, cents);
    return Next.moveTo(Step.CHARGE, cents + " cents promised");
  }

  private Next charge(StateContext ctx) throws Exception {
    int cents = ctx.get(CENTS, Integer.class);
    String receipt =
        ctx.once(
            "charge",
            String.class,
            () -> orderServices.charge(order(ctx), cents, ctx.idempotencyKey()));
    ctx.set(RECEIPT, receipt);
    return Next.moveTo(Step.SHIP, "charged, receipt " + receipt);
  }

  private Next ship(StateContext ctx) throws Exception {
    String parcel =
        ctx.once("ship", String.class, () -> orderServices.ship(order(ctx), ctx.idempotencyKey()));
    ctx.set(PARCEL, parcel);
    return Next.moveTo(Step.SHIPPED, "sent as parcel " + parcel);
  }

  /** Undoes the completed steps in reverse order. */
  private Next undo(StateContext ctx) throws Exception {
    Optional<String> receipt = ctx.find(RECEIPT, String.class);
    if (receipt.isPresent()) {
      ctx.once(
          "refund", () -> orderServices.refund(order(ctx), receipt.get(), ctx.idempotencyKey()));
    }
    if (ctx.find(RESERVED, Boolean.class).isPresent()) {
      ctx.once("release", () -> orderServices.release(order(ctx), ctx.idempotencyKey()));
    }
    return Next.moveTo(Step.CANCELLED, receipt.isPresent() ? "refunded and released" : "released");
  }

  private static Order order(StateContext ctx) {
    return ctx.input(Order.class);
  }
}
