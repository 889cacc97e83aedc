package io.millrace.rabbitmq;

import java.time.Duration;

/** Time limit for what a test waits for; long, because a slow machine is not a failure. */
public final class Patience {

  public static final Duration LIMIT =
      Duration.ofSeconds(Integer.getInteger("tests.patience", 180));

  private Patience() {}

  /** Returns when {@code thread} has ended. */
  public static void join(Thread thread) throws InterruptedException {
    if (!thread.join(LIMIT)) {
      throw new AssertionError("Not within " + LIMIT);
    }
  }
}
