package io.millrace.verification.support;

/**
 * How much a test does that could go on for hours: little in {@code script/test}; more in {@code
 * script/prove}, and in {@code script/test --long}, which checks each commit.
 */
public final class TestLength {

  /** The tag of the classes that have a long form, by which {@code script/prove} finds them. */
  public static final String LONG = "long";

  private static final boolean IS_LONG = System.getenv("MILLRACE_TEST_LONG") != null;

  private TestLength() {}

  /** True where everything is to be done. */
  public static boolean isLong() {
    return IS_LONG;
  }

  /** The second number where everything is to be done, and else the first. */
  public static int of(int brief, int whole) {
    return IS_LONG ? whole : brief;
  }
}
