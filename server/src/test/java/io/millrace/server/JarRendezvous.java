package io.millrace.server;

import java.util.concurrent.CountDownLatch;

/**
 * A meeting point for a handler from a jar and its test; workflows see the classes above their jar.
 */
public final class JarRendezvous {

  static final CountDownLatch BEGUN = new CountDownLatch(1);
  static final CountDownLatch GO_ON = new CountDownLatch(1);

  private JarRendezvous() {}

  public static void pass() throws InterruptedException {
    BEGUN.countDown();
    GO_ON.await();
  }
}
