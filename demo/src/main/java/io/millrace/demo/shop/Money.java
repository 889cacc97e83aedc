package io.millrace.demo.shop;

/** Amounts for people. */
final class Money {

  private Money() {}

  /** For example {@code EUR 34.50}. */
  static String of(int cents) {
    return "EUR " + cents / 100 + "." + (cents % 100 < 10 ? "0" : "") + cents % 100;
  }
}
