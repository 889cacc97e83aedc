package io.millrace.verification.chaos.proxy;

import java.util.concurrent.TimeUnit;

/** Where the bytes of one direction wait until they may pass. */
final class Gate {

  private Flow flow = Flow.PASS;

  synchronized void set(Flow next) {
    flow = next;
    notifyAll();
  }

  /**
   * Waits until bytes that have come now may pass.
   *
   * @return false when they are lost
   */
  synchronized boolean pass() throws InterruptedException {
    long came = System.nanoTime();
    while (true) {
      switch (flow) {
        case Flow.Dropped dropped -> {
          return false;
        }
        case Flow.Stalled stalled -> wait();
        case Flow.Delayed delayed -> {
          long left = delayed.by().toNanos() - (System.nanoTime() - came);
          if (left <= 0) {
            return true;
          }
          TimeUnit.NANOSECONDS.timedWait(this, left);
        }
      }
    }
  }
}
