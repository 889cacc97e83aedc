package io.millrace.demo.shop;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The order of a customer, which is the input of the workflow {@code order}. Visitors start orders
 * too, and missing fields are filled in.
 *
 * @param number for example {@code M-10423}; determines the outcome of the order
 * @param cents total price
 * @param address delivery address, as the customer typed it
 */
public record Order(
    String number,
    String customer,
    String item,
    int quantity,
    int cents,
    String address,
    Delivery delivery) {

  static final String VISITOR = "V-";
  private static final Duration AROUND_THE_CORNER = Duration.ofSeconds(5);

  /** Fills in missing fields; Jackson passes null for a field that is missing in the JSON text. */
  public Order {
    number = or(number, VISITOR);
    customer = or(customer, "a visitor");
    item = or(item, "teapot");
    address = or(address, "the shop's counter");
    delivery = delivery == null ? new Delivery(Kind.COURIER, AROUND_THE_CORNER) : delivery;
  }

  private static String or(@Nullable String given, String otherwise) {
    return given == null || given.isBlank() ? otherwise : given;
  }

  /**
   * Returns the same order for a visitor of the demo, which meets no trouble and arrives in
   * seconds.
   */
  Order forVisitor(long instanceId) {
    Delivery soon = new Delivery(Kind.COURIER, AROUND_THE_CORNER);
    return new Order(
        VISITOR + instanceId, customer, item, Math.max(1, quantity), cents, address, soon);
  }

  boolean isVisitors() {
    return number.startsWith(VISITOR);
  }

  /**
   * The delivery of the goods to the customer.
   *
   * @param promised time from the shop's door to the customer's
   */
  public record Delivery(Kind kind, Duration promised) {}

  /** The means of delivery. */
  public enum Kind {
    /** Delivery by van, with the next round of packing. */
    PARCEL,
    /** Delivery by bicycle, without waiting. */
    COURIER
  }
}
