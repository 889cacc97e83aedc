package io.millrace.demo.shop;

import io.millrace.definition.Next;
import io.millrace.definition.ReceivedSignal;
import io.millrace.definition.StateContext;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.demo.shop.Carrier.AddressException;
import io.millrace.demo.shop.PaymentGateway.CardDeclinedException;
import io.millrace.retry.RetryPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The workflow {@code order}, from the click of a customer to the ring at the door. It undoes what
 * it cannot complete; a failed order waits for an operator.
 */
public final class OrderWorkflow {

  public static final String TYPE = "order";

  /** Name of the signal that the customer has paid; it may carry a {@link Payment}. */
  public static final String PAID = "paid";

  /** Name of the variable with the delivery address; an operator may correct it. */
  public static final String ADDRESS = "address";

  static final Duration PATIENCE = Duration.ofDays(2);

  private static final Duration LATE_CHARGE = Duration.ofMinutes(5);
  private static final Duration LATE_PARCEL = Duration.ofHours(3);
  private static final Duration BY_TAXI = Duration.ofSeconds(20);

  private static final int NEEDS_REVIEW = 50_000; // cents
  private static final RetryPolicy GATEWAY =
      RetryPolicy.exponential(Duration.ofSeconds(5), Duration.ofMinutes(1)).maxAttempts(4);

  private static final String RESERVED = "reserved";
  private static final String PAID_AT = "paidAt";
  private static final String RECEIPT = "receipt";
  private static final String HURRY = "hurry";
  private static final String PARCEL = "parcel";

  private static final Logger LOG = LoggerFactory.getLogger(OrderWorkflow.class);

  /** The states. */
  public enum State {
    RESERVE,
    AWAIT_PAYMENT,
    CHARGE,
    /** Review of a large order by a person. */
    REVIEW,
    PACK,
    SHIP,
    DELIVER,
    UNDO,
    DELIVERED,
    CANCELLED
  }

  private final DemoShop demoShop;

  OrderWorkflow(DemoShop demoShop) {
    this.demoShop = demoShop;
  }

  WorkflowDefinition definition() {
    return WorkflowDefinition.of(TYPE, State.class)
        .description("An order of the shop: paid for, packed, and brought to the customer.")
        .input(Order.class)
        .start(State.RESERVE, this::reserve)
        .await(State.AWAIT_PAYMENT, PAID, PATIENCE, this::paid)
        .state(State.CHARGE, this::charge)
        .manual(State.REVIEW)
        .state(State.PACK, this::pack)
        .state(State.SHIP, this::ship)
        .state(State.DELIVER, this::deliver)
        .state(State.UNDO, this::undo)
        .end(State.DELIVERED)
        .end(State.CANCELLED)
        .permit(State.RESERVE, State.AWAIT_PAYMENT, State.CANCELLED)
        .permit(State.AWAIT_PAYMENT, State.CHARGE, State.UNDO)
        .permit(State.CHARGE, State.PACK, State.REVIEW, State.UNDO)
        .permit(State.REVIEW, State.PACK, State.UNDO)
        .permit(State.PACK, State.SHIP, State.UNDO)
        .permit(State.SHIP, State.DELIVER)
        .permit(State.DELIVER, State.DELIVERED, State.UNDO)
        .permit(State.UNDO, State.CANCELLED)
        .retry(State.CHARGE, GATEWAY)
        .retry(
            RetryPolicy.exponential(Duration.ofMinutes(5), Duration.ofHours(2))
                .neverOn(AddressException.class))
        .build();
  }

  private Next reserve(StateContext ctx) {
    Order order = order(ctx);
    if (!ProductCatalog.has(order.item())) {
      return Next.moveTo(
          State.CANCELLED,
          "the shop sells no '" + order.item() + "', but " + ProductCatalog.names());
    }
    OptionalInt left = demoShop.warehouse().reserve(order);
    if (left.isEmpty()) {
      LOG.warn("Too few of {} left for {}", order.item(), order.quantity());
      return Next.moveTo(State.CANCELLED, order.item() + " is sold out");
    }
    LOG.info("Put {} x {} aside, {} left", order.quantity(), order.item(), left.getAsInt());
    ctx.set(RESERVED, order.quantity());
    return Next.moveTo(State.AWAIT_PAYMENT, order.quantity() + " x " + order.item() + " put aside");
  }

