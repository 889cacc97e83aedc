package io.millrace.verification.chaos.proxy;

import java.util.concurrent.TimeUnit;

/** A gate at which the bytes of one direction wait until they may pass. */
final class TrafficGate {

  private TrafficRule trafficRule = TrafficRule.PASS;

  synchronized void set(TrafficRule next) {
    trafficRule = next;
    notifyAll();
  }

  /**
   * Waits until bytes that have arrived now may pass.
   *
   * @return false if they are lost
   */
  synchronized boolean pass() throws InterruptedException {
    long came = System.nanoTime();
    while (true) {
      switch (trafficRule) {
        case TrafficRule.Dropped dropped -> {
          return false;
        }
        case TrafficRule.Stalled stalled -> wait();
        case TrafficRule.Delayed delayed -> {
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
