package io.millrace.demo.shop;

/**
 * What happens to an order follows from its number alone, so that the same order meets the same
 * fate on every run and after every restart.
 */
final class DeterministicRandom {

  private DeterministicRandom() {}

  /**
   * A number from 0 to below 1, spread evenly over all orders but those of visitors. What goes
   * wrong with an order does so at small numbers; a visitor's is always in the middle.
   *
   * @param matter what is decided; different matters are independent
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

  /** The finalizer of SplitMix64. */
  private static long mix(long z) {
    long a = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    long b = (a ^ (a >>> 27)) * 0x94D049BB133111EBL;
    return b ^ (b >>> 31);
  }
}
