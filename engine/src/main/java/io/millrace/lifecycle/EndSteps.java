package io.millrace.lifecycle;

/** The steps in which something ends. Each is done, although an earlier one throws. */
public final class EndSteps {

  private EndSteps() {}

  /**
   * Runs all steps in order, and throws what the first failed step threw, as it is: code in other
   * languages throws checked exceptions that it does not declare.
   */
  public static void run(Runnable... steps) {
    Throwable first = null;
    for (Runnable step : steps) {
      try {
        step.run();
      } catch (Throwable e) {
        first = first == null ? e : with(first, e);
      }
    }
    if (first != null) {
      EndSteps.<RuntimeException>rethrow(first);
    }
  }

  /** Runs all steps in order after a fault, and adds what the first failed step threw to it. */
  public static void runAfter(Throwable fault, Runnable... steps) {
    try {
      run(steps);
    } catch (Throwable e) {
      with(fault, e);
    }
  }

  private static Throwable with(Throwable first, Throwable later) {
    if (!later.equals(first)) {
      first.addSuppressed(later);
    }
    return first;
  }

  @SuppressWarnings("unchecked")
  private static <T extends Throwable> void rethrow(Throwable fault) throws T {
    throw (T) fault;
  }
}