  private Next paid(StateContext ctx, Optional<ReceivedSignal> signal) {
    if (signal.isEmpty()) {
      LOG.info("No payment came within {} hours", PATIENCE.toHours());
      return Next.moveTo(State.UNDO, "not paid within " + PATIENCE.toHours() + " hours");
    }
    LOG.info("The customer has paid {}", Money.of(order(ctx).cents()));
    ctx.set(PAID_AT, ctx.now());
    return Next.moveTo(State.CHARGE, Money.of(order(ctx).cents()) + " is on its way");
  }

  private Next charge(StateContext ctx) throws Exception {
    Order order = order(ctx);
    Instant paidAt = ctx.find(PAID_AT, Instant.class).orElse(Instant.EPOCH);
    String receipt;
    try {
      receipt = demoShop.gateway().charge(order, order.cents(), paidAt, ctx.now());
    } catch (CardDeclinedException e) {
      LOG.warn("The card was declined: {}", e.getMessage());
      return Next.moveTo(State.UNDO, String.valueOf(e.getMessage()));
    }
    LOG.info("Charged {}, receipt {}", Money.of(order.cents()), receipt);
    ctx.set(RECEIPT, receipt);
    if (order.cents() >= NEEDS_REVIEW && !order.isVisitors()) {
      return Next.moveTo(
          State.REVIEW, "a person looks at orders from " + Money.of(NEEDS_REVIEW) + " upwards");
    }
    if (isLate(ctx, LATE_CHARGE)) {
      ctx.set(HURRY, true);
      return Next.moveTo(State.PACK, "charged late, so it is packed at once");
    }
    return order.delivery().kind() == Order.Kind.COURIER
        ? Next.moveTo(State.PACK, "charged, receipt " + receipt)
        : Next.moveAt(State.PACK, demoShop.nextRound(ctx.now()), "for the next round of packing");
  }

  private Next pack(StateContext ctx) {
    Order order = order(ctx);
    if (!demoShop.warehouse().pack(order)) {
      LOG.warn("A {} was found broken", order.item());
      return Next.moveTo(State.UNDO, "the last " + order.item() + " is broken");
    }
    LOG.info("Packed {} x {}", order.quantity(), order.item());
    return Next.moveTo(State.SHIP, "packed");
  }

  private Next ship(StateContext ctx) throws Exception {
    Order order = order(ctx);
    String address = ctx.find(ADDRESS, String.class).orElse(order.address());
    String town = demoShop.carrier().label(order, address);
    boolean late = ctx.find(HURRY, Boolean.class).isPresent() || isLate(ctx, LATE_PARCEL);
    if (!late && demoShop.carrier().isFull(order, ctx.attempt())) {
      Duration delay = Duration.ofMinutes(15L << ctx.attempt());
      LOG.info("The depot is full, asking again in {} minutes", delay.toMinutes());
      return Next.retryAfter(delay, "the carrier's depot is full");
    }
    String parcel = demoShop.carrier().take(order);
    LOG.info("Parcel {} is on its way to {}", parcel, town);
    ctx.set(PARCEL, parcel);
    return Next.moveAfter(
        State.DELIVER,
        late ? BY_TAXI : order.delivery().promised(),
        "parcel " + parcel + " goes to " + town + (late ? " by taxi, with apologies" : ""));
  }

  /**
   * True if the customer has paid and waited for longer than allowed, so that the order goes out at
   * once.
   */
  private static boolean isLate(StateContext ctx, Duration allowed) {
    return ctx.find(PAID_AT, Instant.class)
        .filter(paidAt -> ctx.now().isAfter(paidAt.plus(allowed)))
        .isPresent();
  }

  private Next deliver(StateContext ctx) throws Exception {
    if (!demoShop.carrier().delivered(order(ctx))) {
      LOG.info("The customer refused the parcel");
      return Next.moveTo(State.UNDO, "the customer refused the parcel");
    }
    LOG.info("Delivered");
    return Next.moveTo(State.DELIVERED, "handed over at the door");
  }

  /** Undoes the completed steps in reverse order. */
  private Next undo(StateContext ctx) throws Exception {
    Order order = order(ctx);
    Optional<String> receipt = ctx.find(RECEIPT, String.class);
    if (receipt.isPresent()) {
      ctx.once("refund", () -> demoShop.gateway().refund(receipt.get()));
      LOG.info("Refunded {}", Money.of(order.cents()));
    }
    demoShop.warehouse().release(order);
    LOG.info("Put {} x {} back", order.quantity(), order.item());
    return Next.moveTo(State.CANCELLED, receipt.isPresent() ? "refunded" : "goods put back");
  }

  private static Order order(StateContext ctx) {
    return Customers.placed(ctx.input(Order.class), ctx.externalId(), ctx.instanceId());
  }
}
