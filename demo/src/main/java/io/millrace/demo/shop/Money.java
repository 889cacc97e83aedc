package io.millrace.demo.shop;

/** Formats amounts for people. */
final class Money {

  private Money() {}

  /** Returns a text such as {@code EUR 34.50}. */
  static String of(int cents) {
    return "EUR " + cents / 100 + "." + (cents % 100 < 10 ? "0" : "") + cents % 100;
  }
}
