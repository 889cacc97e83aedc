package io.millrace.benchmarks.workload;

import io.millrace.benchmarks.peer.PeerProcess;
import io.millrace.benchmarks.peer.Probe;
import io.millrace.benchmarks.peer.Work;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Waits until so many pieces of work have had their last step, and until that is durable. */
final class Countdown implements Probe {

  private static final long LIMIT_MINUTES = 10;

  private final CountDownLatch left;

  Countdown(int count) {
    left = new CountDownLatch(count);
  }

  @Override
  public void handle(Work work, int step, String payload) {
    if (step == work.steps()) {
      left.countDown();
    }
  }

  void await(PeerProcess process) throws Exception {
    if (!left.await(LIMIT_MINUTES, TimeUnit.MINUTES)) {
      throw new IllegalStateException(
          left.getCount() + " pieces of work were not done in " + LIMIT_MINUTES + " minutes.");
    }
    while (process.pending() > 0) {
      TimeUnit.MILLISECONDS.sleep(1);
    }
  }
}
