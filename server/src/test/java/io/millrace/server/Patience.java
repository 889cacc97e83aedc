package io.millrace.server;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The time that a test waits for an expected event; it is long, because a slow machine is not a
 * fault.
 */
public final class Patience {

  public static final Duration LIMIT =
      Duration.ofSeconds(Integer.getInteger("tests.patience", 180));

  private Patience() {}

  /** Waits until {@code latch} has been counted down. */
  public static void await(CountDownLatch latch) throws InterruptedException {
    if (!latch.await(LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
      throw new AssertionError("Not within " + LIMIT);
    }
  }

  /** Waits until {@code thread} has ended. */
  public static void join(Thread thread) throws InterruptedException {
    if (!thread.join(LIMIT)) {
      throw new AssertionError("Not within " + LIMIT);
    }
  }
}
