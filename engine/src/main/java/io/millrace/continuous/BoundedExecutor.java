package io.millrace.continuous;

import io.millrace.lifecycle.EngineRuntime;
import io.millrace.lifecycle.RunningTask;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An executor that runs a task for a limited number of triggers at a time, each on its own thread.
 * If a task is slow, it logs one warning and runs another task beside it. Thread-safe.
 */
final class BoundedExecutor {

  private static final Logger LOG = LoggerFactory.getLogger(BoundedExecutor.class);

  private final String name;
  private final int most;
  private final Duration slowAfter;
  private final EngineRuntime runtime;
  private final Consumer<TriggerRun> work;
  private final Deque<TriggerRun> waiting = new ArrayDeque<>();
  private final Set<Job> busy = new LinkedHashSet<>();
  private int slow;

  private static final class Job {
    private final TriggerRun run;
    private final long begun;
    private volatile @Nullable RunningTask runningTask;
    private boolean slow;

    Job(TriggerRun run, long begun) {
      this.run = run;
      this.begun = begun;
    }
  }

  BoundedExecutor(
      String name, int most, Duration slowAfter, EngineRuntime runtime, Consumer<TriggerRun> work) {
    this.name = name;
    this.most = most;
    this.slowAfter = slowAfter;
    this.runtime = runtime;
    this.work = work;
  }

  void add(TriggerRun run) {
    synchronized (this) {
      waiting.add(run);
    }
    pump();
  }

  /** Returns the number of waiting and running tasks, without slow ones. */
  synchronized int load() {
    return waiting.size() + busy.size() - slow;
  }

  private void pump() {
    for (Job next = next(); next != null; next = next()) {
      Job job = next;
      job.runningTask = runtime.runner().runOnPool(name, () -> perform(job));
    }
  }

  private synchronized @Nullable Job next() {
    if (waiting.isEmpty() || busy.size() - slow >= most) {
      return null;
    }
    Job job = new Job(waiting.remove(), runtime.clock().nanoTime());
    busy.add(job);
    return job;
  }

  private void perform(Job job) {
    try {
      work.accept(job.run);
    } finally {
      synchronized (this) {
        busy.remove(job);
        if (job.slow) {
          slow--;
        }
      }
      pump();
    }
  }

  /** Warns of slow tasks, and starts others in their place. */
  void check() {
    List<Job> late = new ArrayList<>();
    long now = runtime.clock().nanoTime();
    synchronized (this) {
      for (Job job : busy) {
        if (!job.slow && now - job.begun >= slowAfter.toNanos()) {
          job.slow = true;
          slow++;
          late.add(job);
        }
      }
    }
    for (Job job : late) {
      RunningTask runningTask = job.runningTask;
      LOG.warn(
          "The {} has not returned for {}; it holds up nothing else, and is at {}",
          job.run,
          slowAfter,
          runningTask == null ? List.of() : runningTask.stackTrace());
    }
    pump();
  }

  /** Interrupts the running tasks. */
  void interrupt() {
    List<Job> all;
    synchronized (this) {
      all = List.copyOf(busy);
    }
    for (Job job : all) {
      RunningTask runningTask = job.runningTask;
      if (runningTask != null) {
        runningTask.interrupt();
      }
    }
  }

  synchronized boolean isBusy() {
    return !busy.isEmpty();
  }
}
