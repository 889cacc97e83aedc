package io.millrace.dispatch;

import io.millrace.lifecycle.EndSteps;
import io.millrace.lifecycle.Loop;
import io.millrace.lifecycle.Runner;
import io.millrace.lifecycle.RunningTask;
import io.millrace.lifecycle.Waiter;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * A record of what the start of an executor has begun, which is taken back if a later part cannot
 * be created. It is the runner of all parts, and so knows their loops. Thread-safe.
 */
final class StartUndo implements Runner {

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final Runner runner;
  private final Deque<Runnable> begun = new ArrayDeque<>();
  private boolean ended;

  StartUndo(Runner runner) {
    this.runner = runner;
  }

  /** Adds what takes back the part of the start that has just succeeded. */
  synchronized void add(Runnable undo) {
    if (!ended) {
      begun.push(undo);
    }
  }

  /** Ends the record, since the executor has started. */
  void started() {
    end();
  }

  /** Takes everything back, the last part first. */
  void takeBack(Throwable whyNotStarted) {
    EndSteps.runAfter(whyNotStarted, end().toArray(Runnable[]::new));
  }

  private synchronized List<Runnable> end() {
    List<Runnable> steps = List.copyOf(begun);
    ended = true;
    begun.clear();
    return steps;
  }

  @Override
  public Loop loop(String name, Loop.Work work) {
    Loop loop = runner.loop(name, work);
    add(() -> loop.stop(PATIENCE));
    return loop;
  }

  @Override
  public RunningTask run(String name, Runnable task) {
    return runner.run(name, task);
  }

  @Override
  public RunningTask runOnPlatform(String name, Runnable task) {
    return runner.runOnPlatform(name, task);
  }

  @Override
  public RunningTask runOnPool(String name, Runnable task) {
    return runner.runOnPool(name, task);
  }

  @Override
  public Waiter waiter() {
    return runner.waiter();
  }
}
