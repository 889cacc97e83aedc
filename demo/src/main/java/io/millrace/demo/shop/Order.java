package io.millrace.demo.shop;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a customer has ordered: the input of the workflow {@code order}. Visitors start orders too,
 * and what they leave out is filled in.
 *
 * @param number for example {@code M-10423}; decides what will happen to the order
 * @param cents the price of all
 * @param address where to, as the customer typed it
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

  /** Jackson passes null for what is missing in the JSON text. */
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
   * The same goods for a visitor of the demo, whose order meets no trouble and arrives in seconds.
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
   * How the goods get to the customer.
   *
   * @param promised from the shop's door to the customer's
   */
  public record Delivery(Kind kind, Duration promised) {}

  /** Who brings the goods. */
  public enum Kind {
    /** By van, with the next round of packing. */
    PARCEL,
    /** By bicycle, at once. */
    COURIER
  }
}
