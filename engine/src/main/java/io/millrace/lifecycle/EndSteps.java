package io.millrace.lifecycle;

import org.jspecify.annotations.Nullable;

/** The steps in which something ends. Each is done, although an earlier one throws. */
public final class EndSteps {

  private EndSteps() {}

  /** Runs all steps in order, and throws what the first failed step threw. */
  public static void run(Runnable... steps) {
    Throwable first = null;
    for (Runnable step : steps) {
      try {
        step.run();
      } catch (RuntimeException | Error e) {
        first = first == null ? e : with(first, e);
      }
    }
    throwUnchecked(first);
  }

  /** Runs all steps in order after a fault, and adds what the first failed step threw to it. */
  public static void runAfter(Throwable fault, Runnable... steps) {
    try {
      run(steps);
    } catch (RuntimeException | Error e) {
      with(fault, e);
    }
  }

  private static Throwable with(Throwable first, Throwable later) {
    if (!later.equals(first)) {
      first.addSuppressed(later);
    }
    return first;
  }

  private static void throwUnchecked(@Nullable Throwable fault) {
    if (fault instanceof RuntimeException unchecked) {
      throw unchecked;
    }
    if (fault instanceof Error error) {
      throw error;
    }
  }
}
