package io.millrace.demo.shop;

/**
 * Random decisions that depend on an order's number alone, so that the same order has the same
 * outcome on every run and after every restart.
 */
final class DeterministicRandom {

  private DeterministicRandom() {}

  /**
   * Returns a number from 0 inclusive to 1 exclusive, distributed evenly over all orders except
   * those of visitors. Problems occur at small numbers; a visitor's number is always in the middle.
   *
   * @param matter the decision; different decisions are independent
   */
  static double of(String order, String matter) {
    if (order.startsWith(Order.VISITOR)) {
      return 0.5;
    }
    long mixed = 0x9E3779B97F4A7C15L;
    for (int i = 0; i < order.length(); i++) {
      mixed = mix(mixed ^ order.charAt(i));
    }
    for (int i = 0; i < matter.length(); i++) {
      mixed = mix(mixed ^ matter.charAt(i));
    }
    return (mixed >>> 11) * 0x1.0p-53;
  }

  /** Mixes the bits; the finalizer of SplitMix64. */
  private static long mix(long z) {
    long a = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    long b = (a ^ (a >>> 27)) * 0x94D049BB133111EBL;
    return b ^ (b >>> 31);
  }
}
