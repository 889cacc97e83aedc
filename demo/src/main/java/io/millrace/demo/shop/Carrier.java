package io.millrace.demo.shop;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The carrier that brings parcels to the customers. Its depot is full at times, and it requires a
 * valid address.
 */
final class Carrier {

  private static final Pattern ADDRESS =
      Pattern.compile("(?<house>\\d+\\w?) (?<street>[^,]+), (?<code>[A-Z0-9 ]{4,8}) (?<town>.+)");
  private static final double DEPOT_FULL = 0.14;
  private static final double REFUSED = 0.01;

  private final Sleeper sleeper;

  /** An invalid address; the order needs another one. */
  static final class AddressException extends Exception {
    AddressException(String message) {
      super(message);
    }
  }

  Carrier(Sleeper sleeper) {
    this.sleeper = sleeper;
  }

  /**
   * Prints the label for an order; an order of a visitor may have any address.
   *
   * @return the town
   */
  String label(Order order, String address) throws AddressException, InterruptedException {
    sleeper.sleep(Duration.ofMillis(40));
    if (order.isVisitors()) {
      return address;
    }
    Matcher matcher = ADDRESS.matcher(address);
    if (!matcher.matches()) {
      throw new AddressException(
          "The carrier cannot read the address '"
              + address
              + "'; expected '<house> <street>, <postcode> <town>'");
    }
    return matcher.group("town");
  }

  /**
   * True if the depot accepts no more parcels today; each further attempt is likelier to succeed.
   */
  boolean isFull(Order order, int attempt) {
    double chance = order.delivery().kind() == Order.Kind.PARCEL ? DEPOT_FULL : DEPOT_FULL / 2;
    return attempt <= 3 && DeterministicRandom.of(order.number(), "depot") < chance / attempt;
  }

  /** Accepts a parcel, once for each order, and returns its number. */
  String take(Order order) throws InterruptedException {
    sleeper.sleep(
        Duration.ofMillis(90 + (long) (160 * DeterministicRandom.of(order.number(), "label"))));
    return "P" + order.number().substring(1);
  }

  /** True if the parcel has been handed over, false if the customer refused it. */
  boolean delivered(Order order) throws InterruptedException {
    sleeper.sleep(Duration.ofMillis(30));
    return DeterministicRandom.of(order.number(), "door") >= REFUSED;
  }
}
