package io.millrace.demo.shop;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The goods that the shop sells. */
final class ProductCatalog {

  /**
   * An item for sale.
   *
   * @param cents price of one piece
   * @param shelf number of pieces on a full shelf
   */
  record Item(String name, int cents, int shelf) {}

  static final List<Item> ITEMS =
      List.of(
          new Item("teapot", 3450, 60),
          new Item("saucer", 690, 120),
          new Item("coffee mill", 12900, 25),
          new Item("bread tin", 2890, 50),
          new Item("pepper mill", 4200, 45),
          new Item("cast-iron pan", 7990, 30),
          new Item("kettle", 5490, 40),
          new Item("rolling pin", 1590, 80),
          new Item("chopping board", 3990, 45),
          new Item("copper pot", 18900, 18));

  private static final Map<String, Item> BY_NAME =
      ITEMS.stream().collect(Collectors.toMap(Item::name, Function.identity()));

  private ProductCatalog() {}

  /** True if the shop has the item. */
  static boolean has(String name) {
    return BY_NAME.containsKey(name);
  }

  /** Returns the names of all items, separated by commas. */
  static String names() {
    return ITEMS.stream().map(Item::name).collect(Collectors.joining(", "));
  }

  /**
   * Returns the item with a name.
   *
   * @throws IllegalArgumentException if the shop has no such item
   */
  static Item item(String name) {
    Item item = BY_NAME.get(name);
    if (item == null) {
      throw new IllegalArgumentException(
          "The shop sells no '" + name + "'; expected one of " + BY_NAME.keySet() + ".");
    }
    return item;
  }
}
