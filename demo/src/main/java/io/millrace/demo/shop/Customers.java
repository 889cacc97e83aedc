package io.millrace.demo.shop;

import io.millrace.demo.shop.Order.Delivery;
import io.millrace.demo.shop.Order.Kind;
import io.millrace.demo.shop.ProductCatalog.Item;
import io.millrace.instance.StartRequest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The customers with their orders and payments, all derived from the order's number. */
public final class Customers {

  private static final String PREFIX = "M-";
  private static final Pattern NUMBERED = Pattern.compile(PREFIX + "\\d{1,8}");
  private static final double BY_COURIER = 0.3;
  private static final double NEVER_PAYS = 0.06;
  private static final double HASTY = 0.016;

  /**
   * Time after which a visitor's order is paid; it leaves visitors time to send the signal
   * themselves.
   */
  private static final Duration VISITOR_PAYS = Duration.ofSeconds(30);

  private static final List<String> FIRST =
      List.of(
          "Ada", "Bruno", "Clara", "Dmitri", "Edith", "Farid", "Greta", "Hanna", "Ivo", "Jun",
          "Kofi", "Lena", "Marek", "Nadia", "Oskar", "Pia", "Quentin", "Rosa", "Sven", "Tomoko");
  private static final List<String> LAST =
      List.of(
          "Abel",
          "Bianchi",
          "Costa",
          "Dahl",
          "Eriksen",
          "Fischer",
          "Gomez",
          "Hughes",
          "Ito",
          "Jansen",
          "Kaur",
          "Lindqvist",
          "Moreau",
          "Novak",
          "Okafor",
          "Petit",
          "Quinn",
          "Rossi",
          "Silva",
          "Tamm");
  private static final List<String> STREETS =
      List.of("Mill Lane", "Station Road", "High Street", "Weaver Row", "Canal Walk", "Park Close");
  private static final List<String> TOWNS =
      List.of(
          "LS1 4AP Leeds",
          "BS1 5TR Bristol",
          "NR2 1TF Norwich",
          "EX4 3SB Exeter",
          "YO1 7HH York",
          "CA3 8JY Carlisle",
          "LN5 7AX Lincoln",
          "TR1 2SJ Truro");

  private Customers() {}

  /** Returns an order of the past weeks: a third goes by courier, the others as parcels. */
  public static Order order(int number) {
    String name = PREFIX + number;
    double haste = DeterministicRandom.of(name, "transit");
    return DeterministicRandom.of(name, "courier") < BY_COURIER
        ? order(name, new Delivery(Kind.COURIER, Duration.ofSeconds(1200 + (long) (4200 * haste))))
        : order(name, new Delivery(Kind.PARCEL, Duration.ofHours(18 + (long) (38 * haste))));
  }

  /** Returns an order from the neighborhood, which the courier reaches within a minute. */
  public static Order nearby(int number) {
    String name = PREFIX + number;
    long seconds = 15 + (long) (45 * DeterministicRandom.of(name, "transit"));
    return order(name, new Delivery(Kind.COURIER, Duration.ofSeconds(seconds)));
  }

  private static Order order(String name, Delivery delivery) {
    Item item = pick(ProductCatalog.ITEMS, name, "item");
    double amount = DeterministicRandom.of(name, "amount");
    int quantity = 1 + (int) (4 * amount * amount * amount * amount);
    return new Order(
        name,
        pick(FIRST, name, "first") + " " + pick(LAST, name, "last"),
        item.name(),
        quantity,
        quantity * item.cents(),
        address(name, HASTY),
        delivery);
  }

  /** Returns an address; a customer in a hurry leaves out details that the carrier needs. */
  private static String address(String name, double hasty) {
    String street = pick(STREETS, name, "street");
    String town = pick(TOWNS, name, "town");
    return DeterministicRandom.of(name, "address") < hasty
        ? street + ", " + town.substring(town.lastIndexOf(' ') + 1)
        : 1 + (int) (90 * DeterministicRandom.of(name, "house")) + " " + street + ", " + town;
  }

  /** Returns the request that starts the workflow of an order; repeated requests start it once. */
  public static StartRequest request(Order order) {
    return StartRequest.of(OrderWorkflow.TYPE, order)
        .variable(OrderWorkflow.ADDRESS, order.address())
        .businessKey(order.customer())
        .externalId(order.number());
  }

  /**
   * Returns the order as the shop processes it. Only orders of simulated customers have their
   * number as external id; all others were started by a visitor.
   */
  public static Order placed(Order input, @Nullable String externalId, long instanceId) {
    return number(externalId) > 0 && input.number().equals(externalId)
        ? input
        : input.forVisitor(instanceId);
  }

  /** Returns the payment of the customer. */
  public static Payment payment(Order order) {
    return new Payment(order.cents());
  }

  /** Returns the time from the order to its payment; empty if the customer never pays. */
  public static Optional<Duration> paysAfter(Order order) {
    if (order.isVisitors()) {
      return Optional.of(VISITOR_PAYS);
    }
    if (DeterministicRandom.of(order.number(), "pays") < NEVER_PAYS) {
      return Optional.empty();
    }
    double doubt = DeterministicRandom.of(order.number(), "doubt");
    return Optional.of(
        order.delivery().kind() == Kind.COURIER
            ? Duration.ofSeconds(4 + (long) (36 * doubt))
            : Duration.ofSeconds(40 + (long) (72_000 * Math.pow(doubt, 6))));
  }

  /** True if the customer confirms a large order when asked. */
  public static boolean confirms(String order) {
    return DeterministicRandom.of(order, "confirms") < 0.85;
  }

  /** True for the few customers who call when something takes long. */
  public static boolean ringsUp(String order) {
    return DeterministicRandom.of(order, "rings") < 0.25;
  }

  /** Returns the address that the customer gives when asked again. */
  public static String corrected(String order) {
    return address(order, 0);
  }

  /** Returns the number in an order's name; 0 if it has none. */
  public static int number(@Nullable String name) {
    return name != null && NUMBERED.matcher(name).matches()
        ? Integer.parseInt(name.substring(PREFIX.length()))
        : 0;
  }

  private static <T> T pick(List<T> from, String name, String matter) {
    return from.get((int) (from.size() * DeterministicRandom.of(name, matter)));
  }
}
