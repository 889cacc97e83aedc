package io.millrace.demo.shop;

import java.time.Duration;

/**
 * What a customer has ordered: the input of the workflow {@code order}.
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
