package io.millrace.examples.report;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A signal that Ctrl-C or SIGTERM was received. It keeps the JVM alive until the program has ended
 * its work and closes the signal.
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

  /** Waits for the signal, at most for the given time. */
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
      // The JVM is already shutting down; it runs the hook.
    }
  }
}
