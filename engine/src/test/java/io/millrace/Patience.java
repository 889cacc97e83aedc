package io.millrace;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** The time limit of waits in tests. It is long, because a slow machine is not an error. */
public final class Patience {

  public static final Duration LIMIT =
      Duration.ofSeconds(Integer.getInteger("tests.patience", 180));

  private Patience() {}

  /** Returns the next element of {@code queue}, once it is there. */
  public static <T> T take(BlockingQueue<T> queue) throws InterruptedException {
    T next = queue.poll(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    if (next == null) {
      throw new AssertionError("Nothing within " + LIMIT);
    }
    return next;
  }

  /** Returns when {@code latch} has been counted down. */
  public static void await(CountDownLatch latch) throws InterruptedException {
    if (!latch.await(LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
      throw new AssertionError("Not within " + LIMIT);
    }
  }
}
