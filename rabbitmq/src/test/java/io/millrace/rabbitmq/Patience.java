package io.millrace.rabbitmq;

import java.time.Duration;

/** How long a test waits for what has to come; long, because a slow machine is no fault. */
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
