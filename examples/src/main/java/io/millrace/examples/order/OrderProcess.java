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

  enum State {
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
    return WorkflowDefinition.of(TYPE, State.class)
        .input(Order.class)
        .start(State.RESERVE, this::reserve)
        .await(State.AWAIT_PAYMENT, PAID, patience, this::paid)
        .state(State.CHARGE, this::charge)
        .state(State.SHIP, this::ship)
        .state(State.UNDO, this::undo)
        .end(State.SHIPPED)
        .end(State.CANCELLED)
        .permit(State.RESERVE, State.AWAIT_PAYMENT)
        .permit(State.AWAIT_PAYMENT, State.CHARGE, State.UNDO)
        .permit(State.CHARGE, State.SHIP)
        .permit(State.SHIP, State.SHIPPED)
        .permit(State.UNDO, State.CANCELLED)
        .onFailure(State.UNDO)
        .retry(retry.neverOn(UndeliverableException.class))
        .build();
  }

  private Next reserve(StateContext ctx) throws Exception {
    ctx.once("reserve", () -> orderServices.reserve(order(ctx), ctx.idempotencyKey()));
    ctx.set(RESERVED, true);
    return Next.moveTo(State.AWAIT_PAYMENT, "goods put aside");
  }

  private Next paid(StateContext ctx, Optional<ReceivedSignal> signal) {
    if (signal.isEmpty()) {
      return Next.moveTo(State.UNDO, "not paid in time");
    }
    int cents = signal.get().payload(Payment.class).cents();
    ctx.set(CENTS, cents);
    return Next.moveTo(State.CHARGE, cents + " cents promised");
  }

  private Next charge(StateContext ctx) throws Exception {
    int cents = ctx.get(CENTS, Integer.class);
    String receipt =
        ctx.once(
            "charge",
            String.class,
            () -> orderServices.charge(order(ctx), cents, ctx.idempotencyKey()));
    ctx.set(RECEIPT, receipt);
    return Next.moveTo(State.SHIP, "charged, receipt " + receipt);
  }

  private Next ship(StateContext ctx) throws Exception {
    String parcel =
        ctx.once("ship", String.class, () -> orderServices.ship(order(ctx), ctx.idempotencyKey()));
    ctx.set(PARCEL, parcel);
    return Next.moveTo(State.SHIPPED, "sent as parcel " + parcel);
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
    return Next.moveTo(State.CANCELLED, receipt.isPresent() ? "refunded and released" : "released");
  }

  private static Order order(StateContext ctx) {
    return ctx.input(Order.class);
  }
}
