package io.millrace.verification.process;

import io.millrace.verification.support.Patience;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/** Polls for an effect of another process, which cannot be waited for otherwise. */
public final class ConditionPoller {

  private static final long REST_MILLIS = 50;

  private ConditionPoller() {}

  /** Returns when {@code condition} holds; {@code what} describes it. */
  public static void await(String what, Callable<Boolean> condition) throws Exception {
    long begin = System.nanoTime();
    while (!condition.call()) {
      if (System.nanoTime() - begin > Patience.LIMIT.toNanos()) {
        throw new AssertionError("Not within " + Patience.LIMIT + ": " + what);
      }
      TimeUnit.MILLISECONDS.sleep(REST_MILLIS);
    }
  }
}
