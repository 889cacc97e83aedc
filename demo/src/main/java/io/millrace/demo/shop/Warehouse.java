package io.millrace.demo.shop;

import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;

/**
 * The goods on the shelves. Each call carries a key; a repeated call with the same key changes
 * nothing. Thread-safe; a new process starts with full shelves.
 */
final class Warehouse {

  private final Map<String, Integer> onShelf = new HashMap<>();
  private final Map<String, Integer> aside = new HashMap<>();

  /**
   * Reserves goods for an order; the shelf is filled up first for a visitor's order.
   *
   * @return number of pieces left on the shelf; empty if there were too few
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

  /** Puts reserved goods back on the shelf; does nothing if none are reserved. */
  synchronized void release(Order order) {
    Integer quantity = aside.remove(order.number());
    if (quantity != null) {
      onShelf.merge(order.item(), quantity, Integer::sum);
    }
  }

  /** Ships the goods of an order. False if one of them was found broken. */
  synchronized boolean pack(Order order) {
    aside.remove(order.number());
    return DeterministicRandom.of(order.number(), "broken") >= 0.012;
  }

  /** Returns the number of pieces on a shelf. */
  synchronized int count(String item) {
    return left(item);
  }

  /** Fills a shelf up and returns the number of missing pieces. */
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
