package io.millrace.benchmarks.workload;

import io.millrace.benchmarks.peer.PeerProcess;
import io.millrace.benchmarks.peer.Probe;
import io.millrace.benchmarks.peer.WorkType;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A probe that waits until a given number of pieces of work have run their last step, and until
 * that is durable.
 */
final class CompletionProbe implements Probe {

  private static final long LIMIT_MINUTES = 10;

  private final CountDownLatch left;

  CompletionProbe(int count) {
    left = new CountDownLatch(count);
  }

  @Override
  public void handle(WorkType workType, int step, String payload) {
    if (step == workType.steps()) {
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
