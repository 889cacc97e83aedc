package io.millrace.demo.shop;

import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;

/**
 * The goods on the shelves. Each call carries a key; the same key means the same call again, which
 * changes nothing more. Thread-safe; a new process begins with full shelves.
 */
final class Warehouse {

  private final Map<String, Integer> onShelf = new HashMap<>();
  private final Map<String, Integer> aside = new HashMap<>();

  /**
   * Puts goods aside for an order; for a visitor's the shelf is filled up before.
   *
   * @return what is left on the shelf; empty when there was too little
   */
  synchronized OptionalInt reserve(Order order) {
    if (aside.containsKey(order.number())) {
      return OptionalInt.of(left(order.item()));
    }
    if (order.isVisitors()) {
      refill(order.item());
    }
    int left = left(order.item());
    if (left < order.quantity()) {
      return OptionalInt.empty();
    }
    onShelf.put(order.item(), left - order.quantity());
    aside.put(order.number(), order.quantity());
    return OptionalInt.of(left - order.quantity());
  }

  /** Puts goods back on the shelf; does nothing when none are put aside. */
  synchronized void release(Order order) {
    Integer quantity = aside.remove(order.number());
    if (quantity != null) {
      onShelf.merge(order.item(), quantity, Integer::sum);
    }
  }

  /** Takes goods out of the house. False when one of them was found broken. */
  synchronized boolean pack(Order order) {
    aside.remove(order.number());
    return DeterministicRandom.of(order.number(), "broken") >= 0.012;
  }

  /** How many are on a shelf. */
  synchronized int count(String item) {
    return left(item);
  }

  /** Fills a shelf up; answers with how many were missing. */
  synchronized int refill(String item) {
    int full = ProductCatalog.item(item).shelf();
    int missing = Math.max(0, full - left(item));
    onShelf.merge(item, missing, Integer::sum);
    return missing;
  }

  private int left(String item) {
    return onShelf.computeIfAbsent(item, name -> ProductCatalog.item(name).shelf());
  }
}
