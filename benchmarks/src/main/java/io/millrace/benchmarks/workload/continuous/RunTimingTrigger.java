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

/** A trigger that gives each run one event and records when its runs start and end. */
final class RunTimingTrigger implements Trigger {

  private final List<Instant> opened = new CopyOnWriteArrayList<>();
  private final List<Instant> closed = new CopyOnWriteArrayList<>();
  private final int continuations;
  private final CountDownLatch missing;

  /**
   * @param continuations number of continuations to wait for
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

  /** Returns the time at which a run started to wait; the first run is 0. */
  Instant opened(int run) {
    return opened.get(run);
  }

  /** Returns the time from the end of a run to the start of the next one. */
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
