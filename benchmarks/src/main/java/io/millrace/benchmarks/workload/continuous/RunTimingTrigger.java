package io.millrace.benchmarks.workload.continuous;

import io.millrace.continuous.PollResult;
import io.millrace.continuous.Trigger;
import io.millrace.continuous.TriggerContext;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

/** Gives each run one event, and remembers when its runs began and ended. */
final class RunTimingTrigger implements Trigger {

  private final List<Instant> opened = new CopyOnWriteArrayList<>();
  private final List<Instant> closed = new CopyOnWriteArrayList<>();
  private final int continuations;
  private final CountDownLatch missing;

  /**
   * @param continuations how many are awaited
   */
  RunTimingTrigger(int continuations) {
    this.continuations = continuations;
    this.missing = new CountDownLatch(continuations + 1);
  }

  int continuations() {
    return continuations;
  }

  void awaitLast() throws InterruptedException {
    missing.await();
  }

  /** When a run began to wait; the first is 0. */
  Instant opened(int run) {
    return opened.get(run);
  }

  /** From the end of a run to the begin of the next one. */
  Duration gap(int run) {
    return Duration.between(closed.get(run), opened.get(run + 1));
  }

  @Override
  public String describe() {
    return "one event for each run";
  }

  @Override
  public Source open(TriggerContext scope) {
    AtomicBoolean due = new AtomicBoolean(true);
    opened.add(Instant.now());
    missing.countDown();
    return new Source() {
      @Override
      public PollResult poll() {
        return due.getAndSet(false)
            ? PollResult.event("beat", null, null)
            : PollResult.untilWoken();
      }

      @Override
      public void close() {
        closed.add(Instant.now());
      }
    };
  }
}
