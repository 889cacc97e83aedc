package io.millrace.examples.report;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Tells the program that Ctrl-C or SIGTERM came, and keeps the JVM alive until it has ended its
 * work. Close it then.
 */
final class ShutdownSignal implements AutoCloseable {

  private final CountDownLatch came = new CountDownLatch(1);
  private final CountDownLatch handled = new CountDownLatch(1);
  private final Thread hook = new Thread(this::stop, "stop");

  ShutdownSignal() {
    Runtime.getRuntime().addShutdownHook(hook);
  }

  boolean hasCome() {
    return came.getCount() == 0;
  }

  /** Waits for it, but not longer. */
  boolean await(Duration limit) throws InterruptedException {
    return came.await(limit.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void stop() {
    came.countDown();
    try {
      handled.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    handled.countDown();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The JVM is ending already, with the hook.
    }
  }
}
