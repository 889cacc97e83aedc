package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Waits for what tells nobody when it comes about: looks again and again, with pauses. */
public final class Polling {

  private static final int PAUSE_MILLIS = 10;

  private Polling() {}

  /** Returns as soon as it is so. */
  public static void until(String what, BooleanSupplier condition) throws InterruptedException {
    long end = System.nanoTime() + Patience.LIMIT.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime() - end).as("It has not come about: " + what).isNegative();
      TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
    }
  }
}
