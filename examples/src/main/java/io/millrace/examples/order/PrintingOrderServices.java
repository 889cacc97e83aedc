package io.millrace.examples.order;

import io.millrace.examples.order.OrderProcess.Order;
import java.io.IOException;
import java.io.PrintStream;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Services that print each call. Their carrier is busy at the first attempt and never accepts
 * anvils.
 */
final class PrintingOrderServices implements OrderServices {

  private final PrintStream out;
  private final Map<String, String> done = new ConcurrentHashMap<>();

  PrintingOrderServices(PrintStream out) {
    this.out = out;
  }

  @Override
  public void reserve(Order order, String key) {
    once(key + " reserve", order, "%s x %s put aside".formatted(order.quantity(), order.item()));
  }

  @Override
  public void release(Order order, String key) {
    once(key + " release", order, "%s x %s put back".formatted(order.quantity(), order.item()));
  }

  @Override
  public String charge(Order order, int cents, String key) {
    once(key + " charge", order, cents + " cents charged");
    return "R-" + order.id();
  }

  @Override
  public void refund(Order order, String receipt, String key) {
    once(key + " refund", order, receipt + " refunded");
  }

  @Override
  public String ship(Order order, String key) throws IOException, UndeliverableException {
    if (order.item().equals("anvil")) {
      once(key, order, "the carrier refuses an anvil");
      throw new UndeliverableException("The carrier takes no anvils");
    }
    if (done.putIfAbsent(key, "busy") == null) {
      say(order, "the carrier is busy");
      throw new IOException("The carrier is busy");
    }
    once(key + " ship", order, "handed to the carrier");
    return "P-" + order.id();
  }

  private void once(String key, Order order, String text) {
    if (done.putIfAbsent(key, text) == null) {
      say(order, text);
    }
  }

  private void say(Order order, String text) {
    out.println(order.id() + " " + text);
  }
}
