package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** A wait for a condition without a notification, by polling with pauses. */
public final class Polling {

  private static final int PAUSE_MILLIS = 10;

  private Polling() {}

  /** Returns as soon as the condition holds. */
  public static void until(String what, BooleanSupplier condition) throws InterruptedException {
    long end = System.nanoTime() + Patience.LIMIT.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime() - end).as("It has not come about: " + what).isNegative();
      TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
    }
  }
}
